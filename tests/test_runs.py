"""Runs as a user starts them: several ranks, resumed, eager, and a project's own tests."""

import csv
import json
import sys
from pathlib import Path

import pytest

from generator.verify import command, run, train

STYLES = ("function", "cell")
RANKS = {"parallel": "data_parallel", "optimizer": "SGD"}
HALF = {"amp_level": "O2", "amp_dtype": "float16", "loss_scale": "dynamic"}
PAUSES = {
    "num_tasks": 2,
    "tasks": [
        {"name": "price", "kind": "regression", "interval": 2},
        {"name": "level", "kind": "classification", "outputs": 3},
    ],
}
DROPS = {
    "data": "builtin",
    "dataset": "wine",
    "accumulation": True,
    "amp_level": "O3",
    "techniques": ["dropout", "ema", "l1", "label_smoothing", "debug", "layer_rates"],
}
LITTLE = ["--data.train_samples=256", "--data.eval_samples=64"]
TIMEOUT = 300


def weights_differ(one: dict, other: dict, tolerance: float) -> list[str]:
    """Return the names of the weights that differ by more than the tolerance."""

    def flat(value):
        return (
            [x for part in value for x in flat(part)]
            if isinstance(value, list)
            else [value]
        )

    assert one.keys() == other.keys()
    return [
        name
        for name in one
        if max(abs(a - b) for a, b in zip(flat(one[name]), flat(other[name])))
        > tolerance
    ]


@pytest.mark.parametrize("step", STYLES)
def test_two_ranks_equal_one_with_twice_the_batch(step, render, worker, tmp_path):
    """Two ranks end where one rank does that has their samples in one batch.

    Without and with a window of two micro-batches. Where one rank alone overflows, both skip.
    """
    plain = render({**RANKS, "step": step})
    window = render({**RANKS, "step": step, "accumulation": True})
    scaled = render({**RANKS, **HALF, "step": step})
    accumulate = ["--accumulation_steps=2"]
    plan = [
        {"project": plain, "settings": ["--data.batch_size=16"], "count": 5},
        {
            "project": window,
            "settings": ["--data.batch_size=16", *accumulate],
            "count": 10,
        },
        {
            "project": scaled,
            "settings": ["--data.batch_size=16"],
            "count": 3,
            "spoilt_at": 1,
        },
    ]
    (tmp_path / "plan.json").write_text(json.dumps(plan, default=str), encoding="utf-8")
    script = [str(Path(__file__).parent / "jobs" / "two_ranks.py"), str(tmp_path)]
    run(command(script, sys.executable, 2, tmp_path / "log"), tmp_path, timeout=TIMEOUT)
    ends = [
        [json.loads((tmp_path / f"{n}-{rank}.json").read_text()) for rank in (0, 1)]
        for n in range(3)
    ]
    for first, second in ends:
        assert first == second  # bit for bit

    one = {"job": "two_ranks:one_rank", "project": plain, "count": 5}
    alone = worker.run(**one, settings=["--data.batch_size=32"])
    assert ends[0][0]["updates"] == alone["updates"] == 5
    assert weights_differ(ends[0][0]["weights"], alone["weights"], 1e-6) == []

    settings = ["--data.batch_size=32", *accumulate]
    alone = worker.run("two_ranks:one_rank", window, settings=settings, count=10)
    assert ends[1][0]["updates"] == alone["updates"] == 5
    assert weights_differ(ends[1][0]["weights"], alone["weights"], 1e-6) == []

    assert ends[2][0]["moved"] == [True, False, True]
    assert ends[2][0]["updates"] == 2


def test_msrun_trains_as_one_process_does(render, worker):
    """train.py on two ranks ends where it ends on one with twice the batch."""
    project = render({**RANKS, "accumulation": True})
    settings = [*LITTLE, "--epochs=2"]
    two = train(project, [*settings, "--data.batch_size=8"], ranks=2, timeout=TIMEOUT)
    one = train(project, [*settings, "--data.batch_size=16"], run_name="one")
    assert two.summary["steps"] == one.summary["steps"] == 2 * 256 // 16
    paths = [str(measured.run / "epoch-00002.ckpt") for measured in (two, one)]
    difference = worker.run(
        "checkpoints:difference", project, one=paths[0], other=paths[1]
    )
    assert max(difference.values()) < 1e-5
    run([sys.executable, "evaluate.py", "--run", str(two.run)], project)


@pytest.mark.parametrize("step", STYLES)
def test_resumed_run_equals_unbroken_run(step, render, worker):
    """Two epochs and two more after a new start give the checkpoint of four in one go."""
    project = render({**HALF, "accumulation": True, "step": step})
    settings = [*LITTLE, "--loss_scale.growth_interval=5"]
    unbroken = train(project, [*settings, "--epochs=4"], run_name="unbroken")
    stopped = train(project, [*settings, "--epochs=2"], run_name="stopped")
    more = [sys.executable, "train.py", "--epochs=4", "--resume", str(stopped.run)]
    run(more, project, timeout=TIMEOUT)
    paths = [str(folder / "epoch-00004.ckpt") for folder in (unbroken.run, stopped.run)]
    one, other = paths
    difference = worker.run("checkpoints:difference", project, one=one, other=other)
    assert {"global_step", "loss_scale", "good_updates", "epoch"} <= difference.keys()
    assert [name for name, value in difference.items() if value] == []
    tables = [(run.run / "metrics.csv").read_text() for run in (unbroken, stopped)]
    rows = [list(csv.DictReader(table.splitlines())) for table in tables]
    for row in rows[0] + rows[1]:
        del row["samples_per_second"]
    assert rows[0] == rows[1]


def test_eager_equals_compiled(render):
    """--eager runs the same steps uncompiled, to losses that agree within 1e-5."""
    project = render({"accumulation": True, "grad_clip": "norm"})
    settings = ["--data.train_samples=64", "--data.eval_samples=16", "--epochs=2"]
    losses = []
    for more in ([], ["--eager"]):
        measured = train(project, [*settings, *more], run_name=f"run{len(more)}")
        with open(measured.run / "metrics.csv", newline="", encoding="utf-8") as file:
            losses.append([float(row["loss"]) for row in csv.DictReader(file)])
    assert losses[0] == pytest.approx(losses[1], abs=1e-5)


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"step": "cell", "accumulation": True, "grad_clip": "norm", **HALF},
        {"model": "cnn", "num_tasks": 2, "step": "cell", "lr_schedule": "cosine"},
        {"model": "linear", "data": "files", "accumulation": True, **PAUSES},
        {"model": "mlp", "data": "builtin", "parallel": "data_parallel", **HALF},
        {"model": "pinn", "step": "cell", "accumulation": True},
        {"model": "gan", "amp_level": "O2"},
        {"model": "policy_gradient", "accumulation": True, **HALF},
        {"step": "cell", **DROPS},
        {"num_tasks": 2, "task_weighting": "pcgrad", "accumulation": True},
    ],
    ids=[
        "defaults",
        "half_cell",
        "cnn_tasks",
        "files",
        "ranks",
        "pinn",
        "gan",
        "policy_gradient",
        "dropout",
        "pcgrad",
    ],
)
def test_own_tests_of_a_project_pass(answers, render):
    """The tests that a project brings prove its step."""
    project = render(answers)
    if (project / "make_example_data.py").exists() and not (project / "data").exists():
        run([sys.executable, "make_example_data.py"], project)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert " passed" in run(tests, project, timeout=TIMEOUT)
