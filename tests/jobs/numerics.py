"""Steps of a project, driven directly, and what they did to its parameters."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from mindspore import Tensor
from project import Project


def start(project: Project, settings: list[str]) -> tuple[Any, tuple]:
    """Select the device; return the settings and the training samples."""
    config = project.config(*settings)
    project.module("device").set_up(config, False)
    return config, project.module("data").load(config.data, config.seed)[0]


def slices(arrays: tuple, size: int, count: int) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches of `size` rows, in the order of the arrays, again and again."""
    for number in range(count):
        rows = np.arange(number * size, (number + 1) * size) % len(arrays[0])
        yield tuple(Tensor(array[rows]) for array in arrays)


def values(parameters: Any) -> dict[str, list]:
    """Return parameters as nested lists by name."""
    return {p.name: p.asnumpy().astype(np.float64).tolist() for p in parameters}


def steps(
    project: Project,
    settings: list[str],
    size: int,
    count: int,
    last_at: int = 0,
    rates: list[float] = (),
) -> dict[str, Any]:
    """Take `count` steps on batches of `size`; return losses, norms and parameters.

    With `last_at` each step whose number it divides closes its window as an epoch's end does.
    """
    config, train_set = start(project, settings)
    network, optimizer, train_step, state = project.build(
        config, train_set[0].shape[1:], rates
    )
    before = values(network.trainable_params())
    state_before = values(state.values())
    losses, tasks, norms = [], [], []
    for number, batch in enumerate(slices(train_set, size, count), start=1):
        last = {"last": number % last_at == 0} if last_at else {}
        loss, task_losses, *norm = train_step(*batch, **last)
        losses.append(float(loss))
        tasks.append([float(task_loss) for task_loss in task_losses])
        norms += [float(value) for value in norm]
    return {
        "losses": losses,
        "loss_type": str(loss.dtype),
        "task_losses": tasks,
        "norms": norms,
        "before": before,
        "after": values(network.trainable_params()),
        "updates": int(optimizer.global_step.asnumpy()[0]),
        "state": values(state.values()),
        "state_before": state_before,
        "inputs": train_set[0][: size * count].tolist(),
        "targets": [array[: size * count].tolist() for array in train_set[1:]],
    }


def evaluation(project: Project, settings: list[str], size: int) -> dict[str, Any]:
    """Evaluate an untrained network on `size` training samples; return them all."""
    config, train_set = start(project, settings)
    train_set = tuple([array[:size] for array in train_set])
    network = project.build(config, train_set[0].shape[1:])[0]
    return {
        "scores": project.build_evaluate(network, config, train_set)(),
        "weights": values(network.trainable_params()),
        "inputs": train_set[0].tolist(),
        "targets": [array.tolist() for array in train_set[1:]],
    }


def overflow(project: Project, settings: list[str]) -> dict[str, Any]:
    """Take a good step, two that overflow, and a good one; return the state after each."""
    config, train_set = start(project, settings)
    _, _, train_step, state = project.build(config, train_set[0].shape[1:], [0.01] * 9)
    good = next(slices(train_set, 16, 1))
    spoilt = (Tensor(np.full(good[0].shape, np.inf, np.float32)), *good[1:])
    last = {"last": True} if project.answers["accumulation"] else {}
    states = []
    for batch in (good, spoilt, spoilt, good):
        train_step(*batch, **last)
        states.append({name: state[name].asnumpy().tolist() for name in state})
    return {"states": states}


def spoilt_window(project: Project, settings: list[str]) -> dict[str, Any]:
    """Overflow in one micro-batch of a window, then fill a good window; return the ends.

    The second ends in a copy that never met the first window.
    """
    ends = []
    for spoil in (True, False):
        config, train_set = start(project, settings)
        shape = train_set[0].shape[1:]
        network, _, train_step, _ = project.build(config, shape, [0.01] * 9)
        window = list(slices(train_set, 16, config.accumulation_steps))
        before = values(network.trainable_params())
        if spoil:
            inputs, *targets = window[0]
            spoilt = Tensor(np.full(inputs.shape, np.inf, np.float32))
            for batch in ((spoilt, *targets), *window[1:]):
                train_step(*batch)
            dropped = values(network.trainable_params())
        for batch in window:
            train_step(*batch)
        ends.append(values(network.trainable_params()))
    return {"before": before, "dropped": dropped, "ends": ends}


def rates(project: Project, settings: list[str], updates: int) -> list[float]:
    """Return the learning rate of each update."""
    config = project.config(*settings)
    module = project.module("train_step")
    return [float(rate) for rate in module.learning_rates(config.optimizer, updates)]


def applied_rates(project: Project, settings: list[str]) -> dict[str, list[float]]:
    """Return the rates of the schedule, and those that the steps of SGD really took.

    A gradient follows from a step of plain SGD: the weights moved by the rate times it.
    """
    config, train_set = start(project, settings)
    schedule = project.module("train_step").learning_rates(config.optimizer, 8)
    network, _, train_step, _ = project.build(config, train_set[0].shape[1:], schedule)
    weight, bias = network.trainable_params()
    taken = []
    for inputs, target in slices(train_set, 16, 8):
        x, y = inputs.asnumpy().astype(float), target.asnumpy().astype(float)
        old, old_bias = weight.asnumpy().item(), bias.asnumpy().item()
        slope = (2 * (old * x + old_bias - y) * x).mean()
        train_step(inputs, target)
        taken.append((old - weight.asnumpy().item()) / slope)
    return {"schedule": [float(rate) for rate in schedule], "taken": taken}


def rows_of_epochs(
    project: Project, settings: list[str], epochs: int
) -> dict[str, Any]:
    """Return the rows of the training samples that each epoch takes, twice over."""
    config, train_set = start(project, settings)
    place = {row.tobytes(): number for number, row in enumerate(train_set[0])}
    ranks = (0, 1) if project.answers["parallel"] == "data_parallel" else ()
    found = []
    for _ in range(2):
        found.append([])
        for epoch in range(1, epochs + 1):
            feed = project.module("data").batches(
                train_set, config.data, 1, epoch, *ranks
            )
            batches = [inputs.asnumpy() for inputs, *_ in feed]
            rows = [place[row.tobytes()] for batch in batches for row in batch]
            found[-1].append(rows)
    return {"inputs": train_set[0].tolist(), "rows": found[0], "again": found[1]}
