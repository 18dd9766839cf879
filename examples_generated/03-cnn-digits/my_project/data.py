"""The samples: the data set digits of scikit-learn, 1797 images of 8x8 pixels."""

from collections.abc import Iterator

import numpy as np
from mindspore import Tensor
from sklearn.datasets import load_digits

from .config import DataConfig

Arrays = tuple[np.ndarray, ...]


def split(count: int, eval_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return shuffled row numbers: those to train on, and those held out."""
    order = np.random.default_rng(seed).permutation(count)
    held_out = max(1, round(count * eval_share))
    return order[held_out:], order[:held_out]


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (inputs, *targets).

    Inputs are the grey values from 0 to 1: float32 (samples, 1, 8, 8).
    The target is the digit: int32 (samples,).
    """
    digits = load_digits()
    train_rows, eval_rows = split(len(digits.images), config.eval_share, seed)
    images = (digits.images / 16).astype(np.float32)
    labels = digits.target.astype(np.int32)
    arrays = (images[:, None], labels)
    train_set = tuple([array[train_rows] for array in arrays])
    eval_set = tuple([array[eval_rows] for array in arrays])
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
