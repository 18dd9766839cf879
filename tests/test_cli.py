"""The command: what it refuses, with which words and status, and what it leaves alone."""

import json
import os
import subprocess
import sys

import pytest
import yaml

from generator import ROOT, cli, questions
from generator.render import render


@pytest.fixture
def mindstep(tmp_path, monkeypatch, capfd):
    """Runs the command in an empty folder; returns status, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        return status, *capfd.readouterr()

    return run


def listing(folder):
    """Return the names and contents of all files of a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


PAUSING = "[{name: a, kind: regression}, {name: b, kind: regression, interval: 2}]"
TASK = "{name: price, kind: regression}"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["project_name="], "project_name: it is empty"),
        (["project_name=" + "a" * 41], "project_name: 41 characters are too many"),
        (["project_name=MyProject"], "project_name: use lower-case letters"),
        (["project_name=1st"], "project_name: use lower-case letters"),
        (["project_name=my-project\n"], "project_name: use lower-case letters"),
        (["project_name=class"], "project_name: class is a keyword"),
        (["project_name=mindspore"], "project_name: the package mindspore would hide"),
        (["project_name=train"], "project_name: the project holds a file or folder"),
        (["num_tasks=0"], "num_tasks: 0 is out of range"),
        (["num_tasks=9"], "num_tasks: 9 is out of range"),
        (["num_tasks=many"], "num_tasks: 'many' is not a whole number"),
        (["model=resnet"], "model: 'resnet' is not in"),
        (["modle=cnn"], "unknown question 'modle': did you mean 'model'?"),
        (["package=x"], "package follows from other answers"),
        (["tasks=price"], "tasks: a YAML list is needed"),
        (["tasks={name: price}"], "tasks: a YAML list is needed"),
        ([f"tasks=[{TASK}]", "num_tasks=2"], "tasks: 1 tasks are listed"),
        (["tasks=[price]"], "tasks: task 1: a mapping is needed"),
        (["tasks=[{name: price}]"], "tasks: task 1: name and kind are needed"),
        (["tasks=[{name: p, kind: sorting}]"], "tasks: task 1: the kind must be"),
        (["tasks=[{name: p, kind: regression, size: 1}]"], "unknown key size"),
        (
            [f"tasks={PAUSING}", "num_tasks=2", "task_weighting=uncertainty"],
            "task_weighting: a variance would move while its task pauses",
        ),
        ([f"tasks=[{TASK}, {TASK}]", "num_tasks=2"], "the name price stands twice"),
        (["tasks=[a"], "tasks: not valid YAML"),
        (
            ["tasks=[{name: p, kind: regression, interval: 0}]"],
            "whole number of updates from 1",
        ),
        (
            ["tasks=[{name: p, kind: regression, interval: 2}]"],
            "one task needs the interval 1",
        ),
        (["model"], "-d model: write question=answer"),
    ],
)
def test_new_refuses_an_answer_in_one_line_and_writes_nothing(
    mindstep, tmp_path, answers, reason
):
    arguments = [part for answer in answers for part in ("-d", answer)]
    status, out, err = mindstep("new", "project", *arguments)
    assert status == 2
    assert not out
    assert err.startswith("mindstep: error: ")
    assert reason in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("modle: cnn", "unknown question 'modle': did you mean 'model'?"),
        ("[cnn]", "must hold lines of the form question: answer"),
        ("model: [", "is not YAML"),
        ("num_tasks: 2.5", "num_tasks: 2.5 is not a whole number"),
        ("author_name:", "author_name: None is not text"),
    ],
)
def test_new_refuses_a_data_file(mindstep, tmp_path, text, reason):
    (tmp_path / "answers.yml").write_text(text)
    status, _, err = mindstep("new", "project", "--data-file", "answers.yml")
    assert status == 2
    assert reason in err
    assert err.count("\n") == 1
    assert not (tmp_path / "project").exists()


def test_new_leaves_a_folder_alone_that_is_not_empty(mindstep, tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "train.py").write_text("mine")
    before = listing(tmp_path)
    status, _, err = mindstep("new", "project")
    assert status == 2
    assert "project is not empty" in err
    assert listing(tmp_path) == before


