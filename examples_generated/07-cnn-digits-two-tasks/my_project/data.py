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


def standardise(array: np.ndarray, train_rows: np.ndarray) -> np.ndarray:
    """Scale columns to mean 0 and deviation 1 over the training rows, in float32."""
    mean, deviation = array[train_rows].mean(axis=0), array[train_rows].std(axis=0)
    return ((array - mean) / np.where(deviation > 0, deviation, 1)).astype(np.float32)


def image_statistics(images: np.ndarray) -> list[np.ndarray]:
    """Return a column for each regression task, from images (samples, 8, 8)."""
    ink = images.mean(axis=(1, 2))
    return [
        ink,
    ]


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (inputs, *targets).

    Inputs are the grey values from 0 to 1: float32 (samples, 1, 8, 8).
    The target is the digit: int32 (samples,).
    Each further task is a statistic of the image, standardised: float32 (samples, 1).
    """
    digits = load_digits()
    train_rows, eval_rows = split(len(digits.images), config.eval_share, seed)
    images = (digits.images / 16).astype(np.float32)
    labels = digits.target.astype(np.int32)
    statistics = image_statistics(images)
    targets = [standardise(column[:, None], train_rows) for column in statistics]
    arrays = (images[:, None], labels, *targets)
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
