"""What a run ends with: the return that the agent reached, epoch by epoch."""

import csv
from pathlib import Path

import gymnasium as gym
from matplotlib.figure import Figure
from mindspore import nn

from .config import Config
from .data import Arrays


def report(
    network: nn.Cell,
    config: Config,
    folder: Path,
    train_set: Arrays,
    environments: gym.vector.VectorEnv,
) -> dict[str, float]:
    """Draw returns.png into the folder."""
    del network, train_set, environments
    with open(folder / "metrics.csv", newline="", encoding="utf-8") as file:
        returns = [float(row["mean_return"]) for row in csv.DictReader(file)]
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    axes.plot(range(1, len(returns) + 1), returns, marker=".")
    episodes = config.data.eval_episodes
    axes.set(xlabel="epoch", ylabel=f"mean return of {episodes} episodes")
    axes.set_title(config.data.environment)
    figure.savefig(folder / "returns.png")
    return {}
