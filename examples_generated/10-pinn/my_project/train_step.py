"""The optimizer and the training step: forward, backward and update."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, nn, ops

from .config import OptimizerConfig


def learning_rates(config: OptimizerConfig, updates: int) -> list[float]:
    """Return the learning rate of each update."""
    return nn.cosine_decay_lr(0.0, config.learning_rate, updates, 1, updates)


def build_optimizer(
    parameters: list[Parameter], config: OptimizerConfig, rates: list[float]
) -> nn.Optimizer:
    """Return the optimizer of the parameters; only matrices and kernels decay.

    `rates` are the learning rates of the updates.
    """
    decaying = [parameter for parameter in parameters if parameter.ndim > 1]
    others = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
    return nn.Adam(
        groups,
        learning_rate=rates,
        weight_decay=config.weight_decay,
    )


def build_train_step(forward_fn: Callable, optimizer: nn.Optimizer) -> Callable:
    """Return ``train_step(*batch) -> (loss, task_losses)``, an update."""
    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def train_step(*batch):
        (loss, task_losses), grads = grad_fn(*batch)
        # depend orders the update before the return.
        loss = ops.depend(loss, optimizer(grads))
        return loss, task_losses

    return train_step
