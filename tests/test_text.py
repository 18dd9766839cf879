"""Free text and names from hostile hands: refused with a reason, or rendered as they are."""

import ast
import keyword
import os
import re
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.checks import check
from generator.questions import Refused
from generator.render import ask, render

EXAMPLES = int(os.environ.get("MINDSTEP_TEXT_EXAMPLES", "30"))
"""Texts to try: 30 in a few seconds; 1000 is for a nightly run."""

PIECES = [
    *(
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\n",
        "\n",
        "\r",
        "\t",
        "\x00",
        "\x1b",
        "\x85",
        "\u2028",
    ),
    *(
        "{{ 7 * 7 }}",
        "{%",
        "%}",
        "{#",
        "#}",
        "}}",
        "${HOME}",
        "$(id)",
        "`id`",
        "%s",
        "{0}",
    ),
    *(
        "#",
        ": ",
        "- ",
        "---",
        "...",
        "&a",
        "*a",
        "!!python/none",
        "|",
        ">",
        "~",
        "null",
        "yes",
    ),
    *(
        "]",
        "[x](y)",
        "<b>",
        "-->",
        "__",
        "1e5",
        "0x10",
        "2026-01-01",
        "训练神经网络",
        "🎯",
        "é",
    ),
    *(
        "\u202e",
        "\ufeff",
        "'; drop",
        " ",
        "  ",
        "a",
        "Ω",
        "\u0301",
        "-r",
        "=",
        "@",
        ",",
        "\ud7ff",
    ),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(max_size=60),
)
NAMES = st.one_of(
    st.from_regex(r"[a-z][a-z0-9-]{0,39}", fullmatch=True),
    st.sampled_from(sorted(sys.stdlib_module_names) + keyword.kwlist),
    st.text("abAB019-_./ é\n", max_size=45),
)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def assert_refused_for(answers: dict, error: Refused) -> None:
    """The refusal is one line, and one of the answers gave a reason for it."""
    reason = str(error)
    assert reason and "\n" not in reason
    name = answers["project_name"]
    good = re.fullmatch(r"[a-z][a-z0-9-]{0,39}", name)
    if reason.startswith("project_name: ") and good:
        assert "take another name" in reason
    elif good:
        texts = (answers["description"], answers["author_name"])
        assert any(CONTROL.search(text) for text in texts), (reason, answers)


def assert_renders(folder: Path, answers: dict) -> None:
    """Every file is what its suffix says, and the texts come back as they were given."""
    assert unclean(folder, answers) == []
    package = answers["project_name"].replace("-", "_")
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == answers["project_name"]
    assert project["description"] == " ".join(answers["description"].split())
    names = [author["name"] for author in project.get("authors", [])]
    assert names == [answers["author_name"]][: len(names)]
    assert bool(names) == bool(answers["author_name"])
    recorded = yaml.safe_load((folder / ".copier-answers.yml").read_text("utf-8"))
    for name, value in answers.items():
        assert recorded[name] == value
    for path in folder.rglob("*.py"):
        ast.parse(path.read_text("utf-8"))
    assert yaml.safe_load((folder / "configs" / "train.yaml").read_text("utf-8"))
    assert (folder / package / "network.py").is_file()


def unclean(folder: Path, answers: dict) -> list[str]:
    """Return the problems of a project, but for tags of Jinja in the texts themselves."""
    given = answers["description"] + answers["author_name"]
    problems = check(folder)
    if any(marker in given for marker in ("{{", "{%", "{#")):
        problems = [line for line in problems if "left over" not in line]
    return problems


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=EXAMPLES <= 30,
)
@given(description=TEXTS, author=TEXTS, name=NAMES)
def test_any_text(description, author, name):
    """Whatever is typed is refused for a reason, or rendered and read back unchanged."""
    answers = {
        "project_name": name,
        "description": description,
        "author_name": author,
    }
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        try:
            render(folder, answers)
        except Refused as error:
            assert_refused_for(answers, error)
            assert not folder.exists()
        else:
            assert_renders(folder, answers)


@pytest.mark.parametrize("piece", PIECES)
def test_each_hostile_piece(piece, tmp_path):
    """Each piece by itself in the description comes back, or is refused as a control."""
    answers = {"project_name": "a", "description": piece, "author_name": "A"}
    try:
        folder = render(tmp_path / "project", answers)
    except Refused as error:
        assert "control character" in str(error)
        assert CONTROL.search(piece)
    else:
        assert_renders(folder, answers)


def test_longest_name_renders_clean_everywhere(tmp_path):
    """The longest project name that is allowed changes no line's wrapping."""
    name = "a" * 40
    for number, answers in enumerate(
        [
            {"num_tasks": 2, "accumulation": True, "lr_schedule": "cosine"},
            {"step": "cell", "amp_level": "O2", "parallel": "data_parallel"},
            {"model": "cnn", "data": "files", "grad_clip": "norm"},
        ]
    ):
        folder = render(tmp_path / str(number), {"project_name": name, **answers})
        assert check(folder) == []


@pytest.mark.parametrize(
    "name", [*keyword.kwlist, "numpy", "mindspore", "tests", "data"]
)
def test_names_that_would_break_imports_are_refused(name):
    """A keyword, or the name of a module that the project needs, is refused."""
    with pytest.raises(Refused, match="project_name"):
        ask({"project_name": name})


def test_modules_of_the_standard_library_are_refused():
    """No package can hide a module of the standard library."""
    public = [n for n in sys.stdlib_module_names if re.fullmatch(r"[a-z][a-z0-9_]*", n)]
    for name in sorted(public)[::15]:  # a refusal takes 50 ms
        with pytest.raises(Refused, match="project_name"):
            ask({"project_name": name.replace("_", "-")})


@pytest.mark.parametrize("name", ["a" * 16, "t", "x_1"])
@pytest.mark.parametrize("kind", ["regression", "classification"])
def test_names_of_tasks_keep_the_code_clean(name, kind, tmp_path):
    """The longest and the shortest names of tasks are black-clean in both styles."""
    other = {"name": "other", "kind": "regression", "outputs": 3}
    one = {"name": name, "kind": kind, "outputs": 12, "weight": 0.25, "interval": 2}
    tasks = [one, other]
    for step in ("function", "cell"):
        answers = {"num_tasks": 2, "tasks": tasks, "step": step}
        for data in ("synthetic", "files"):
            folder = tmp_path / f"{step}-{data}"
            assert check(render(folder, {**answers, "data": data})) == []


@pytest.mark.parametrize("weight", [1e-9, 1e6, 1 / 3, 2])
def test_weights_of_tasks_come_out_as_numbers(weight, tmp_path):
    """A weight of any size is a number in configs/train.yaml."""
    tasks = [{"name": "a", "kind": "regression", "weight": weight}]
    tasks.append({"name": "b", "kind": "regression"})
    folder = render(tmp_path / "project", {"num_tasks": 2, "tasks": tasks})
    config = yaml.safe_load((folder / "configs" / "train.yaml").read_text("utf-8"))
    weights = {name: float(value) for name, value in config["task_weights"].items()}
    assert weights == {"a": pytest.approx(weight), "b": 1.0}
