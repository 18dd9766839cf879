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
    return nn.Adam(
        groups,
        learning_rate=config.learning_rate,
        beta1=config.beta1,
        weight_decay=config.weight_decay,
    )


def name_state(optimizer: nn.Optimizer, prefix: str) -> None:
    """Put a prefix before the names of what the optimizer holds beside the weights.

    A checkpoint then tells the states of two optimizers apart. The weights keep their
    names, which `optimizer.update_parameters_name` would change too.
    """
    weights = {weight.name for weight in optimizer.parameters}
    for parameter in optimizer.get_parameters():
        if parameter.name not in weights:
            parameter.name = f"{prefix}.{parameter.name}"


def build_update(forward_fn: Callable, optimizer: nn.Optimizer) -> Callable:
    """Return ``update(*batch) -> (loss, task_losses)`` of a network."""
    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def update(*batch):
        (loss, task_losses), grads = grad_fn(*batch)
        # depend orders the update before the return.
        loss = ops.depend(loss, optimizer(grads))
        return loss, task_losses

    return update


def build_train_step(
    update_discriminator: Callable, update_generator: Callable
) -> Callable:
    """Return ``train_step(*batch) -> (loss, task_losses)``.

    The batch is (real, noise, ..., noise): a pair for each update of the discriminator,
    then the noise for one of the generator. The loss is the sum of both task losses,
    of which the discriminator's is that of its last update.
    """

    def train_step(*batch):
        *pairs, noise = batch
        for real, fake_noise in zip(pairs[::2], pairs[1::2]):
            discriminator_loss = update_discriminator(real, fake_noise)[0]
        generator_loss = update_generator(noise)[0]
        task_losses = discriminator_loss, generator_loss
        return discriminator_loss + generator_loss, task_losses

    return train_step
