"""The optimizer and the training step: forward, backward and update."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.amp import LossScaler, all_finite

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


def build_train_step(
    forward_fn: Callable,
    optimizer: nn.Optimizer,
    loss_scaler: LossScaler,
) -> Callable:
    """Return ``train_step(*batch) -> (loss, task_losses)``, an update."""

    def scaled_forward_fn(*batch):
        loss, task_losses = forward_fn(*batch)
        return loss_scaler.scale(loss), (loss, task_losses)

    grad_fn = ms.value_and_grad(
        scaled_forward_fn, None, optimizer.parameters, has_aux=True
    )

    # Two compiled functions: the branch in the second would slow down all of the first.
    @ms.jit
    def compute_grads(*batch):
        (_, (loss, task_losses)), grads = grad_fn(*batch)
        return loss, task_losses, loss_scaler.unscale(grads)

    @ms.jit
    def apply_grads(*grads):
        is_finite = all_finite([flatten(grads)])
        loss_scaler.adjust(is_finite)
        if is_finite:
            optimizer(grads)

    def train_step(*batch):
        loss, task_losses, grads = compute_grads(*batch)
        apply_grads(*grads)
        return loss, task_losses

    return train_step
