"""The samples: points of eight normal distributions, whose centres are on a circle."""

from collections.abc import Iterator

import numpy as np
from mindspore import Tensor

from .config import DataConfig

Arrays = tuple[np.ndarray, ...]

NOISE_SIZE = 8  # numbers that a sample is generated from
ANGLES = 2 * np.pi * np.arange(8) / 8
CENTRES = 2 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
DEVIATION = 0.1  # of the points around their centre, along each axis


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: an array each, in a tuple.

    The points are float32 (samples, 2).
    """
    rng = np.random.default_rng(seed)
    count = config.train_samples + config.eval_samples
    centres = CENTRES[rng.integers(len(CENTRES), size=count)]
    points = rng.normal(centres, DEVIATION).astype(np.float32)
    return (points[: config.train_samples],), (points[config.train_samples :],)


def batches(
    dataset: Arrays, config: DataConfig, seed: int, epoch: int
) -> Iterator[tuple[Tensor, ...]]:
    """Yield what the steps of an epoch take: Tensors (real, noise, ..., noise).

    Real samples and noise alternate, a pair for each update of the discriminator; the
    last noise is for the generator. All follow from `seed` and `epoch` alone, as
    resuming needs. The rest is dropped: another size would compile the step once more.
    """
    rng = np.random.default_rng([seed, epoch])
    order = rng.permutation(len(dataset[0]))
    width = config.batch_size  # of a discriminator's update

    def draw_noise() -> Tensor:
        noise = rng.standard_normal((width, NOISE_SIZE), dtype=np.float32)
        return Tensor(noise)

    step_width = width * config.discriminator_steps
    for start in range(0, len(order) - step_width + 1, step_width):
        batch = []
        for first in range(start, start + step_width, width):
            rows = order[first : first + width]
            batch += [Tensor(dataset[0][rows]), draw_noise()]
        yield (*batch, draw_noise())
