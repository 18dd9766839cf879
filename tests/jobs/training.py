"""Trains a project through its own loop, and measures what the loss has to fall below."""

import csv
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import yaml
from project import Project


def constant_loss(config: Any, targets: list[np.ndarray]) -> float:
    """Return the loss of the best outputs that ignore the input.

    Those are the mean of a regression's targets and the frequencies of a classification's.
    """
    weights = asdict(config).get("task_weights", {"only": 1.0}).values()
    total = 0.0
    for weight, target in zip(weights, targets, strict=True):
        if target.dtype == np.int32:
            share = np.bincount(target) / len(target)
            loss = -(share[share > 0] * np.log(share[share > 0])).sum()
        else:
            loss = target.var(axis=0).mean()
        total += weight * loss
    return float(total)


def mean_distance(samples: np.ndarray, real: np.ndarray) -> float:
    """Return how far a sample is from the real one that is nearest, in the mean."""
    gaps = np.linalg.norm(samples[:, None] - real[:500], axis=2)
    return float(gaps.min(axis=1).mean())


def measure_gan(project: Project, config: Any) -> dict[str, Any]:
    """Return how far generated samples are from real ones, before training and after.

    The losses of a gan need not fall. Returns the parameters that training left alone too.
    """
    train_set, _ = project.module("data").load(config.data, config.seed)
    network = project.build(config, train_set[0].shape[1:], rates=[0.1] * 100)[0]
    rng = np.random.default_rng(1)
    size = project.module("data").NOISE_SIZE
    noise = rng.standard_normal((200, size), dtype=np.float32)
    parameters = network.parameters_dict()
    first = {name: parameters[name].asnumpy().copy() for name in parameters}
    distances = []
    for checkpoint in (None, max(Path("runs/run").glob("epoch-*.ckpt"))):
        if checkpoint:
            project.module("run").restore(checkpoint, parameters)
        samples = network(ms.Tensor(noise)).float().asnumpy()
        distances.append(mean_distance(samples, train_set[0]))
    still = [
        name for name in first if (parameters[name].asnumpy() == first[name]).all()
    ]
    return {"distances": distances, "still": still}


def train(project: Project, settings: list[str]) -> dict[str, Any]:
    """Train, and return the rows of metrics.csv and what to compare them with."""
    if (project.folder / "make_example_data.py").exists():
        subprocess.run([sys.executable, "make_example_data.py"], check=True)
    config = project.config("--run_name=run", *settings)
    project.module("device").set_up(config, False)
    train_set, _ = project.module("data").load(config.data, config.seed)
    untrained = project.build(config, train_set[0].shape[1:], rates=[0.1] * 100)[0]
    before = project.evaluate(untrained, config, train_set)["eval_loss"]
    project.module("loop").train(config)
    with open("runs/run/metrics.csv", newline="", encoding="utf-8") as file:
        rows = [
            {name: float(row[name]) for name in row} for row in csv.DictReader(file)
        ]
    in_yaml = yaml.safe_load((project.folder / "configs/train.yaml").read_text("utf-8"))
    if project.answers["model"] == "gan":
        reference = measure_gan(project, config)
    else:
        reference = {"constant": constant_loss(config, train_set[1:])}
    return {
        "untrained": before,
        **reference,
        "rows": rows,
        "settings": names_of(asdict(config)),
        "settings_in_yaml": names_of(in_yaml),
    }


def names_of(settings: dict[str, Any], prefix: str = "") -> list[str]:
    """Return the names of settings, those in sections with a dot."""
    names = []
    for name, value in settings.items():
        if isinstance(value, dict):
            names += names_of(value, f"{prefix}{name}.")
        else:
            names.append(prefix + name)
    return names
