"""Steps of a gan, driven directly, and what they did to both networks."""

from typing import Any

from mindspore import Tensor
from numerics import values
from project import Project


def steps(
    project: Project, settings: list[str], count: int, rates: list[float] = ()
) -> dict[str, Any]:
    """Take `count` steps; return their batches, and the weights after each of them."""
    config = project.config(*settings)
    project.module("device").set_up(config, False)
    data = project.module("data")
    train_set, _ = data.load(config.data, config.seed)
    network, optimizer, train_step, state = project.build(
        config, train_set[0].shape[1:], rates
    )
    place = (0, 1) if project.answers["parallel"] == "data_parallel" else ()
    feed = data.batches(train_set, config.data, config.seed, 1, *place)
    weights = [values(network.get_parameters())]
    batches, losses, tasks, norms = [], [], [], []
    for _, batch in zip(range(count), feed):
        loss, task_losses, *norm = train_step(*batch)
        batches.append([part.asnumpy().tolist() for part in batch])
        losses.append(float(loss))
        tasks.append([float(task_loss) for task_loss in task_losses])
        norms += [float(value) for value in norm]
        weights.append(values(network.get_parameters()))
    return {
        "batches": batches,
        "weights": weights,
        "losses": losses,
        "task_losses": tasks,
        "norms": norms,
        "updates": int(optimizer.global_step.asnumpy()[0]),
        "state": values(state.values()),
    }


def other_noise(project: Project, settings: list[str]) -> dict[str, Any]:
    """Return the weights before a step, and after two that differ in the last noise."""
    config = project.config(*settings)
    project.module("device").set_up(config, False)
    data = project.module("data")
    train_set, _ = data.load(config.data, config.seed)
    *pairs, noise = next(data.batches(train_set, config.data, config.seed, 1))
    ends = []
    for factor in (1, 2):
        built = project.build(config, train_set[0].shape[1:])
        network, _, train_step, _ = built
        before = values(network.get_parameters())
        train_step(*pairs, Tensor(noise.asnumpy() * factor))
        ends.append(values(network.get_parameters()))
    return {"before": before, "ends": ends}
