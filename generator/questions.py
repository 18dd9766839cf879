"""The questions of the template, read from `copier.yml` and the files that it includes.

This is the one place from which documents, tables and the test matrix learn what can be asked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from . import ROOT


class Refused(ValueError):
    """Answers, or a folder, that cannot be used; the message is one line that says why."""


@dataclass(frozen=True)
class Choice:
    """One answer that can be chosen; `validator` is Jinja that renders the reason against it."""

    value: Any
    label: str
    validator: str = ""


@dataclass(frozen=True)
class Question:
    """A question as `copier.yml` states it: `default`, `when` and `validator` may be Jinja.

    A computed question (`when: false`) is never asked; templates read its value.
    """

    name: str
    type: str
    help: str = ""
    default: Any = None
    choices: tuple[Choice, ...] = ()
    validator: str = ""
    when: str | bool = True
    multiselect: bool = False

    @property
    def computed(self) -> bool:
        """Whether the value follows from other answers and is never asked for."""
        return self.when is False

    @property
    def values(self) -> tuple[Any, ...]:
        """The answers that there are: of a choice or a yes/no question, else none."""
        if self.type == "bool" and not self.choices:
            return (False, True)
        return tuple(choice.value for choice in self.choices)


class _Loader(yaml.SafeLoader):
    """Reads `!include` as the path that it names."""


_Loader.add_constructor("!include", lambda loader, node: Path(node.value))


def _documents(path: Path, root: Path) -> Iterator[dict[str, Any]]:
    """Yield the mappings of a file, with those of included files in their places."""
    for document in yaml.load_all(path.read_text(encoding="utf-8"), _Loader):
        if isinstance(document, Path):
            yield from _documents(root / document, root)
        elif document:
            yield document


def load_raw(root: Path = ROOT) -> dict[str, Any]:
    """Return the settings (names with a leading underscore) and questions as written.

    Raises:
        Refused: there is no template at `root`.
    """
    path = root / "copier.yml"
    if not path.is_file():
        raise Refused(
            f"no template at {root}: install mindstep from a checkout (pip install -e .), "
            "or name a template with mindstep new --template"
        )
    raw: dict[str, Any] = {}
    for document in _documents(path, root):
        raw.update(document)
    return raw


def _choices(raw: Any) -> tuple[Choice, ...]:
    items = raw.items() if isinstance(raw, dict) else ((value, value) for value in raw)
    choices = []
    for label, value in items:
        if isinstance(value, dict):
            choice = Choice(value["value"], str(label), value.get("validator", ""))
        else:
            choice = Choice(value, str(label))
        choices.append(choice)
    return tuple(choices)


@cache
def load(root: Path = ROOT) -> Mapping[str, Question]:
    """Return the questions of the template at `root` by name, in the order of asking."""
    questions = {}
    for name, raw in load_raw(root).items():
        if name.startswith("_"):
            continue
        details = dict(raw) if isinstance(raw, dict) else {"default": raw}
        questions[name] = Question(
            name=name,
            type=details.get("type", "yaml"),
            help=" ".join(details.get("help", "").split()),
            default=details.get("default"),
            choices=_choices(details.get("choices", ())),
            validator=details.get("validator", ""),
            when=details.get("when", True),
            multiselect=details.get("multiselect", False),
        )
    return questions


def spread(questions: Mapping[str, Question]) -> dict[str, Question]:
    """Return the questions with a yes-or-no one for each choice where several may be taken.

    Such a one is named `question.choice`, and its Yes has the validator of the choice. Those
    that the question's own validator names in quotes keep that as well.
    """
    found: dict[str, Question] = {}
    for name, question in questions.items():
        if not question.multiselect:
            found[name] = question
            continue
        for choice in question.choices:
            yes_or_no = (Choice(False, "no"), Choice(True, "yes", choice.validator))
            part = f"{name}.{choice.value}"
            found[part] = replace(
                question,
                name=part,
                type="bool",
                default=choice.value in question.default,
                choices=yes_or_no,
                multiselect=False,
                validator=(
                    question.validator
                    if f"'{choice.value}'" in question.validator
                    else ""
                ),
            )
    return found


def spread_answers(answers: Mapping[str, Any], root: Path = ROOT) -> dict[str, Any]:
    """Return the answers to the questions of `spread`."""
    found: dict[str, Any] = {}
    for name, value in answers.items():
        question = load(root).get(name)
        if question and question.multiselect:
            found |= {f"{name}.{one}": one in value for one in question.values}
        else:
            found[name] = value
    return found


def gather_answers(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return answers to the questions of `spread` as Copier takes them."""
    found: dict[str, Any] = {}
    for name, value in answers.items():
        question, _, choice = name.partition(".")
        if not choice:
            found[name] = value
        elif value is not None:
            found.setdefault(question, []).extend([choice] if value else [])
    return found


def asked(root: Path = ROOT) -> dict[str, Question]:
    """Return the questions that can be asked: all but the computed ones."""
    return {name: q for name, q in load(root).items() if not q.computed}


def check(answers: Mapping[str, Any], root: Path = ROOT) -> None:
    """Refuse what Copier would take without a word, or with words that name no question.

    That is: an unknown name, the name of a computed question, a value of another type. Whether
    a value is allowed is Copier's to say.

    Raises:
        Refused: with the reason, and the nearest question to a name that is unknown.
    """
    known = asked(root)
    for name, value in answers.items():
        if name in known:
            kind = "yaml" if known[name].multiselect else known[name].type
            problem = _type_problem(kind, value)
            if problem:
                raise Refused(f"{name}: {problem}")
        elif name in load(root):
            raise Refused(f"{name} follows from other answers and cannot be given")
        else:
            near = get_close_matches(str(name), known, n=1)
            hint = f": did you mean {near[0]!r}?" if near else ""
            raise Refused(
                f"unknown question {name!r}{hint} (mindstep options lists them)"
            )


def _type_problem(kind: str, value: Any) -> str:
    """Return what is wrong with a value for a question of this type, or nothing."""
    text = isinstance(value, str)
    if kind == "int":
        if isinstance(value, bool) or not (text or isinstance(value, int)):
            return f"{value!r} is not a whole number"
        try:
            int(value)
        except ValueError:
            return f"{value!r} is not a whole number"
    elif kind == "bool":
        words = {
            "y",
            "yes",
            "t",
            "true",
            "on",
            "1",
            "n",
            "no",
            "f",
            "false",
            "off",
            "0",
        }
        if (text and value.strip().lower() not in words) or not (
            text or value in (0, 1)
        ):
            return f"{value!r} is neither yes nor no"
    elif kind == "str":
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            return f"{value!r} is not text"
    elif kind == "yaml" and text:
        try:
            yaml.safe_load(value)
        except yaml.YAMLError as error:
            return f"not valid YAML: {' '.join(str(error).split())}"
    return ""
