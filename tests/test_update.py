"""`copier update` after an answer changes: the user's edits stay, and the rest is a fresh render."""

import subprocess
import sys
import warnings
from pathlib import Path

import copier
import pytest

from generator.render import snapshot
from generator.verify import run

EDIT = "        # Edited by the user.\n"
CHANGES = [
    {"accumulation": True},
    {"num_tasks": 2},
    {"step": "cell"},
    {"amp_level": "O2"},
    {"lr_schedule": "cosine", "grad_clip": "norm"},
    {"parallel": "data_parallel", "optimizer": "SGD"},
    {"accumulation": True, "num_tasks": 3, "step": "cell", "amp_level": "O1"},
]


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, under a name of its own."""
    who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"]
    command = ["git", *who, "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def commit_all(folder: Path, message: str) -> None:
    """Commit what a folder holds; make it a repository first."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    """A repository of the template as it stands, under the tag v1.0.0."""
    folder = tmp_path_factory.mktemp("template") / "repository"
    run(["cp", "-r", str(snapshot()), str(folder)], Path.cwd())
    commit_all(folder, "The template")
    git(folder, "tag", "v1.0.0")
    return folder


def copy(template: Path, folder: Path, answers: dict) -> Path:
    """Render a project from the repository."""
    copier.run_copy(str(template), folder, answers, defaults=True, quiet=True)
    return folder


def update(project: Path, answers: dict) -> None:
    """Change answers as `copier update --defaults --vcs-ref=:current:` does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copier.run_update(
            project,
            answers,
            defaults=True,
            overwrite=True,
            quiet=True,
            vcs_ref=copier.VcsRef.CURRENT,
        )


def edit(project: Path) -> None:
    """Add a layer to the network and noise to the inputs, as a user would."""
    places = {
        "network.py": (
            "        self.layers = nn.SequentialCell(layers)\n",
            EDIT + "        layers.append(nn.Tanh())\n",
        ),
        "data.py": (
            "    count = config.train_samples + config.eval_samples\n",
            "    # Another start of the random numbers.\n    rng.normal()\n",
        ),
    }
    for name, (place, added) in places.items():
        path = project / "my_project" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(place) == 1
        path.write_text(text.replace(place, added + place), encoding="utf-8")


def contents(project: Path) -> dict[str, str]:
    """Return the text of each file that git knows or would take."""
    listed = git(project, "ls-files", "-co", "--exclude-standard").splitlines()
    names = [name for name in listed if (project / name).exists()]
    return {name: (project / name).read_text(encoding="utf-8") for name in names}


@pytest.fixture
def edited(template, tmp_path) -> Path:
    """A project of the defaults, with an edit of the user's, committed."""
    project = copy(template, tmp_path / "project", {})
    commit_all(project, "As rendered")
    edit(project)
    commit_all(project, "Another layer, and noise")
    return project


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: "-".join(change))
def test_update_equals_a_fresh_render_with_the_edit(change, edited, template, tmp_path):
    """No conflict, no file left over, the edit in its place, and the project trains."""
    update(edited, change)
    fresh = copy(template, tmp_path / "fresh", change)
    edit(fresh)
    commit_all(fresh, "Fresh, and edited")
    found, expected = contents(edited), contents(fresh)
    assert found.keys() == expected.keys()
    for name in expected:
        assert found[name] == expected[name], name
    assert not any("<<<<<<<" in text for text in found.values())
    assert EDIT in found["my_project/network.py"]
    settings = ["--epochs=1", "--data.train_samples=64", "--data.eval_samples=32"]
    run([sys.executable, "train.py", *settings], edited, timeout=120)


def test_update_back_and_forth_changes_nothing(edited):
    """An answer that is changed and changed back leaves the project as it was."""
    before = contents(edited)
    for accumulation in (True, False):
        update(edited, {"accumulation": accumulation})
        commit_all(edited, f"accumulation {accumulation}")
    assert contents(edited) == before


def test_update_to_a_newer_template_keeps_answers_and_edit(edited, template, tmp_path):
    """A new version of the template comes in beside the user's edit."""
    newer = tmp_path / "newer"
    git(tmp_path, "clone", "-q", str(template), str(newer))
    config = newer / "template" / "project" / "train.py.jinja"
    config.write_text(
        config.read_text("utf-8").replace("Train the", "Train a"), "utf-8"
    )
    commit_all(newer, "A better word")
    git(newer, "tag", "v1.1.0")
    recorded = edited / ".copier-answers.yml"
    text = recorded.read_text("utf-8").replace(str(template), str(newer))
    recorded.write_text(text, "utf-8")
    commit_all(edited, "The template has moved")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copier.run_update(edited, defaults=True, overwrite=True, quiet=True)
    found = contents(edited)
    assert found["train.py"].startswith('"""Train a network')
    assert EDIT in found["my_project/network.py"]
    assert "_commit: v1.1.0" in found[".copier-answers.yml"]


@pytest.mark.parametrize(
    "change",
    [
        {"num_tasks": 9},
        {"amp_level": "O2", "amp_dtype": "bfloat16"},
        {"model": "linear", "data": "builtin"},
        {"optimizer": "Lion"},
    ],
    ids=lambda change: "-".join(change),
)
def test_refused_update_leaves_the_project_alone(change, edited):
    """An answer that is refused changes no file."""
    before = contents(edited)
    with pytest.raises(ValueError):
        update(edited, change)
    assert contents(edited) == before
    assert git(edited, "status", "--porcelain") == ""


def test_update_refuses_a_project_with_uncommitted_edits(edited):
    """Edits that git does not hold yet cannot be lost."""
    path = edited / "my_project" / "data.py"
    path.write_text(path.read_text("utf-8") + "\n# not committed\n", encoding="utf-8")
    before = contents(edited)
    with pytest.raises(copier.errors.UserMessageError):
        update(edited, {"accumulation": True})
    assert contents(edited) == before
