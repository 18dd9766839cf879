"""The answer sets that the template's conditions allow, as rows to enumerate and to cover."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any

from . import ROOT
from .conditions import Conditions, Unasked
from .questions import asked

NUMBERS: Mapping[str, tuple[int, ...]] = {"num_tasks": (1, 2, 3)}
"""The values to try of questions that have no choices."""

Pair = frozenset[tuple[str, Any]]
"""Two answers to two questions."""

Row = Mapping[str, Any]
"""A value for each parameter: None where the question is not asked."""


def parameters(root: Path = ROOT) -> dict[str, tuple[Any, ...]]:
    """Return the values to try of each question that has choices or stands in NUMBERS."""
    values = {
        name: q.values or NUMBERS.get(name, ()) for name, q in asked(root).items()
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

    def rows(
        self, names: list[str], options: Callable[[Row, str], Iterable[Any]]
    ) -> Iterator[Row]:
        """Yield every allowed row over `names`, which are in the order of asking.

        Each row is extended by the values that `options` returns for it and the next name.
        """

        def extend(row: Row, rest: list[str]) -> Iterator[Row]:
            if not rest:
                yield row
                return
            for value in options(row, rest[0]):
                longer = {**row, rest[0]: value}
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

    def pairs(self) -> set[Pair]:
        """Return every pair of answers that some allowed row holds."""
        found: set[Pair] = set()
        seen: list[set[tuple[str, Any]]] = []
        for names in self.groups():
            rows = list(self.rows(names, lambda _, name: self.values[name]))
            found.update(*map(pairs_of, rows))
            answers = {answer for row in rows for answer in row.items()}
            seen.append({(name, value) for name, value in answers if value is not None})
        for one, other in combinations(seen, 2):
            found |= {frozenset(pair) for pair in product(one, other)}
        return found

    def row_with(self, seed: Pair, wanted: set[Pair]) -> Row:
        """Return an allowed row that holds `seed`, and many of the `wanted` pairs beside it.

        One value after the other is chosen, by what it adds: not the best row, but a good one.
        """
        fixed = dict(seed)
        weight = Counter(answer for pair in wanted for answer in pair)

        def options(row: Row, name: str) -> list[Any]:
            if name in fixed:
                return [fixed[name]]

            def gain(value: Any) -> tuple[int, int]:
                answer = (name, value)
                others = {**fixed, **row}.items()
                new = sum(frozenset({answer, other}) in wanted for other in others)
                return new, weight[answer]

            return sorted(self.values[name], key=gain, reverse=True)

        return next(self.rows(self.names, options))
