"""What the network of a project makes of given inputs."""

from typing import Any

import numpy as np
from mindspore import Tensor
from numerics import start, values
from project import Project


def outputs(project: Project, settings: list[str], count: int) -> dict[str, Any]:
    """Return the first `count` inputs, the untrained network's outputs, and its weights."""
    config, train_set = start(project, settings)
    network = project.build(config, train_set[0].shape[1:], [0.01])[0]
    network.set_train(False)
    inputs = train_set[0][:count]
    return {
        "inputs": inputs.tolist(),
        "outputs": network(Tensor(inputs)).asnumpy().tolist(),
        "weights": values(network.get_parameters()),
    }


def returns(
    project: Project, rewards: list, ends: list, later: list, discount: float
) -> list:
    """Return what the project makes of rewards (steps, players)."""
    arrays = [np.array(rewards), np.array(ends), np.array(later)]
    return project.module("data").returns_to_go(*arrays, discount).tolist()
