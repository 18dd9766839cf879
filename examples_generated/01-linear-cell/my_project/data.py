"""The samples: points of the line y = 2x, with a little noise."""

from collections.abc import Iterator

import numpy as np
from mindspore import Tensor

from .config import DataConfig

Arrays = tuple[np.ndarray, ...]

WEIGHT, BIAS = 2.0, 0.0  # of the line that the network must find


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (inputs, *targets).

    Inputs are float32 (samples, 1).
    The target of a regression is float32 (samples, outputs).
    """
    rng = np.random.default_rng(seed)
    count = config.train_samples + config.eval_samples
    inputs = rng.uniform(-1, 1, (count, 1)).astype(np.float32)
    noise = rng.normal(0, 0.05, (count, 1))
    target_target = (WEIGHT * inputs + BIAS + noise).astype(np.float32)
    arrays = (inputs, target_target)
    train_set = tuple([array[: config.train_samples] for array in arrays])
    eval_set = tuple([array[config.train_samples :] for array in arrays])
    return train_set, eval_set


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
