"""The optimizer and the training step, which adds up gradients over a window."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from .config import OptimizerConfig


def build_optimizer(parameters: list[Parameter], config: OptimizerConfig):
    """Return the optimizer of the parameters; only matrices and kernels decay."""
    decaying = [parameter for parameter in parameters if parameter.ndim > 1]
    others = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
    return nn.AdamWeightDecay(
        groups, learning_rate=config.learning_rate, weight_decay=config.weight_decay
    )


def build_train_step(
    forward_fn: Callable,
    optimizer: nn.Optimizer,
    accumulation_steps: int,
) -> Callable:
    """Return ``train_step(*batch, last=False) -> (loss, task_losses)``.

    The parameters move when the window of `accumulation_steps` micro-batches is full,
    or at the `last` one of an epoch, by the mean over what it then holds. Python
    chooses between two compiled functions, which is faster than a branch in one.
    """
    filled = 0
    window = optimizer.parameters.clone(prefix="window", init="zeros")
    for grad_sum in window:
        grad_sum.requires_grad = False
    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def accumulate(*batch):
        (loss, task_losses), grads = grad_fn(*batch)
        for grad_sum, grad in zip(window, grads):
            ops.assign_add(grad_sum, grad)
        return loss, task_losses

    @ms.jit
    def apply_window(count):
        grads = tuple([grad_sum / count for grad_sum in window])
        optimizer(grads)
        for grad_sum in window:
            ops.assign(grad_sum, ops.zeros_like(grad_sum))

    def train_step(*batch, last=False):
        nonlocal filled
        loss, task_losses = accumulate(*batch)
        filled += 1
        if last or filled == accumulation_steps:
            apply_window(Tensor(filled, ms.float32))
            filled = 0
        return loss, task_losses

    return train_step
