"""Sets of answers to test with: a pairwise cover, and every single change of the defaults."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

from allpairspy import AllPairs

from . import ROOT
from .conditions import Conditions, Unasked
from .questions import asked
from .render import Refused, ask

NUMBERS: Mapping[str, tuple[int, ...]] = {"num_tasks": (1, 2, 3)}
"""The values to try of questions that have no choices."""

Pair = frozenset[tuple[str, Any]]
"""Two answers to two questions."""


@dataclass(frozen=True)
class Case:
    """Answers to render, under a short name."""

    id: str
    answers: dict[str, Any] = field(hash=False)


def parameters(root: Path = ROOT) -> dict[str, tuple[Any, ...]]:
    """Return the values to try of each question that has choices or stands in NUMBERS."""
    values = {
        name: q.values or NUMBERS.get(name, ()) for name, q in asked(root).items()
    }
    return {name: options for name, options in values.items() if options}


def valid(answers: Mapping[str, Any], root: Path = ROOT) -> bool:
    """Return whether Copier itself accepts the answers and asks for each of them."""
    try:
        return set(answers) <= set(ask(answers, root))
    except Refused:
        return False


class _Space:
    """The answer sets that the template's conditions allow, as rows with one value a parameter.

    The value of a question that is not asked is None.
    """

    def __init__(self, root: Path) -> None:
        self.conditions = Conditions(root)
        questions = asked(root)
        self.values = {
            name: options if questions[name].when is True else (*options, None)
            for name, options in parameters(root).items()
        }
        self.names = list(self.values)
        self.needs = {
            name: self.conditions.depends_on(name) & set(self.names)
            for name in self.conditions.questions
        }

    def allows(self, row: Mapping[str, Any]) -> bool:
        """Return whether the questions that the row decides are asked and answered as it says.

        A question beside the parameters counts as soon as all that it depends on is decided.
        """
        context: dict[str, Any] = {}
        for name in self.conditions.questions:
            if (name in self.values and name not in row) or self.needs[name] - set(row):
                continue
            try:
                is_asked, value, reason = self.conditions.answer(
                    name, row.get(name), context
                )
            except Unasked:
                return False
            if reason or (name in row and is_asked != (row[name] is not None)):
                return False
            context[name] = value
        return True

    def rows(
        self, names: Sequence[str], chosen: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield every allowed row over `names`, which are in the order of asking."""

        def extend(
            row: dict[str, Any], rest: Sequence[str]
        ) -> Iterator[dict[str, Any]]:
            if not rest:
                yield row
                return
            name = rest[0]
            for value in (chosen[name],) if name in chosen else self.values[name]:
                longer = {**row, name: value}
                if self.allows(longer):
                    yield from extend(longer, rest[1:])

        yield from extend({}, names)

    def groups(self) -> list[list[str]]:
        """Split the parameters into groups that no condition or validator connects."""
        group = {name: {name} for name in self.names}
        for name, question in self.conditions.questions.items():
            choices = any(choice.validator for choice in question.choices)
            if question.when is True and not question.validator and not choices:
                continue  # refuses nothing: a default alone connects no answers
            linked = self.needs[name] | ({name} & set(self.names))
            merged = set().union(*(group[other] for other in linked))
            group.update({other: merged for other in merged})
        unique = {id(names): names for names in group.values()}
        return [sorted(names, key=self.names.index) for names in unique.values()]


@cache
def _space(root: Path) -> _Space:
    return _Space(root)


def _pairs_of(row: Mapping[str, Any]) -> set[Pair]:
    answers = [(name, value) for name, value in row.items() if value is not None]
    return {frozenset(pair) for pair in combinations(answers, 2)}


@cache
def pairs(root: Path = ROOT) -> frozenset[Pair]:
    """Return every pair of answers that some allowed answer set holds."""
    space = _space(root)
    found: set[Pair] = set()
    seen: list[set[tuple[str, Any]]] = []
    for names in space.groups():
        rows = list(space.rows(names, {}))
        found.update(*map(_pairs_of, rows))
        answers = {answer for row in rows for answer in row.items()}
        seen.append({(name, value) for name, value in answers if value is not None})
    for one, other in combinations(seen, 2):
        found |= {frozenset(pair) for pair in product(one, other)}
    return frozenset(found)


def pairwise(root: Path = ROOT) -> list[Case]:
    """Return answer sets that together hold every pair of `pairs`."""
    space = _space(root)
    rows = [
        dict(zip(space.names, row))
        for row in AllPairs(
            list(space.values.values()),
            filter_func=lambda row: space.allows(dict(zip(space.names, row))),
        )
    ]
    missing = set(pairs(root)).difference(*map(_pairs_of, rows))
    while missing:  # allpairspy gives a pair up when its first tries are not allowed
        row = next(space.rows(space.names, dict(min(missing, key=sorted))))
        missing -= _pairs_of(row)
        rows.append(row)
    defaults = space.conditions.complete({})[0]
    cases = []
    for number, row in enumerate(rows, start=1):
        answers = {name: value for name, value in row.items() if value is not None}
        marks = [
            _mark(*item) for item in answers.items() if defaults.get(item[0]) != item[1]
        ]
        cases.append(Case("-".join([f"p{number:02d}", *marks[:4]]), answers))
    return cases


def flips(root: Path = ROOT) -> list[Case]:
    """Return the defaults with each single answer changed to each other value.

    Where the defaults refuse the changed answer or do not ask for it, the fewest other answers
    that it needs are changed with it.
    """
    space = _space(root)
    defaults = space.conditions.complete({})[0]
    cases = [Case("defaults", {})]
    for name, options in parameters(root).items():
        for value in options:
            if defaults.get(name) == value:
                continue
            answers = _fewest(space, {name: value})
            id_ = "+".join(_mark(*item) for item in answers.items())
            if answers and answers not in [case.answers for case in cases]:
                cases.append(Case(id_, answers))
    return cases


def _fewest(space: _Space, answers: dict[str, Any]) -> dict[str, Any]:
    """Return the answers, with the fewest others that make them allowed; nothing if none do."""
    others = [name for name in space.names if name not in answers]
    for size in range(4):
        for names in combinations(others, size):
            for values in product(
                *(space.conditions.questions[n].values for n in names)
            ):
                candidate = {**answers, **dict(zip(names, values))}
                if space.conditions.allow(candidate):
                    return candidate
    return {}


def _mark(name: str, value: Any) -> str:
    """Return a short name for an answer."""
    if isinstance(value, bool):
        return name if value else f"no_{name}"
    return (
        f"{name}_{value}"
        if str(value) in ("none", "auto", "step")
        else f"{value}" if isinstance(value, str) else f"{name}_{value}"
    )
