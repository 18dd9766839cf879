"""What the network is trained for: to obey the equation inside, and the boundary.

A physics-informed network: Raissi, Perdikaris and Karniadakis, 2019.
"""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from .data import Arrays

TASKS = ["residual", "boundary"]  # the losses, in their order
BEST_BY, BEST = "max_error", min  # chooses the best checkpoint


def equation_residual(network: nn.Cell, points: Tensor, source: Tensor) -> Tensor:
    """Return -Δu - f at each point, float32 (points, 1): zero for a solution.

    An output depends on its own point alone, so the gradient of the sum holds the
    derivatives at all points.
    """

    def total(points):
        return network(points).sum()

    def slope_x(points):
        return ms.grad(total)(points)[:, 0].sum()

    def slope_y(points):
        return ms.grad(total)(points)[:, 1].sum()

    u_xx = ms.grad(slope_x)(points)[:, :1]
    u_yy = ms.grad(slope_y)(points)[:, 1:]
    return -(u_xx + u_yy) - source


def equation_losses(
    network: nn.Cell, points: Tensor, source: Tensor, boundary: Tensor, values: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the mean squares of the residual and of the error on the boundary.

    Both are float32 scalars; `values` are those that the solution has on the boundary.
    """
    residual = equation_residual(network, points, source)
    error = network(boundary) - values
    return ops.square(residual).mean(), ops.square(error).mean()


def build_forward_fn(network: nn.Cell, task_weights: tuple[float, ...]) -> Callable:
    """Return ``forward_fn(points, source, boundary, values) -> (loss, task_losses)``.

    Both are float32: a scalar, the sum of the weighted task losses, and a tuple of the
    scalars before weighting, one for each task.
    """

    def forward_fn(points, source, boundary, values):
        task_losses = equation_losses(network, points, source, boundary, values)
        loss = 0.0
        for weight, task_loss in zip(task_weights, task_losses):
            loss += weight * task_loss
        return loss, task_losses

    return forward_fn


def build_evaluate(
    network: nn.Cell, dataset: Arrays, batch_size: int, task_weights: tuple[float, ...]
) -> Callable:
    """Return ``evaluate()``, which gives the errors against the exact solution."""
    del batch_size, task_weights  # the grid is one batch, and no task is weighed
    grid, solution = dataset

    @ms.jit
    def predict(points):
        return network(points)

    def evaluate() -> dict[str, float]:
        network.set_train(False)
        error = predict(Tensor(grid)).asnumpy() - solution
        network.set_train(True)
        mean_square = float(np.square(error).mean())
        return {"eval_loss": mean_square, "max_error": float(np.abs(error).max())}

    return evaluate