def test_new_refuses_a_file_as_its_folder(mindstep, tmp_path):
    (tmp_path / "project").write_text("mine")
    assert mindstep("new", "project")[0] == 2
    assert (tmp_path / "project").read_text() == "mine"


def test_new_takes_answers_from_file_and_command_line(mindstep, tmp_path):
    (tmp_path / "answers.yml").write_text("_commit: abc\nmodel: cnn\nnum_tasks: 2\n")
    status, _, _ = mindstep(
        "new",
        "project",
        "--data-file",
        "answers.yml",
        "-d",
        "num_tasks=3",
        "-d",
        "accumulation=on",
    )
    assert status == 0
    stored = yaml.safe_load((tmp_path / "project" / ".copier-answers.yml").read_text())
    assert (stored["model"], stored["num_tasks"]) == ("cnn", 3)
    assert stored["accumulation"] is True
    assert stored["_src_path"] == str(ROOT)  # absolute: copier update runs elsewhere


def test_a_render_that_fails_leaves_nothing(tmp_path):
    template = tmp_path / "template"
    (template / "folder").mkdir(parents=True)
    (template / "copier.yml").write_text("name:\n  type: str\n  default: a\n")
    (template / "a.txt").write_text("first")
    (template / "folder" / "z.txt.jinja").write_text("{{ nothing.at.all }}")
    for there in (tmp_path / "new", tmp_path / "empty"):
        if there.name == "empty":
            there.mkdir()
        with pytest.raises(Exception, match="undefined"):
            render(there, {}, template)
    assert not (tmp_path / "new").exists()
    assert not list((tmp_path / "empty").iterdir())


def test_options_list_every_question_and_choice(mindstep):
    status, out, _ = mindstep("options")
    assert status == 0
    lines = out.splitlines()
    for question in questions.asked().values():
        assert any(line.startswith(f"{question.name} (") for line in lines)
        for choice in question.choices:
            assert str(choice.value) in out
    status, out, _ = mindstep("options", "--json")
    assert [entry["name"] for entry in json.loads(out)] == list(questions.asked())


@pytest.mark.parametrize(
    "arguments", [["frobnicate"], ["new"], ["options", "--yaml"], ["verify", "nowhere"]]
)
def test_bad_usage_is_one_line(mindstep, arguments):
    status, _, err = mindstep(*arguments)
    assert status == 2
    assert err.startswith("mindstep: error: ")
    assert err.count("\n") == 1


def test_a_training_that_fails_shows_its_last_lines(mindstep, tmp_path):
    (tmp_path / "project").mkdir()
    script = "print('step 1')\nraise SystemExit('out of data')\n"
    (tmp_path / "project" / "train.py").write_text(script)
    status, _, err = mindstep("verify", "project")
    assert status == 1
    assert err.startswith("mindstep: error: python train.py")
    assert "out of data" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["file/project", "a" * 300], ids=["in_file", "long"])
def test_folder_that_cannot_be(name, mindstep, tmp_path):
    (tmp_path / "file").touch()
    status, _, err = mindstep("new", name)
    assert status == 2
    assert "cannot" in err
    assert len(err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("answers", ["project_name: mine\n", "[", "\x00"])
def test_demo_replaces_only_a_demo(answers, mindstep, tmp_path):
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / ".copier-answers.yml").write_text(answers)
    before = listing(tmp_path)
    status, _, err = mindstep("demo")
    assert status == 2
    assert "demo is not empty" in err
    assert listing(tmp_path) == before


def test_without_a_template_the_command_says_so_in_one_line(tmp_path):
    """As if installed from a wheel: the package alone, with no copier.yml beside it."""
    (tmp_path / "generator").symlink_to(ROOT / "generator")
    code = (
        "import generator; from pathlib import Path; generator.ROOT = Path('.').resolve();"
        "from generator.__main__ import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "options"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.startswith("mindstep: error: no template at")
    assert result.stderr.count("\n") == 1
