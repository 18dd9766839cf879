"""Takes steps on one of several ranks; msrun starts a process of it for each.

The first argument is a folder: `plan.json` in it lists the projects and their steps, and each
rank writes what it ended with to a file of its own.
"""

import json
import sys
from pathlib import Path

import numpy as np
from mindspore import Tensor
from numerics import values
from project import Project


def steps(
    project: Project,
    place: tuple[int, int],
    settings: list[str],
    count: int,
    spoilt_at: int | None = None,
) -> dict:
    """Take steps on this rank's batches, one with Inf on the last rank; return the end.

    `place` is the rank and the number of ranks.
    """
    config = project.config(*settings)
    rank, ranks = place
    data = project.module("data")
    train_set, _ = data.load(config.data, config.seed)
    shape = train_set[0].shape[1:]
    network, optimizer, train_step, _ = project.build(config, shape, ranks=ranks)
    batches = data.batches(train_set, config.data, config.seed, 1, rank, ranks)
    moved = []
    for number, (inputs, *targets) in zip(range(count), batches):
        if number == spoilt_at and rank == ranks - 1:
            inputs = Tensor(np.full(inputs.shape, np.inf, np.float32))
        before = values(network.trainable_params())
        train_step(inputs, *targets)
        moved.append(values(network.trainable_params()) != before)
    updates = int(optimizer.global_step.asnumpy()[0])
    weights = values(network.trainable_params())
    return {"moved": moved, "updates": updates, "weights": weights}


def one_rank(project: Project, settings: list[str], count: int) -> dict:
    """Take the steps as a job of one process."""
    place = project.module("device").set_up(project.config(*settings), False)
    return steps(project, place, settings, count)


def main(folder: Path) -> None:
    """Take the steps of the plan, after the ranks have met, once a process."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    place = None
    for number, arguments in enumerate(plan):
        with Project(arguments.pop("project")) as project:
            place = place or project.module("device").set_up(project.config(), False)
            result = steps(project, place, **arguments)
        path = folder / f"{number}-{place[0]}.json"
        path.write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
