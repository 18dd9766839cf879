"""Sets of answers to test with: a pairwise cover, and every single change of the defaults."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

from allpairspy import AllPairs

from . import ROOT
from .questions import Refused, gather_answers
from .render import ask
from .space import Pair, Row, Space, pairs_of, parameters

SEEDS = 20
"""Pairs to build a row around, of which the row that holds most new pairs is taken."""


@dataclass(frozen=True)
class Case:
    """Answers to render, under a short name."""

    id: str
    answers: Mapping[str, Any]


def valid(answers: Mapping[str, Any], root: Path = ROOT) -> bool:
    """Return whether Copier itself accepts the answers and asks for each of them."""
    try:
        return set(answers) <= set(ask(answers, root))
    except Refused:
        return False


@cache
def _space(root: Path) -> Space:
    return Space(root)


@cache
def pairs(root: Path = ROOT) -> frozenset[Pair]:
    """Return every pair of answers that some allowed answer set holds."""
    return frozenset(_space(root).pairs())


@cache
def pairwise(root: Path = ROOT) -> tuple[Case, ...]:
    """Return answer sets that together hold every pair of `pairs`.

    allpairspy never goes back on a value, so where conditions forbid what is left to choose it
    leaves a pair out; rows around such pairs follow.
    """
    space = _space(root)
    values = [list(space.values[name]) for name in space.names]
    found = AllPairs(
        values, filter_func=lambda row: space.allows(dict(zip(space.names, row)))
    )
    rows: list[Row] = [dict(zip(space.names, row)) for row in found]
    missing = set(pairs(root)).difference(*map(pairs_of, rows))
    while missing:
        weight = Counter(answer for pair in missing for answer in pair)
        heavy = sorted(
            missing,
            key=lambda pair: (-sum(weight[a] for a in pair), sorted(pair, key=str)),
        )
        candidates = [space.row_with(seed, missing) for seed in heavy[:SEEDS]]
        row = max(candidates, key=lambda row: len(pairs_of(row) & missing))
        missing -= pairs_of(row)
        rows.append(row)
    defaults = space.conditions.complete({})[0]
    cases = []
    for number, full_row in enumerate(rows, start=1):
        row = {name: value for name, value in full_row.items() if value is not None}
        changed = [answer for answer in row.items() if answer not in defaults.items()]
        marks = [_mark(*answer, root) for answer in changed]
        name = "-".join([f"{number:02d}", *marks[:4]])
        cases.append(Case(name, gather_answers(row)))
    return tuple(cases)


@cache
def flips(root: Path = ROOT) -> tuple[Case, ...]:
    """Return the defaults, and the defaults with each single answer changed to each other value.

    Where the defaults refuse the changed answer or do not ask for it, the fewest other answers
    that it needs are changed with it.
    """
    space = _space(root)
    defaults = space.conditions.complete({})[0]
    found: dict[frozenset, Case] = {frozenset(): Case("defaults", {})}
    for name, options in parameters(root).items():
        for value in options:
            if (name, value) in defaults.items():
                continue
            answers = _fewest(space, {name: value})
            marks = [_mark(*answer, root) for answer in answers.items()]
            case = Case("+".join(marks), gather_answers(answers))
            found.setdefault(frozenset(answers.items()), case)
    return tuple(found.values())


def _fewest(space: Space, answers: dict[str, Any]) -> dict[str, Any]:
    """Return the answers with the fewest others that make them allowed; none if there are none."""
    others = [name for name in space.names if name not in answers]
    for size in range(4):
        for names in combinations(others, size):
            for chosen in product(*(space.values[name] for name in names)):
                if None in chosen:
                    continue
                candidate = {**answers, **dict(zip(names, chosen))}
                if space.conditions.allow(candidate):
                    return candidate
    return {}


@cache
def _shared(root: Path) -> set[Any]:
    """Return the values that are answers to more than one question."""
    texts = Counter(
        str(v) for options in parameters(root).values() for v in set(options)
    )
    return {text for text, count in texts.items() if count > 1}


def _mark(name: str, value: Any, root: Path) -> str:
    """Return a short name for an answer: its value where no other question has that one."""
    name = name.rpartition(".")[2]
    if isinstance(value, bool):
        return name if value else f"no_{name}"
    if isinstance(value, str) and value not in _shared(root) | {"step", "auto"}:
        return value
    return f"{name}_{value}"
