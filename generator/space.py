"""The answer sets that the template's conditions allow, as rows to enumerate and to cover."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from . import ROOT
from .conditions import Conditions, Unasked
from .questions import asked, spread

NUMBERS: Mapping[str, tuple[int, ...]] = {"num_tasks": (1, 2, 3)}
"""The values to try of questions that have no choices."""

Pair = frozenset[tuple[str, Any]]
"""Two answers to two questions."""

Row = Mapping[str, Any]
"""A value for each parameter: None where the question is not asked."""


def parameters(root: Path = ROOT) -> dict[str, tuple[Any, ...]]:
    """Return the values to try of each question that has choices or stands in NUMBERS."""
    values = {
        name: q.values or NUMBERS.get(name, ())
        for name, q in spread(asked(root)).items()
    }
    return {name: options for name, options in values.items() if options}


def pairs_of(row: Row) -> set[Pair]:
    """Return the pairs of answers that a row holds."""
    answers = [(name, value) for name, value in row.items() if value is not None]
    return {frozenset(pair) for pair in combinations(answers, 2)}


class Space:
    """The parameters of a template, and which rows over them its conditions allow."""

    def __init__(self, root: Path) -> None:
        self.conditions = Conditions(root)
        questions = self.conditions.questions
        self.values = {
            name: options if questions[name].when is True else (*options, None)
            for name, options in parameters(root).items()
        }
        self.names = list(self.values)
        self.needs = {
            name: self.conditions.depends_on(name) & set(self.names)
            for name in self.conditions.questions
        }
        self.parts = [self.rows(names) for names in self.groups()]

    def allows(self, row: Row) -> bool:
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

    def rows(self, names: Sequence[str], row: Row = MappingProxyType({})) -> list[Row]:
        """Return every allowed row over `names`, in the order of asking, that begins with `row`."""
        if not names:
            return [row]
        longer = ({**row, names[0]: value} for value in self.values[names[0]])
        allowed = [start for start in longer if self.allows(start)]
        return [full for start in allowed for full in self.rows(names[1:], start)]

    def groups(self) -> list[list[str]]:
        """Split the parameters into groups that no condition or validator connects."""
        group = {name: {name} for name in self.names}
        for name, question in self.conditions.questions.items():
            refuses = question.validator or any(c.validator for c in question.choices)
            if question.computed or (question.when is True and not refuses):
                continue  # a default or a computed value alone connects no answers
            linked = self.needs[name] | ({name} & set(self.names))
            merged = set().union(*(group[other] for other in linked))
            group.update({other: merged for other in merged})
        unique = {id(names): names for names in group.values()}
        return [sorted(names, key=self.names.index) for names in unique.values()]

    def pairs(self) -> set[Pair]:
        """Return every pair of answers that some allowed row holds."""
        found: set[Pair] = set()
        seen: list[set[tuple[str, Any]]] = []
        for rows in self.parts:
            found.update(*map(pairs_of, rows))
            answers = {answer for row in rows for answer in row.items()}
            seen.append({(name, value) for name, value in answers if value is not None})
        for one, other in combinations(seen, 2):
            found |= {frozenset(pair) for pair in product(one, other)}
        return found

    def row_with(self, seed: Pair, wanted: set[Pair]) -> Row:
        """Return an allowed row that holds `seed`, and many of the `wanted` pairs beside it.

        One group after the other is chosen, by what it adds: not the best row, but a good one.
        """
        fixed = dict(seed)
        weight = Counter(answer for pair in wanted for answer in pair)

        def gain(part: Row) -> tuple[int, int]:
            others = {**fixed, **part}.items()
            pairs = {frozenset({a, b}) for a in part.items() for b in others if a != b}
            return len(pairs & wanted), sum(weight[answer] for answer in part.items())

        for rows in self.parts:
            fits = (
                part
                for part in rows
                if all(fixed.get(name, value) == value for name, value in part.items())
            )
            fixed |= max(fits, key=gain)
        return {name: fixed[name] for name in self.names}
