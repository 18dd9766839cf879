"""Projects of a pairwise cover and of every single changed answer are clean and train."""

import re

import numpy as np
import pytest
import yaml

from generator import matrix
from generator.checks import check

CASES = {case.id: case.answers for case in matrix.pairwise() + matrix.flips()}


def files_of(answers: dict, package: str) -> set[str]:
    """Return the files that a project with these answers holds."""
    modules = "config data device forward loop network run train_step".split()
    files = {f"{package}/{module}.py" for module in modules}
    files |= {"README.md", "pyproject.toml", ".gitignore", ".copier-answers.yml"}
    files |= {"configs/train.yaml", "train.py", "evaluate.py"}
    files |= {f"tests/{name}.py" for name in ("conftest", "test_step", "test_training")}
    if answers["data"] == "files":
        files.add("make_example_data.py")
    if answers["lr_schedule"] != "constant":
        files.add("plot_schedule.py")
    own_tasks = answers["model"] in ("pinn", "gan", "policy_gradient")
    own_files = answers["data"] == "files" and answers["model"] in (
        "cnn",
        "transformer",
    )
    if own_tasks or own_files or goes_on_text(answers):
        files.add(f"{package}/report.py")
    return files


def goes_on_text(answers: dict) -> bool:
    """Return whether the project is a language model."""
    goal = answers.get("text_goal")
    return answers["model"] == "transformer" and (
        answers["data"] == "builtin" or goal == "language"
    )


def small_settings(answers: dict) -> list[str]:
    """Return settings that train a project in seconds."""
    if goes_on_text(answers):
        size = ["--network.width=32", "--network.blocks=1", "--sample.bytes=20"]
        size.append("--data.length=32")
        if answers["data"] == "builtin":
            size += ["--data.train_bytes=40000", "--data.eval_bytes=5000"]
        else:
            size.append("--data.eval_share=0.6")
        if answers["accumulation"]:
            size.append("--data.batch_size=4")
        return ["--epochs=3", *size]
    if answers["model"] == "policy_gradient":
        size = "--data.batch_size=256"
        return ["--epochs=3", size, "--data.train_samples=10240"]
    if answers["model"] == "pinn":
        return ["--epochs=3", "--data.train_samples=12800"]
    if answers["model"] == "mlp" and answers["data"] == "builtin":
        settings = []  # a few hundred rows: as long as by default
    elif answers.get("task_weighting") == "uncertainty":
        settings = ["--epochs=10"]  # the variances move as well
    else:
        settings = ["--epochs=6"]
    if answers["data"] == "synthetic":
        samples = 512 if answers["model"] == "cnn" else 1024
        settings += [f"--data.train_samples={samples}", "--data.eval_samples=64"]
    if answers["data"] == "builtin" and answers["model"] == "cnn":
        settings.append("--data.eval_share=0.6")  # leaves 719 images to train on
    if answers["model"] == "transformer" and answers["data"] == "synthetic":
        settings.append("--data.batch_size=8")  # more updates: attention learns late
    if answers["model"] == "gan":
        settings += ["--data.batch_size=16", "--epochs=6"]
    if answers["model"] == "linear":
        # These move a weight by about the learning rate, and the few updates must reach 2.
        rates = {"Adam": 0.05, "AdamWeightDecay": 0.05, "RMSProp": 0.05, "Adagrad": 0.5}
        if rate := rates.get(answers["optimizer"]):
            settings.append(f"--optimizer.learning_rate={rate}")
    return settings


@pytest.fixture(params=CASES)
def project(request, render):
    """A rendered project of each case."""
    return render(CASES[request.param])


@pytest.fixture
def answers(project):
    """All answers of the project, defaults included."""
    return yaml.safe_load((project / ".copier-answers.yml").read_text("utf-8"))


def test_trains(project, answers, worker):
    """A clean project trains, and its loss falls below what learning nothing gives.

    The bound is 0.7 of the smaller of two losses over the training samples: that of the
    untrained network, and that of the best constant outputs, which a network reaches that
    only moves its last biases (for an equation: its source). A language model has to be below
    0.9 of it, which shows that it uses what came before. The loss is that of an evaluation:
    smoothed labels and dropout do not count. The loss that is logged falls too. The losses
    of a gan need not fall: they stay finite, and the samples of its best epoch are nearer to
    real ones. An agent moves all its parameters, and plays better but for the optimizers
    that need longer than a test has.
    """
    assert check(project) == []
    assert files_in(project) == files_of(answers, answers["project_name"])
    assert_readme_names_files(project)

    result = worker.run("training:train", project, settings=small_settings(answers))
    assert result["settings_in_yaml"] == result["settings"]
    if answers["model"] == "gan":
        assert result["still"] == []
        assert all(np.isfinite(list(row.values())).all() for row in result["rows"])
        untrained, trained = result["distances"]
        assert trained < 0.7 * untrained
        return
    if answers["model"] == "policy_gradient":
        returns = [row["mean_return"] for row in result["rows"]]
        assert result["still"] == []
        if answers["optimizer"] in ("Adam", "AdamWeightDecay", "Momentum"):
            assert max(returns) > 1.3 * result["untrained"]
        return
    share = 0.9 if goes_on_text(answers) else 0.7
    bound = share * min(result["untrained"], result["constant"])
    losses = [row["loss"] for row in result["rows"]]
    assert losses[-1] < losses[0]
    assert result["trained"] < bound, f"bound {bound:.3g}, losses {losses}"


def files_in(project) -> set[str]:
    """Return the files of a project, but for what training left in it."""
    left = {"runs", "data", "__pycache__", "rewritten_network", "schedule.png"}
    paths = [path.relative_to(project) for path in project.rglob("*") if path.is_file()]
    return {path.as_posix() for path in paths if not left & set(path.parts)}


def assert_readme_names_files(project) -> None:
    """Every script and every setting that the README's commands name is there."""
    readme = (project / "README.md").read_text("utf-8")
    commands = "\n".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL))
    assert commands
    for name in re.findall(r"[\w./-]+\.(?:py|yml|yaml)\b", commands):
        assert (project / name).is_file(), name
    for name in re.findall(r"^\| `([^`]+)`", readme, re.MULTILINE):
        assert (project / name).exists(), name
