"""Evaluates the template's own conditions and validators, fast, for the search of answer sets.

The rules are those of `copier.yml`: nothing is stated a second time here. Copier has the last
word (`matrix.valid`), but it parses and compiles the whole questionnaire each time, while a
search tries thousands of answer sets.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import yaml
from jinja2 import meta
from jinja2.sandbox import SandboxedEnvironment

from . import ROOT
from .questions import Question, load, load_raw, spread, spread_answers


class Unasked(ValueError):
    """An answer is given to a question that the other answers leave out."""


class Conditions:
    """The `when`, `default` and validators of a template's questions, compiled."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.questions = spread(load(root))
        options = dict(load_raw(root).get("_envops", {}))
        if options.pop("undefined", "").endswith("StrictUndefined"):
            options["undefined"] = jinja2.StrictUndefined
        extension = "jinja2_ansible_filters.AnsibleCoreFiltersExtension"
        loader = jinja2.FileSystemLoader(root)
        self.environment = SandboxedEnvironment(
            extensions=[extension], loader=loader, **options
        )
        self.reads = {name: self._read_by(q) for name, q in self.questions.items()}
        self._templates: dict[str, jinja2.Template] = {}
        self._known: dict[tuple, tuple[bool, Any, str]] = {}

    @staticmethod
    def _texts(question: Question) -> list[str]:
        texts = [question.when, question.default, question.validator]
        texts += [choice.validator for choice in question.choices]
        return [text for text in texts if isinstance(text, str)]

    def _read_by(self, question: Question) -> tuple[str, ...]:
        found: set[str] = set()
        waiting = self._texts(question)
        while waiting:
            tree = self.environment.parse(waiting.pop())
            found |= meta.find_undeclared_variables(tree) & set(self.questions)
            for name in meta.find_referenced_templates(tree):
                waiting.append(
                    self.environment.loader.get_source(self.environment, name)[0]
                )
        several = question.name.partition(".")[0]
        for (
            other
        ) in self.questions:  # choices before it that the validator names as well
            if other == question.name:
                break
            choice = other.removeprefix(f"{several}.")
            if choice != other and f"'{choice}'" in question.validator:
                found.add(other)
        return tuple(sorted(found - {question.name}))

    def depends_on(self, name: str) -> set[str]:
        """Return the questions that can matter to this one: those it reads, and so on."""
        found = {name}
        waiting = [name]
        while waiting:
            new = set(self.reads[waiting.pop()]) - found
            found |= new
            waiting += new
        return found - {name}

    def _render(self, value: Any, context: Mapping[str, Any]) -> Any:
        if not isinstance(value, str):
            return value
        if value not in self._templates:
            self._templates[value] = self.environment.from_string(value)
        return self._templates[value].render(**context)

    def _evaluate(
        self, question: Question, given: Any, context: Mapping[str, Any]
    ) -> tuple[bool, Any, str]:
        when = self._render(question.when, context)
        asked = _truth(when)
        if not asked and given is not None:
            raise Unasked(f"{question.name} is not asked with these answers")
        value = self._render(question.default, context) if given is None else given
        value = _cast(question.type, value)
        if not asked:
            return False, value, ""
        reason = ""
        for choice in question.choices:
            if choice.value == value:
                reason = self._render(choice.validator, context).strip()
                break
        else:
            if question.choices:
                return True, value, f"{value!r} is not a choice"
        context = {**context, question.name: value}
        several, _, choice_name = question.name.partition(".")
        if choice_name:  # one of the choices of a question that takes several
            taken = [name for name in context if context[name] is True]
            context[several] = [
                name.removeprefix(f"{several}.")
                for name in taken
                if name.startswith(f"{several}.")
            ]
        return True, value, reason or self._render(question.validator, context).strip()

    def answer(
        self, name: str, given: Any, context: Mapping[str, Any]
    ) -> tuple[bool, Any, str]:
        """Take one answer, or None for the default, after those in `context`.

        Return whether the question is asked, the value, and the reason against it or nothing.

        Raises:
            Unasked: an answer is given though the question is not asked.
        """
        read = [repr(context.get(other)) for other in self.reads[name]]
        key = (name, repr(given), *read)
        if key not in self._known:
            self._known[key] = self._evaluate(self.questions[name], given, context)
        return self._known[key]

    def complete(self, answers: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """Take the answers in the order of asking, with defaults for those that are missing.

        Return the answers that are asked for, defaults included and spread out, and the first
        reason against one, or nothing.

        Raises:
            Unasked: an answer is given to a question that is not asked.
        """
        answers = spread_answers(answers, self.root)
        context: dict[str, Any] = {}
        taken: dict[str, Any] = {}
        for name in self.questions:
            asked, value, reason = self.answer(name, answers.get(name), context)
            context[name] = value
            if asked:
                taken[name] = value
            if reason:
                return taken, f"{name}: {reason}"
        return taken, ""

    def allow(self, answers: Mapping[str, Any]) -> bool:
        """Return whether every answer is asked for and none is refused."""
        try:
            return not self.complete(answers)[1]
        except Unasked:
            return False


def _truth(value: Any) -> bool:
    """Return what Copier makes of a rendered condition."""
    if isinstance(value, str):
        loaded = yaml.safe_load(value.strip() or "false")
        return loaded if isinstance(loaded, bool) else bool(loaded)
    return bool(value)


def _cast(kind: str, value: Any) -> Any:
    """Return the value of a question of this type from a rendered default."""
    if not isinstance(value, str) or kind == "str":
        return value
    if kind in ("int", "float"):
        return {"int": int, "float": float}[kind](value)
    return _truth(value) if kind == "bool" else yaml.safe_load(value)
