"""The samples: windows of the source text of Python's standard library."""

import sysconfig
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from mindspore import Tensor

from .config import DataConfig, InputError

Arrays = tuple[np.ndarray, ...]

VOCABULARY = 256  # the tokens are bytes


def read_text(config: DataConfig) -> tuple[bytes, bytes]:
    """Return the text to train on and the text held out: modules of Python's own.

    Every tenth module is held out, so that none is in both.
    """
    folder = Path(sysconfig.get_path("stdlib"))
    modules = [path.read_bytes() for path in sorted(folder.glob("*.py"))]
    held_out = b"".join(modules[::10])
    del modules[::10]
    return b"".join(modules)[: config.train_bytes], held_out[: config.eval_bytes]


def windows(text: bytes, length: int) -> Arrays:
    """Return inputs and targets, int32 (windows, length): each target is the next byte.

    The windows do not overlap, and what is left at the end fills none.
    """
    count = (len(text) - 1) // length
    if count < 1:
        raise InputError(f"{len(text)} bytes fill no window: lower --data.length")
    tokens = np.frombuffer(text, np.uint8)[: count * length + 1].astype(np.int32)
    return tokens[:-1].reshape(count, length), tokens[1:].reshape(count, length)


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the windows to train on and to evaluate on: arrays (inputs, targets).

    Both are bytes as int32 (windows, length). What is held out depends on no seed.
    Raises InputError for a text that is too short.
    """
    del seed
    train_text, eval_text = read_text(config)
    return windows(train_text, config.length), windows(eval_text, config.length)


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
