"""What the tests share: small settings, and batches of the project's own data."""

import sys
from dataclasses import replace

import pytest
from my_project.config import parse_args
from my_project.data import batches, load
from my_project.device import set_up


@pytest.fixture(scope="session")
def config():
    """The settings of configs/train.yaml with little data, on a CPU."""
    argv = sys.argv
    sys.argv = ["test", "--device", "CPU", "--data.train_samples", "256"]
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
def micro_batches(config, train_set):
    """Four batches of eight samples."""
    of_eight = replace(config.data, batch_size=8)
    four = batches(train_set, of_eight, 1, 1)
    return [next(four) for _ in range(4)]
