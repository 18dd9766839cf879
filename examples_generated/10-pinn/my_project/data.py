"""The equation, -Δu = f on the unit square with u given on its boundary, and points."""

from collections.abc import Iterator

import numpy as np
from mindspore import Tensor

from .config import DataConfig

Arrays = tuple[np.ndarray, ...]


def exact(points: np.ndarray) -> np.ndarray:
    """Return the solution u at points (points, 2), as (points, 1): to compare with."""
    return np.sin(np.pi * points[:, :1]) * np.sin(np.pi * points[:, 1:])


def source(points: np.ndarray) -> np.ndarray:
    """Return f at points (points, 2), as (points, 1): edit it for another equation."""
    return 2 * np.pi**2 * exact(points)


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return what to train on and what to evaluate on.

    Training: points inside, f there, points on the boundary, and u there. Evaluation: a
    grid, and the solution on it. All are float32, points (samples, 2), values
    (samples, 1).
    """
    rng = np.random.default_rng(seed)
    inside = rng.uniform(size=(config.train_samples, 2))
    boundary = rng.uniform(size=(config.train_samples, 2))
    side = rng.integers(4, size=config.train_samples)
    boundary[np.arange(len(side)), side // 2] = side % 2
    axis = np.linspace(0, 1, config.grid_size)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    train_set = (inside, source(inside), boundary, exact(boundary))
    train_set = tuple([array.astype(np.float32) for array in train_set])
    return train_set, (grid.astype(np.float32), exact(grid).astype(np.float32))


def batches(
    dataset: Arrays, config: DataConfig, seed: int, epoch: int
) -> Iterator[tuple[Tensor, ...]]:
    """Yield the batches of an epoch: tuples of Tensors (inputs, *targets).

    The order follows from `seed` and `epoch` alone, as resuming needs. The rest is
    dropped: a batch of another size would compile the step once more.
    """
    order = np.random.default_rng([seed, epoch]).permutation(len(dataset[0]))
    for start in range(0, len(order) - config.batch_size + 1, config.batch_size):
        rows = order[start : start + config.batch_size]
        yield tuple([Tensor(array[rows]) for array in dataset])
