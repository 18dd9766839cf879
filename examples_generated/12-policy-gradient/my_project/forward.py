"""What the network is trained for: to act well, and to foretell how well it will do.

REINFORCE (Williams, 1992) with a learned baseline.
"""

from collections.abc import Callable

import gymnasium as gym
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

TASKS = ["policy", "value"]  # the losses, in the order of the network's outputs
BEST_BY, BEST = "mean_return", max  # chooses the best checkpoint


def policy_and_value_losses(
    outputs: tuple[Tensor, Tensor], actions: Tensor, returns: Tensor
) -> tuple[Tensor, Tensor]:
    """Return both losses, float32 scalars.

    The policy's makes actions likelier that did better than foretold, and takes the
    foretold value as given: it is no gradient's way into the value head.
    """
    logits, values = outputs
    values = values.reshape(-1)
    advantages = ops.stop_gradient(returns - values)
    surprise = ops.cross_entropy(logits, actions, reduction="none")
    return (surprise * advantages).mean(), ops.square(returns - values).mean()


def build_forward_fn(network: nn.Cell, task_weights: tuple[float, ...]) -> Callable:
    """Return ``forward_fn(observations, actions, returns) -> (loss, task_losses)``.

    Both are float32: a scalar, the sum of the weighted task losses, and a tuple of the
    scalars before weighting, one for each task.
    """

    def forward_fn(observations, actions, returns):
        outputs = network(observations)
        task_losses = policy_and_value_losses(outputs, actions, returns)
        loss = 0.0
        for weight, task_loss in zip(task_weights, task_losses):
            loss += weight * task_loss
        return loss, task_losses

    return forward_fn


def build_evaluate(
    network: nn.Cell,
    environments: gym.vector.VectorEnv,
    batch_size: int,
    task_weights: tuple[float, ...],
) -> Callable:
    """Return ``evaluate()``, which plays an episode in each environment.

    It takes the likeliest actions, from the same first observations each time.
    """
    del batch_size, task_weights  # no batch, and no loss

    @ms.jit
    def predict(observations):
        return network(observations)[0]

    def evaluate() -> dict[str, float]:
        network.set_train(False)
        observations, _ = environments.reset(seed=0)
        returns = np.zeros(environments.num_envs)
        playing = np.ones(environments.num_envs, bool)
        while playing.any():
            logits = predict(Tensor(observations)).asnumpy()
            step = environments.step(logits.argmax(axis=1))
            observations, rewards, ended, cut, _ = step
            returns += rewards * playing
            playing &= ~(ended | cut)
        network.set_train(True)
        return {"mean_return": float(returns.mean())}

    return evaluate
