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


def flatten(grads) -> Tensor:
    """Return all gradients as one vector: one kernel over it beats one for each."""
    return ops.concat([grad.reshape(-1) for grad in grads])


def clip_by_norm(grads, norm: Tensor, max_norm: float) -> tuple[Tensor, ...]:
    """Scale gradients, whose global norm is `norm`, down to `max_norm` if larger."""
    factor = max_norm / ops.maximum(norm, max_norm)
    return tuple([grad * factor for grad in grads])


def build_train_step(
    forward_fn: Callable,
    optimizer: nn.Optimizer,
    accumulation_steps: int,
    clip_norm: float,
) -> Callable:
    """Return ``train_step(*batch, last=False) -> (loss, task_losses, grad_norm)``.

    The parameters move when the window of `accumulation_steps` micro-batches is full,
    or at the `last` one of an epoch, by the mean over what it then holds. Python
    chooses between two compiled functions, which is faster than a branch in one.
    """
    filled = 0
    grad_norm = Tensor(0.0)  # of the last full window
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
        grad_norm = ops.norm(flatten(grads))
        grads = clip_by_norm(grads, grad_norm, clip_norm)
        optimizer(grads)
        for grad_sum in window:
            ops.assign(grad_sum, ops.zeros_like(grad_sum))
        return grad_norm

    def train_step(*batch, last=False):
        nonlocal filled, grad_norm
        loss, task_losses = accumulate(*batch)
        filled += 1
        if last or filled == accumulation_steps:
            grad_norm = apply_window(Tensor(filled, ms.float32))
            filled = 0
        return loss, task_losses, grad_norm

    return train_step
