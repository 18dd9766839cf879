"""The option space as the generator reads it, against Copier's own answers."""

import random
from itertools import combinations, product

import pytest

from generator import matrix
from generator.conditions import Conditions
from generator.questions import (
    Refused,
    asked,
    check,
    gather_answers,
    spread,
    spread_answers,
)
from generator.render import ask
from generator.space import parameters


def test_defaults_are_copiers_own():
    taken, reason = Conditions().complete({})
    assert not reason
    assert gather_answers(taken) == ask({})


def test_every_choice_has_its_default_among_its_values():
    for question in spread(asked()).values():
        if question.choices and "{" not in str(question.default):
            assert question.default in question.values, question.name


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"modle": "cnn"}, "did you mean 'model'"),
        ({"package": "x"}, "package follows from other answers"),
        ({"num_tasks": "two"}, "num_tasks: 'two' is not a whole number"),
        ({"num_tasks": 2.5}, "num_tasks: 2.5 is not a whole number"),
        ({"num_tasks": True}, "num_tasks: True is not a whole number"),
        ({"accumulation": "perhaps"}, "neither yes nor no"),
        ({"author_name": None}, "author_name: None is not text"),
        ({"tasks": "[a"}, "tasks: not valid YAML"),
    ],
)
def test_refuses_what_copier_would_take_or_not_explain(answers, words):
    with pytest.raises(Refused, match=".") as refusal:
        check(answers)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_pairwise_holds_every_allowed_pair_and_nothing_else():
    held = set()
    for case in matrix.pairwise():
        held |= {
            frozenset(pair)
            for pair in combinations(spread_answers(case.answers).items(), 2)
        }
    assert held == matrix.pairs()


def left_out_pairs() -> list[frozenset]:
    """Return the pairs of answers that no case of the matrix holds, in a fixed order."""
    space = parameters()
    every = {
        frozenset({(one, a), (other, b)})
        for one, other in combinations(space, 2)
        for a in space[one]
        for b in space[other]
    }
    return sorted(every - matrix.pairs(), key=lambda pair: sorted(pair, key=str))


def test_pairs_that_are_left_out_are_refused_by_copier():
    """Tries each pair in random contexts of the other answers, with Copier as the judge."""
    left_out = left_out_pairs()
    assert left_out
    draw = random.Random(0)
    questions = Conditions().questions
    for pair, _ in product(left_out, range(2)):
        context = {
            name: draw.choice(values)
            for name, values in parameters().items()
            if questions[name].when
            is True  # an answer not asked for would be refused too
        }
        answers = gather_answers({**context, **dict(pair)})
        assert not matrix.valid(answers), pair


def test_pairs_that_are_left_out_need_more_than_two_other_answers():
    """No two answers to questions that rules read make a pair that is left out allowed."""
    rules = Conditions()
    space = parameters()
    read = set().union(*(rules.depends_on(name) for name in rules.questions))
    answers = [(name, value) for name in space if name in read for value in space[name]]
    contexts = [{}, *({name: value} for name, value in answers)]
    contexts += [
        dict(two) for two in combinations(answers, 2) if two[0][0] != two[1][0]
    ]
    for pair in left_out_pairs():
        taken = dict(pair)
        for context in contexts:
            if not context.keys() & taken.keys():
                assert not rules.allow({**context, **taken}), (pair, context)


def test_conditions_judge_as_copier_does():
    space = parameters()
    draw = random.Random(1)
    conditions = Conditions()
    judged = set()
    for _ in range(25):
        names = draw.sample(sorted(space), k=4)
        answers = gather_answers({name: draw.choice(space[name]) for name in names})
        expected = matrix.valid(answers)
        assert conditions.allow(answers) == expected, answers
        judged.add(expected)
    assert judged == {True, False}


@pytest.mark.parametrize("case", matrix.pairwise(), ids=lambda case: case.id)
def test_copier_accepts_the_pairwise_cases(case):
    assert ask(case.answers).items() >= case.answers.items()


@pytest.mark.parametrize("case", matrix.flips(), ids=lambda case: case.id)
def test_copier_accepts_the_flips(case):
    assert ask(case.answers).items() >= case.answers.items()


def test_flips_change_every_answer_to_every_value():
    defaults, _ = Conditions().complete({})
    changed = {
        answer
        for case in matrix.flips()
        for answer in spread_answers(case.answers).items()
    }
    for name, options in parameters().items():
        for value in options:
            assert (name, value) in changed or defaults[name] == value


def test_names_of_cases_differ():
    for cases in (matrix.pairwise(), matrix.flips()):
        assert len({case.id for case in cases}) == len(cases)


@pytest.mark.parametrize("name", ["six", "dateutil", "typing-extensions", "cycler"])
def test_refuses_a_name_that_hides_what_a_project_imports(name):
    with pytest.raises(Refused, match="would hide the module"):
        ask({"project_name": name})


@pytest.mark.parametrize("name", ["yes", "off", "null", "class_path"])
def test_refuses_a_task_name_that_settings_read_otherwise(name):
    with pytest.raises(Refused, match="a meaning of its own"):
        ask({"tasks": [{"name": name, "kind": "regression"}]})


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"techniques": ["dropout", "recompute"]}, "leave out dropout or recompute"),
        (
            {"techniques": ["dropout"], "num_tasks": 2, "task_weighting": "pcgrad"},
            "dropout is not for pcgrad",
        ),
        ({"techniques": ["dropout"], "model": "linear"}, "not for this model"),
        ({"techniques": ["recompute"], "model": "pinn"}, "not for pinn"),
        ({"techniques": ["label_smoothing"]}, "where classes are told apart"),
        ({"techniques": ["layer_rates"], "model": "gan"}, "an optimizer each"),
        (
            {
                "num_tasks": 2,
                "task_weighting": "pcgrad",
                "tasks": [
                    {"name": "a", "kind": "regression", "interval": 2},
                    {"name": "b", "kind": "regression"},
                ],
            },
            "leave intervals out",
        ),
    ],
)
def test_refuses_techniques_that_cannot_meet(answers, words):
    with pytest.raises(Refused, match=words):
        ask(answers)
