"""The settings of a run: configs/train.yaml, then --config, then the command line."""

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal

from jsonargparse import ArgumentError, ArgumentParser, Namespace, set_parsing_settings
from jsonargparse import typing as numeric

PROJECT = Path(__file__).parents[1]
set_parsing_settings(docstring_parse_attribute_docstrings=True)
os.environ.setdefault("GLOG_v", "3")  # MindSpore then logs errors alone


class InputError(Exception):
    """What the user gave cannot be used: one line says why, and what to do."""


@dataclass(frozen=True)
class DataConfig:
    """Settings of the samples"""

    train_bytes: numeric.PositiveInt
    """bytes of text to train on"""
    eval_bytes: numeric.PositiveInt
    """bytes of text to evaluate on, from other modules"""
    length: numeric.PositiveInt
    """bytes in a sample"""
    batch_size: numeric.PositiveInt
    """samples in a batch"""


@dataclass(frozen=True)
class NetworkConfig:
    """Settings of the network"""

    width: numeric.PositiveInt
    """features of a position; a multiple of the heads"""
    heads: numeric.PositiveInt
    """attention heads of a block"""
    blocks: numeric.PositiveInt
    """blocks of attention and feed-forward network"""


@dataclass(frozen=True)
class SampleConfig:
    """Settings of the text that is written after training"""

    prompt: str
    """what the text begins with"""
    bytes: numeric.PositiveInt
    """bytes to write after the prompt"""
    temperature: numeric.PositiveFloat
    """below 1: likelier bytes; above 1: more surprising ones"""


@dataclass(frozen=True)
class OptimizerConfig:
    """Settings of the optimizer"""

    learning_rate: numeric.PositiveFloat
    """learning rate where the schedule is highest"""
    weight_decay: numeric.NonNegativeFloat
    """share of the weights that an update takes away, times the learning rate"""
    warmup_share: numeric.OpenUnitInterval
    """share of all updates during which the learning rate rises"""


@dataclass(frozen=True)
class Config:
    """Settings of the run"""

    seed: numeric.NonNegativeInt
    """seed of the data, the initial weights and the order of samples"""
    device: Literal["CPU", "GPU", "Ascend"]
    """where training runs"""
    worker_cores: Literal["auto", "one", "all"]
    """cores of MindSpore's worker threads on a CPU; auto: one if there are two"""
    epochs: numeric.PositiveInt
    """passes over the training samples"""
    keep_checkpoints: numeric.PositiveInt
    """newest checkpoints to keep, beside the best"""
    runs: str
    """folder that takes a folder for each run"""
    run_name: str
    """name of the run's folder; empty for the time of its start"""
    data: DataConfig
    network: NetworkConfig
    sample: SampleConfig
    optimizer: OptimizerConfig


def parse_args(run_option: str, run_help: str, **run_settings):
    """Return the Config, and the options `eager` (bool) and `run` (a folder or None).

    `run_option` names a run, the newest one by "latest"; its settings replace those of
    `configs/train.yaml`. Raises InputError for a setting that cannot be used.
    """

    def parse(*files: Path) -> Namespace:
        defaults = [str(path) for path in files]
        parser = ArgumentParser(default_config_files=defaults, exit_on_error=False)
        add = parser.add_argument
        add("--config", action="config", help="YAML file of settings to replace")
        add("--eager", action="store_true", help="run uncompiled, to debug (slow)")
        add(run_option, dest="run", metavar="RUN", help=run_help, **run_settings)
        parser.add_class_arguments(Config)
        return parser.instantiate(parser.parse_args())

    defaults = PROJECT / "configs" / "train.yaml"
    try:
        options = parse(defaults)
        if options.run:
            folder = find_run(options.runs, options.run)
            options = parse(defaults, folder / "config.yaml")
            options.run = folder
    except ArgumentError as error:
        raise InputError(" ".join(str(error).split())) from None
    config = Config(**{field.name: options.pop(field.name) for field in fields(Config)})
    if "Infinity" in json.dumps(asdict(config)) or config.seed >= 2**32:
        raise InputError("a setting is infinite, or the seed not below 2**32")
    if config.network.width % config.network.heads:
        raise InputError("--network.width must be a multiple of --network.heads")
    return config, options


def find_run(runs: str, name: str) -> Path:
    """Return the folder of a run: `name`, or the newest in `runs` for "latest"."""
    folders = Path(runs).glob("*") if name == "latest" else [Path(name)]
    kept = [path for folder in folders for path in folder.glob("epoch-*.ckpt")]
    if not kept:
        place = runs if name == "latest" else name
        raise InputError(f"{place} holds no run with a finished epoch: train first")
    return max(kept, key=lambda path: path.stat().st_mtime).parent
