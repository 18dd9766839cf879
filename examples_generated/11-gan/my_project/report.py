"""What a run ends with: a picture of generated samples."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from mindspore import Tensor, nn

from .config import Config
from .data import NOISE_SIZE, Arrays


def sample(network: nn.Cell, count: int, seed: int) -> np.ndarray:
    """Return float32 (count, features) of generated samples."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((count, NOISE_SIZE), dtype=np.float32)
    return network(Tensor(noise)).asnumpy()


def draw(samples: np.ndarray, real: np.ndarray, path: Path) -> None:
    """Draw generated points over real ones."""
    figure = Figure(layout="constrained", figsize=(5, 5))
    axes = figure.subplots()
    axes.scatter(*real.T, s=4, color="0.7", label="real")
    axes.scatter(*samples.T, s=4, label="generated")
    axes.set_aspect("equal")
    axes.legend()
    figure.savefig(path)


def report(
    network: nn.Cell, config: Config, folder: Path, train_set: Arrays, eval_set: Arrays
) -> dict[str, float]:
    """Draw samples.png into the folder."""
    network.set_train(False)
    samples = sample(network, len(eval_set[0]), config.seed)
    draw(samples, eval_set[0], folder / "samples.png")
    network.set_train(True)
    return {}
