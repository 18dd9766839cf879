"""Techniques that change the loss or its gradients, against NumPy over several steps."""

import csv
import re
import sys

import numpy as np
import pytest

from generator.verify import run

STYLES = ("function", "cell")
SGD = {"optimizer": "SGD"}
RATE = "--optimizer.learning_rate=0.1"
HIDDEN = "--network.hidden_sizes=[8]"


def batches_of(result: dict, size: int) -> list[tuple]:
    """Return the batches of a job's steps: inputs, then the targets of each task."""
    columns = [np.array(column) for column in (result["inputs"], *result["targets"])]
    return list(zip(*[np.split(column, len(column) // size) for column in columns]))


def gradients(weights: dict, inputs, target, head: str, kept=1.0) -> dict:
    """Return the gradients of a mean square, of a network with a hidden layer, by hand.

    What `kept` holds multiplies the features; a parameter of another head gets zeros.
    """
    first, bias = "backbone.layers.0.weight", "backbone.layers.0.bias"
    before = inputs @ weights[first].T + weights[bias]
    features = np.maximum(before, 0) * kept
    error = features @ weights[f"{head}.weight"].T + weights[f"{head}.bias"] - target
    slope = 2 * error / error.size
    back = slope @ weights[f"{head}.weight"] * kept * (before > 0)
    grads = {name: np.zeros_like(weight) for name, weight in weights.items()}
    grads[f"{head}.weight"], grads[f"{head}.bias"] = slope.T @ features, slope.sum(0)
    grads[first], grads[bias] = back.T @ inputs, back.sum(0)
    return grads


def assert_close(found: dict, wanted: dict, tolerance: float) -> None:
    """Fail unless each parameter is the wanted one within the tolerance."""
    assert found.keys() == wanted.keys()
    for name, weight in wanted.items():
        assert np.allclose(found[name], weight, rtol=0, atol=tolerance), name


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("accumulation", [False, True])
def test_l1_agrees_with_numpy(accumulation, step, render, worker):
    """The sign of the weight joins its gradient once an update; a bias is left alone."""
    answers = {"model": "linear", **SGD, "step": step, "techniques": ["l1"]}
    size = 8 if accumulation else 16
    result = worker.run(
        "numerics:steps",
        render({**answers, "accumulation": accumulation}),
        settings=[RATE, "--optimizer.l1=0.3", "--optimizer.weight_decay=0.1"]
        + (["--accumulation_steps=2"] if accumulation else []),
        size=size,
        count=320 // size,
    )
    weight, bias = (np.ravel(value)[0] for value in result["before"].values())
    for x, y in batches_of(result, 16):
        error = weight * x + bias - y
        slope = 2 * (error * x).mean() + 0.3 * np.sign(weight) + 0.1 * weight
        weight, bias = weight - 0.1 * slope, bias - 0.1 * 2 * error.mean()
    found = [np.ravel(value)[0] for value in result["after"].values()]
    assert found == pytest.approx([weight, bias], abs=2e-6)


@pytest.mark.parametrize("step", STYLES)
def test_label_smoothing_agrees_with_numpy(step, render, worker):
    """A label counts 0.9 and all of the three classes share 0.1; an evaluation's counts 1."""
    task = {"name": "level", "kind": "classification", "outputs": 3}
    answers = {"model": "linear", **SGD, "step": step, "tasks": [task]}
    project = render({**answers, "techniques": ["label_smoothing"]})
    result = worker.run("numerics:steps", project, settings=[RATE], size=16, count=20)
    weights, biases = (np.array(value) for value in result["before"].values())
    for number, (x, labels) in enumerate(batches_of(result, 16)):
        logits = x @ weights.T + biases
        shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        wanted = 0.9 * np.eye(3)[labels.ravel()] + 0.1 / 3
        loss = -(wanted * np.log(shares)).sum(axis=1).mean()
        assert result["losses"][number] == pytest.approx(loss, abs=2e-6)
        slope = (shares - wanted) / 16
        weights, biases = weights - 0.1 * slope.T @ x, biases - 0.1 * slope.sum(0)
    assert_close(
        result["after"], dict(zip(result["after"], (weights, biases))), tolerance=2e-6
    )
    evaluated = worker.run("numerics:evaluation", project, settings=[], size=64)
    weights, biases = (np.array(value) for value in evaluated["weights"].values())
    logits = np.array(evaluated["inputs"]) @ weights.T + biases
    labels = np.ravel(evaluated["targets"][0])
    own = logits[np.arange(64), labels] - np.log(np.exp(logits).sum(axis=1))
    assert evaluated["scores"]["eval_loss"] == pytest.approx(-own.mean(), abs=1e-6)


def kept_features(batch: int, shape: tuple[int, int], share: float) -> np.ndarray:
    """Return what dropout multiplies by, from MurmurHash3's last step in whole numbers."""
    factors = []
    for place in range(shape[0] * shape[1]):
        number = (place + batch * 1_000_003) % 2**32
        number = (number ^ number >> 16) * 0x85EBCA6B % 2**32
        number = (number ^ number >> 13) * 0xC2B2AE35 % 2**32
        number ^= number >> 16
        factors.append(number / 2**32 >= share)
    return np.array(factors).reshape(shape) / (1 - share)


@pytest.mark.parametrize("step", STYLES)
def test_dropout_agrees_with_numpy(step, render, worker):
    """Each batch drops other features, by a count that the state holds; the rest grow."""
    answers = {**SGD, "step": step, "techniques": ["dropout"]}
    result = worker.run(
        "numerics:steps",
        render(answers),
        settings=[RATE, HIDDEN, "--network.dropout=0.4"],
        size=16,
        count=10,
    )
    count = result["state_before"]["dropout.batches"]
    weights = {name: np.array(value) for name, value in result["before"].items()}
    (head,) = {name.split(".")[0] for name in weights if "head" in name}
    shares = []
    for number, (inputs, target) in enumerate(batches_of(result, 16), start=1):
        kept = kept_features(int(count) + number, (16, 8), 0.4)
        shares.append((kept > 0).mean())
        grads = gradients(weights, inputs, target, head, kept)
        weights = {name: weights[name] - 0.1 * grads[name] for name in weights}
    assert result["state"]["dropout.batches"] == count + 10
    assert_close(result["after"], weights, tolerance=5e-6)
    # 1280 draws lie within four standard deviations.
    assert np.mean(shares) == pytest.approx(0.6, abs=0.055)


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("accumulation", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_pcgrad_agrees_with_numpy(seed, accumulation, step, render, worker):
    """A task's gradient that points against another's loses its part along it.

    Both are those of whole windows. The tasks conflict in some updates and not in others.
    """
    tasks = [{"name": name, "kind": "regression"} for name in ("near", "far")]
    answers = {**SGD, "step": step, "num_tasks": 2, "tasks": tasks}
    answers |= {"task_weighting": "pcgrad", "accumulation": accumulation}
    size = 8 if accumulation else 16
    result = worker.run(
        "numerics:steps",
        render(answers),
        settings=[RATE, HIDDEN, f"--seed={seed}", "--task_weights.far=3"]
        + (["--accumulation_steps=2"] if accumulation else []),
        size=size,
        count=480 // size,
    )
    weights = {name: np.array(value) for name, value in result["before"].items()}
    conflicts = []
    for inputs, *targets in batches_of(result, 16):
        near, far = (
            gradients(weights, inputs, target, f"{task['name']}_head")
            for task, target in zip(tasks, targets)
        )
        far = {name: 3 * grad for name, grad in far.items()}
        dot = sum((near[name] * far[name]).sum() for name in near)
        conflicts.append(dot < 0)
        squares = [sum((g**2).sum() for g in grads.values()) for grads in (near, far)]
        shares = [min(dot, 0) / square for square in squares]
        for name in weights:
            change = near[name] - shares[1] * far[name]
            change = change + far[name] - shares[0] * near[name]
            weights[name] = weights[name] - 0.1 * change
    assert 0 < sum(conflicts) < 30
    assert_close(result["after"], weights, tolerance=1e-5)


@pytest.mark.parametrize("step", STYLES)
def test_debug_prints_norms_from_within_the_step(step, render):
    """The norms are the parts of the one that is logged; a head without loss is named."""
    answers = {"num_tasks": 2, "grad_clip": "norm", "step": step}
    project = render({**answers, "techniques": ["debug"]})
    sizes = ["--data.train_samples=16", "--data.batch_size=16", "--epochs=1"]
    train = [sys.executable, "train.py", *sizes, "--task_weights.target_2=0"]
    printed = run([*train, "--debug=true", "--run_name=loud"], project)
    without = re.findall(r"no gradient:\s+(\S+)", printed)
    assert without == ["target_2_head.weight", "target_2_head.bias"]
    found = re.findall(r"gradient norm:\s+(\S+)\s+(\S+)", printed)
    assert len(found) >= 4
    with open(project / "runs/loud/metrics.csv", newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    norm = np.sqrt(sum(float(value) ** 2 for _, value in found))
    assert norm == pytest.approx(float(row["grad_norm"]), rel=1e-4)
    assert "gradient" not in run([*train, "--run_name=quiet"], project)
