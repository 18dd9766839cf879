"""The document on how to add a model and an option is true: its steps are followed here."""

import re
import shutil

import pytest

from generator import ROOT
from generator.checks import check
from generator.render import render

TEXT = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCK = r"\n\n```\w+\n(.*?)```"


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A copy of the template, to which all that the document says is done."""
    root = tmp_path_factory.mktemp("template")
    shutil.copy(ROOT / "copier.yml", root)
    shutil.copytree(ROOT / "template", root / "template")
    additions = re.findall(
        rf"In `([^`]+)`, after{BLOCK}\n\nadd{BLOCK}", TEXT, re.DOTALL
    )
    for name, place, lines in additions:
        path = root / name
        before, found, after = path.read_text(encoding="utf-8").partition(place)
        assert found, f"{name} has no line {place}"
        path.write_text(before + place + lines + after, encoding="utf-8")
    files = re.findall(rf"Write `([^`]+)`:{BLOCK}", TEXT, re.DOTALL)
    for name, lines in files:
        (root / name).write_text(lines, encoding="utf-8")
    assert (len(additions), len(files)) == (3, 1)
    return root


@pytest.mark.parametrize("step", ["function", "cell"])
def test_what_the_document_adds_trains(step, template, tmp_path, worker):
    """The new model, with the new option and others, is clean and learns."""
    answers = {"model": "residual", "step": step, "techniques": ["describe", "ema"]}
    answers |= {"project_name": f"residual-{step}", "accumulation": step == "cell"}
    project = render(tmp_path / "project", answers, template)
    assert check(project) == []
    settings = ["--epochs=4", "--data.train_samples=1024"]
    result = worker.run("training:train", project, settings=settings)
    assert result["rows"][-1]["loss"] < 0.7 * result["constant"]
