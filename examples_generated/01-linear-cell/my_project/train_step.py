"""The optimizer and the training step: forward, backward and update."""

import mindspore as ms
from mindspore import Parameter, nn, ops

from .config import OptimizerConfig


def build_optimizer(parameters: list[Parameter], config: OptimizerConfig):
    """Return the optimizer of the parameters; only matrices and kernels decay."""
    decaying = [parameter for parameter in parameters if parameter.ndim > 1]
    others = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups = [{"params": decaying}, {"params": others, "weight_decay": 0.0}]
    return nn.Momentum(
        groups,
        learning_rate=config.learning_rate,
        momentum=config.momentum,
        weight_decay=config.weight_decay,
    )


class TrainStep(nn.TrainOneStepCell):
    """``train_step(*batch) -> (loss, task_losses)``: an update."""

    def __init__(self, network: nn.Cell, optimizer: nn.Optimizer):
        super().__init__(network, optimizer)
        self.grad_fn = ms.value_and_grad(network, None, self.weights, has_aux=True)

    @ms.jit
    def construct(self, *batch):
        (loss, task_losses), grads = self.grad_fn(*batch)
        # depend orders the update before the return.
        loss = ops.depend(loss, self.optimizer(grads))
        return loss, task_losses
