"""The optimizer and the training step: forward, backward and update."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, nn, ops

from .config import OptimizerConfig


def build_optimizer(parameters: list[Parameter], config: OptimizerConfig):
    """Return the optimizer of the parameters; only matrices and kernels decay."""
    decaying = [parameter for parameter in parameters if parameter.ndim > 1]
    others = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
    return nn.AdamWeightDecay(
        groups, learning_rate=config.learning_rate, weight_decay=config.weight_decay
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
