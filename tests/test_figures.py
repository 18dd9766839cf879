"""The figures that a project promises, through train.py with its default settings."""

import csv
import struct

import pytest

from generator.verify import train

SUMMARY = {
    "loss",
    "metric",
    "metric_name",
    "best_metric",
    "steps",
    "updates",
    "skipped_updates",
    "steps_per_second",
    "compile_seconds",
    "peak_memory_mb",
    "parameters",
    "versions",
    "tasks",
}
BUILTIN = {"model": "mlp", "data": "builtin"}


def is_picture(path) -> bool:
    """Return whether a file is a PNG with some width and height."""
    head = path.read_bytes()[:24]
    width, height = struct.unpack(">II", head[16:24])
    return head[:8] == b"\x89PNG\r\n\x1a\n" and min(width, height) > 100


def assert_run_is_whole(measured, epochs: int, keep: int = 3) -> None:
    """A run has its summary, a row an epoch, its pictures, and the newest checkpoints."""
    linear = {"weight", "bias"} if "weight" in measured.summary else set()
    assert set(measured.summary) == SUMMARY | linear
    metric = measured.summary["metric_name"].split(".")[0]
    assert metric in ("accuracy", "r_squared")
    assert {"python", "mindspore"} <= set(measured.summary["versions"])
    for name in ("steps_per_second", "compile_seconds", "peak_memory_mb", "parameters"):
        assert measured.summary[name] > 0, name
    with open(measured.run / "metrics.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == list(range(1, epochs + 1))
    newest = [f"epoch-{number:05d}.ckpt" for number in range(1, epochs + 1)][-keep:]
    pictures = ["loss.png"] + ["trajectory.png"] * bool(linear)
    assert all(is_picture(measured.run / name) for name in pictures)
    files = ["answers.yml", "best.ckpt", "config.yaml", "metrics.csv", "summary.json"]
    left = sorted(path.name for path in measured.run.iterdir())
    assert left == sorted([*files, *newest, *pictures])


@pytest.mark.parametrize("step", ["function", "cell"])
def test_line_is_found(step, render):
    """The linear model finds the line y = 2x to two digits."""
    measured = train(render({"model": "linear", "step": step}), timeout=120)
    assert measured.summary["weight"] == pytest.approx(2, abs=0.02)
    assert measured.summary["bias"] == pytest.approx(0, abs=0.02)
    assert_run_is_whole(measured, epochs=measured.summary["steps"] // (1024 // 32))


def test_digits_are_read(render):
    """The convolutional network reads 97 % of the digits."""
    measured = train(render({"model": "cnn", "data": "builtin"}), timeout=300)
    summary = measured.summary
    assert summary["best_metric"] >= 0.97
    assert_run_is_whole(measured, epochs=15)


@pytest.mark.parametrize(
    ("dataset", "least"), [("diabetes", 0.40), ("wine", 0.95), ("breast_cancer", 0.95)]
)
def test_table_is_learnt(dataset, least, render):
    """The multilayer perceptron explains the held-out rows of a built-in table."""
    measured = train(render({**BUILTIN, "dataset": dataset}), timeout=120)
    assert measured.summary["metric"] >= least
    assert measured.summary["best_metric"] >= measured.summary["metric"]


def test_settings_bound_what_is_kept(render):
    """A run keeps as many checkpoints as it is told to, and the best one."""
    settings = ["--epochs=3", "--keep_checkpoints=1", "--data.train_samples=64"]
    measured = train(render({"num_tasks": 2}), settings, timeout=120)
    assert_run_is_whole(measured, epochs=3, keep=1)
    assert list(measured.summary["tasks"]) == ["target", "target_2"]


def test_text_is_continued(render):
    """The language model needs at most 3 bits for a byte of modules that it never saw.

    A model of single bytes needs a good deal more. Two of the three usual epochs do.
    """
    project = render({"model": "transformer", "data": "builtin"})
    measured = train(project, ["--epochs=2", "--sample.bytes=100"], timeout=600)
    assert measured.summary["metric"] <= 3.0
    assert measured.summary["unigram_bits_per_byte"] > 4.0
    text = (measured.run / "sample.txt").read_bytes()
    assert text.startswith(b"def ")
    assert len(text) == 104


def test_equation_is_solved(render):
    """The physics-informed network is within 5e-3 of the solution everywhere."""
    measured = train(render({"model": "pinn"}), timeout=900)
    assert measured.summary["metric"] < 5e-3
    assert is_picture(measured.run / "solution.png")


def test_pole_is_balanced(render):
    """The agent holds the pole for 195 steps or more on average.

    Half of the usual epochs do. A run's last evaluation plays 50 episodes.
    """
    measured = train(render({"model": "policy_gradient"}), ["--epochs=6"], timeout=600)
    assert measured.summary["best_metric"] >= 195
    assert is_picture(measured.run / "returns.png")


def test_two_tasks_are_as_good_as_each_alone(render):
    """Digits and their ink: what is learnt together is as good as what is learnt alone."""
    project = render({"model": "cnn", "data": "builtin", "num_tasks": 2})
    scores = {}
    for alone in ("digit", "ink", ""):
        other = {"digit": "ink", "ink": "digit"}.get(alone)
        settings = [f"--task_weights.{other}=0"] if other else []
        measured = train(project, ["--epochs=8", *settings], timeout=300)
        tasks = measured.summary["tasks"]
        scores[alone] = {name: task["metric"] for name, task in tasks.items()}
    assert scores["ink"]["digit"] < 0.5  # what has no weight is not learnt
    assert scores[""]["digit"] >= scores["digit"]["digit"] - 0.015
    assert scores[""]["ink"] >= scores["ink"]["ink"] - 0.02
