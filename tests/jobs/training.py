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
            share = np.bincount(target.ravel()) / target.size
            loss = -(share[share > 0] * np.log(share[share > 0])).sum()
        else:
            loss = target.var(axis=0).mean()
        total += weight * loss
    return float(total)


def mean_distance(samples: np.ndarray, real: np.ndarray) -> float:
    """Return how far a sample is from the real one that is nearest, in the mean."""
    gaps = np.linalg.norm(samples[:, None] - real[:500], axis=2)
    return float(gaps.min(axis=1).mean())


def distances(project: Project, network: Any, real: np.ndarray) -> list[float]:
    """Return how far generated samples are from real ones: at first, and at best."""
    rng = np.random.default_rng(1)
    size = project.module("data").NOISE_SIZE
    noise = ms.Tensor(rng.standard_normal((200, size), dtype=np.float32))
    found = [mean_distance(network(noise).float().asnumpy(), real)]
    best = Path("runs/run/best.ckpt")
    project.module("run").restore(best, network.parameters_dict())
    return [*found, mean_distance(network(noise).float().asnumpy(), real)]


def newest() -> Path:
    """Return the newest checkpoint of the run."""
    return max(Path("runs/run").glob("epoch-*.ckpt"))


def train(project: Project, settings: list[str]) -> dict[str, Any]:
    """Train, and return the rows of metrics.csv and what to compare them with."""
    if (project.folder / "make_example_data.py").exists():
        subprocess.run([sys.executable, "make_example_data.py"], check=True)
    config = project.config("--run_name=run", *settings)
    project.module("device").set_up(config, False)
    train_set, eval_set = project.module("data").load(config.data, config.seed)
    network = project.build(config, train_set[0].shape[1:], rates=[0.1] * 100)[0]
    reference = {}
    if project.answers["model"] == "policy_gradient":
        score = project.build_evaluate(network, config, eval_set)()
        reference["untrained"] = score["mean_return"]
    elif project.answers["model"] == "pinn":  # the residual that a constant leaves
        source = float(np.square(train_set[1]).mean())
        reference |= {"untrained": source, "constant": source}
    elif project.answers["model"] != "gan":
        evaluate = project.build_evaluate(network, config, train_set)
        reference["untrained"] = evaluate()["eval_loss"]
        reference["constant"] = constant_loss(config, train_set[1:])
    project.module("loop").train(config)
    with open("runs/run/metrics.csv", newline="", encoding="utf-8") as file:
        rows = [
            {name: float(row[name]) for name in row} for row in csv.DictReader(file)
        ]
    in_yaml = yaml.safe_load((project.folder / "configs/train.yaml").read_text("utf-8"))
    stored = ms.load_checkpoint(str(newest()), crc_check=True)
    weights = network.trainable_params()
    still = [w.name for w in weights if (w.asnumpy() == stored[w.name].asnumpy()).all()]
    if project.answers["model"] == "gan":
        reference["distances"] = distances(project, network, train_set[0])
    elif project.answers["model"] == "pinn":
        reference["trained"] = rows[-1]["loss"]
    elif project.answers["model"] != "policy_gradient":
        # Not by restore, whose set_data `evaluate`, compiled already, would not see.
        for parameter in network.get_parameters():
            ms.ops.assign(parameter, stored[parameter.name])
        reference["trained"] = evaluate()["eval_loss"]
    return {
        **reference,
        "still": still,
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
