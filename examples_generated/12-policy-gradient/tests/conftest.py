"""What the tests share: small settings, and batches of the project's own data."""

import sys

import pytest
from mindspore import Tensor
from my_project.config import parse_args
from my_project.data import load
from my_project.device import set_up


@pytest.fixture(scope="session")
def config():
    """The settings of configs/train.yaml with little data, on a CPU."""
    argv = sys.argv
    sys.argv = ["test", "--device", "CPU"]
    sys.argv += ["--data.train_samples=256", "--data.batch_size=64"]
    try:
        settings, _ = parse_args("--resume", "")
    finally:
        sys.argv = argv
    set_up(settings, eager=False)
    return settings


@pytest.fixture(scope="session")
def train_set(config):
    return load(config.data, config.seed)[0]


@pytest.fixture(scope="session")
def micro_batches(train_set):
    """Four batches of eight samples."""
    slices = [slice(start, start + 8) for start in range(0, 32, 8)]
    return [tuple([Tensor(array[rows]) for array in train_set]) for rows in slices]
