"""Techniques that leave the step as it is, against what it does without them."""

import numpy as np
import pytest
from shell import complaint, python

STYLES = ("function", "cell")


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("lr_schedule", ["constant", "cosine"])
def test_layers_have_their_own_rates(lr_schedule, step, render, worker):
    """SGD moves a layer by its factor of what it would, and others as ever.

    One step, so that the gradients are those of the plain project; then it decays too.
    """
    answers = {"optimizer": "SGD", "lr_schedule": lr_schedule, "step": step}
    settings = ["--optimizer.learning_rate=0.1", "--optimizer.weight_decay=0.1"]
    factors = '--optimizer.rate_factors={"backbone.layers.0.*": 0.25, "head.*": 2}'
    moved = []
    for techniques, more in ([], []), (["layer_rates"], [factors]):
        result = worker.run(
            "numerics:steps",
            render({**answers, "techniques": techniques}),
            settings=[*settings, *more],
            size=16,
            count=1,
            rates=[0.05, 0.01],
        )
        before, after = result["before"], result["after"]
        moved.append({name: np.subtract(after[name], before[name]) for name in after})
    plain, scaled = moved
    for name, change in plain.items():
        factor = 0.25 if ".layers.0." in name else 2 if "head" in name else 1
        assert np.abs(change).max() > 1e-4
        assert np.allclose(scaled[name], factor * change, rtol=0, atol=1e-7), name


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("model", ["mlp", "transformer", "cnn", "gan"])
def test_recomputing_changes_no_number(model, step, render, worker):
    """Cells that compute forward twice end in the same state, bit for bit.

    The state holds the moving statistics of batch normalisation, which must move once.
    """
    results = []
    cells = "generator" if model == "gan" else "backbone"
    for techniques, more in ([], []), (["recompute"], [f"--recomputed=[{cells}]"]):
        answers = {"model": model, "step": step, "techniques": techniques}
        project = render({**answers, "lr_schedule": "constant"})
        job, size = (
            ("gan:steps", {}) if model == "gan" else ("numerics:steps", {"size": 16})
        )
        result = worker.run(job, project, settings=more, count=5, **size)
        results.append([result["losses"], result["state"]])
    assert len(set(results[0][0])) == 5
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('--optimizer.rate_factors={"bakbone.*": 1}', "bakbone"),
        ("--recomputed=[bakbone]", "no cell has a name like bakbone"),
        ("--frozen=[bakbone.*]", "no parameter has a name like bakbone"),
    ],
)
def test_pattern_that_matches_nothing(setting, words, render, worker):
    """A pattern without a match is refused with its text."""
    project = render({"techniques": ["freeze", "layer_rates", "recompute"]})
    settings = [setting]
    reason = worker.run("refusals:build", project, settings=settings)
    assert words in reason


@pytest.mark.parametrize("parallel", ["none", "data_parallel"])
def test_curriculum_grows_from_the_easiest(parallel, render, worker):
    """Epochs draw evenly from the easiest share, which grows to all; a rest is dropped."""
    project = render({"techniques": ["curriculum"], "parallel": parallel})
    settings = ["--data.train_samples=100", "--data.batch_size=10"]
    settings += ["--data.curriculum_start=0.2", "--data.curriculum_epochs=4"]
    result = worker.run("numerics:rows_of_epochs", project, settings=settings, epochs=6)
    inputs = np.array(result["inputs"])
    distances = np.sqrt(((inputs - inputs.mean(axis=0)) ** 2).sum(axis=1))
    ranked = np.argsort(distances)
    for epoch, rows in enumerate(result["rows"]):
        count = [20, 40, 60, 80, 100, 100][epoch]
        assert len(rows) == 100
        assert set(rows) == set(ranked[:count])
        times = np.bincount(rows)[ranked[:count]]
        assert times.max() - times.min() <= 1
    assert result["rows"][4] != result["rows"][5]
    assert result["rows"] == result["again"]


def test_schedule_is_drawn_without_training(render):
    """`plot_schedule.py` writes schedule.png; a setting that is wrong is one line."""
    project = render({"lr_schedule": "one_cycle"})
    assert python(project, "plot_schedule.py").stdout == "schedule.png\n"
    assert (project / "schedule.png").read_bytes()[:4] == b"\x89PNG"
    line = complaint(project, "plot_schedule.py", "--optimizer.rising_share=2")
    assert "rising_share" in line


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("accumulation", [False, True])
def test_learnt_variances_agree_with_numpy(accumulation, step, render, worker):
    """Two lines, and the variances that weigh them, move as the derivatives by hand say.

    L = w exp(-s) l + s / 2, so dL/ds = 1/2 - w exp(-s) l. A variance does not decay.
    """
    answers = {"model": "linear", "num_tasks": 2, "task_weighting": "uncertainty"}
    answers |= {"optimizer": "SGD", "step": step, "accumulation": accumulation}
    settings = ["--optimizer.learning_rate=0.1", "--optimizer.weight_decay=0.1"]
    settings += ["--task_weights.target=3"]
    settings += ["--accumulation_steps=2"] if accumulation else []
    size, count = (8, 20) if accumulation else (16, 10)
    result = worker.run(
        "numerics:steps", render(answers), settings=settings, size=size, count=count
    )
    x = np.array(result["inputs"])[:, 0]
    for number, (task, factor) in enumerate([("target", 3), ("target_2", 1)]):
        y = np.array(result["targets"][number])[:, 0]
        names = [f"{task}_head.weight", f"{task}_head.bias"]
        line = np.array([np.ravel(result["before"][name])[0] for name in names])
        log_variance = 0.0
        for update in range(10):
            rows = slice(update * 16, update * 16 + 16)
            error = line[0] * x[rows] + line[1] - y[rows]
            weight = factor * np.exp(-log_variance)
            slope = 2 * weight * np.array([(error * x[rows]).mean(), error.mean()])
            log_variance -= 0.1 * (0.5 - weight * (error**2).mean())
            line = line - 0.1 * (slope + [0.1 * line[0], 0])
        found = [np.ravel(result["after"][name])[0] for name in names]
        assert np.allclose(found, line, rtol=0, atol=2e-6)
        assert result["after"]["log_variances"][number] == pytest.approx(
            log_variance, abs=2e-6
        )
