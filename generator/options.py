"""The option space as text and as JSON, straight from `copier.yml`."""

import json
import re
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import ROOT
from .questions import Question, asked

_KINDS = {"str": "text", "int": "whole number", "bool": "yes or no", "yaml": "YAML"}
_REFUSAL = re.compile(r"\s*\{% if (.*?) %\}(.*?)\{% endif %\}\s*", re.DOTALL)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _condition(text: str | bool) -> str:
    """Return a `when` without Jinja's braces, or nothing if the question is always asked."""
    return _one_line(text).strip("{} ") if isinstance(text, str) else ""


def _default(question: Question) -> str:
    """Return the default as one would type it."""
    value = question.default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return f"computed: {_condition(value)}" if "{" in value else value or "empty"
    return "an empty list" if value == [] else str(value)


def _refusal(validator: str) -> str:
    """Return a simple validator as words, or nothing."""
    match = _REFUSAL.fullmatch(validator)
    if not match:
        return ""
    return f" [not if {_one_line(match[1])}: {_one_line(match[2])}]"


def as_text(root: Path = ROOT) -> str:
    """Return every question with its help, default, condition and choices."""
    lines = []
    for question in asked(root).values():
        kind = "choice" if question.choices else _KINDS[question.type]
        lines.append(f"{question.name} ({kind}; {_default(question)})")
        lines += textwrap.wrap(
            question.help, 92, initial_indent="  ", subsequent_indent="  "
        )
        if condition := _condition(question.when):
            lines.append(f"  asked if {condition}")
        for choice in question.choices:
            value, label = str(choice.value), choice.label
            same = re.split(r"\W", label)[0] == value
            text = label if same else f"{value}: {label}"
            lines += textwrap.wrap(
                text + _refusal(choice.validator),
                92,
                initial_indent="    - ",
                subsequent_indent="      ",
            )
        lines.append("")
    return "\n".join(lines).rstrip()


def as_dicts(root: Path = ROOT) -> list[dict[str, Any]]:
    """Return the questions that can be asked, as plain data."""
    return [asdict(question) for question in asked(root).values()]


def as_json(root: Path = ROOT) -> str:
    """Return the questions that can be asked, as JSON."""
    return json.dumps(as_dicts(root), indent=2)


def as_markdown(root: Path = ROOT) -> str:
    """Return a Markdown table of the questions, for the README."""
    lines = ["| question | answers (default first) | what it is |", "|---|---|---|"]
    for question in asked(root).values():
        default = question.default
        values = sorted(question.values, key=lambda value: value != default)
        typed = (json.dumps(v) if isinstance(v, bool) else v for v in values)
        kind = ", ".join(f"`{value}`" for value in typed) or _KINDS[question.type]
        condition = _condition(question.when)
        asked_if = f" (asked if `{condition}`)" if condition else ""
        lines.append(
            f"| `{question.name}` | {kind} | {_one_line(question.help)}{asked_if} |"
        )
    return "\n".join(lines)
