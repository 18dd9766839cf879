"""Checks what was rendered: syntax, formatting, unused names, left-over tags."""

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import black
from pyflakes.api import check as find_flakes
from pyflakes.reporter import Reporter

MARKERS = ("{{", "{%", "{#")
"""What Jinja's tags begin with."""


class _Lines(Reporter):
    """Collects what pyflakes finds."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def flake(self, message: Any) -> None:
        text = message.message % message.message_args
        self.lines.append(f"{message.filename}:{message.lineno}: {text}")

    def unexpectedError(self, filename: str, msg: str) -> None:
        self.lines.append(f"{filename}: {msg}")

    def syntaxError(self, *_: Any) -> None:
        """Leave it to `ast.parse`, which comes first."""


def _check_python(name: str, text: str) -> list[str]:
    """Return what is wrong with a Python file: syntax, formatting, unused names."""
    try:
        ast.parse(text, name)
    except SyntaxError as error:
        return [f"{name}:{error.lineno}: {error.msg}"]
    problems = []
    try:
        black.format_file_contents(text, fast=False, mode=black.Mode())
        problems.append(f"{name}: black would reformat it")
    except black.NothingChanged:
        pass
    reporter = _Lines()
    find_flakes(text, name, reporter)
    return problems + reporter.lines


def check(
    project: Path | str, skip: Sequence[str] = ("runs", ".git", "data")
) -> list[str]:
    """Return what is wrong with a rendered project, a line each; nothing if all is well.

    Python files must compile, be as black writes them and have no unused names, and no text
    file may hold a tag of the template's language.
    """
    project = Path(project)
    problems = []
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if not path.is_file() or path.relative_to(project).parts[0] in skip:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text
        problems += [
            f"{name}:{number}: left over from the template: {line.strip()}"
            for number, line in enumerate(text.splitlines(), start=1)
            if any(marker in line for marker in MARKERS)
        ]
        if path.suffix == ".py":
            problems += _check_python(name, text)
    return problems
