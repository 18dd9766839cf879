"""A rendered project, imported into this process and built from its own functions."""

import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import astuple
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml


class Project:
    """A rendered project; within `with`, the current folder and the first to import from."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder).resolve()
        recorded = (self.folder / ".copier-answers.yml").read_text(encoding="utf-8")
        self.answers = yaml.safe_load(recorded)
        self.package = self.answers["project_name"].replace("-", "_")

    def __enter__(self) -> "Project":
        self.left = os.getcwd()
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        return self

    def __exit__(self, *_: Any) -> None:
        os.chdir(self.left)
        sys.path.remove(str(self.folder))

    def module(self, name: str) -> ModuleType:
        """Return a module of the project's package."""
        return import_module(f"{self.package}.{name}")

    def config(self, *settings: str) -> Any:
        """Return the Config that train.py makes of these settings of its command line."""
        sys.argv = ["train.py", "--device=CPU", *settings]
        parse_args = self.module("config").parse_args
        return parse_args("--resume", "", nargs="?", const="latest")[0]

    def build(
        self,
        config: Any,
        sample_shape: tuple[int, ...],
        rates: list[float] = (),
        ranks: int = 1,
    ) -> tuple:
        """Return (network, optimizer, train_step, state), the weights drawn from the seed."""
        import mindspore as ms

        ms.set_seed(config.seed)
        given = {"rates": list(rates), "ranks": ranks}
        build = self.module("loop").build
        wanted = inspect.signature(build).parameters
        extra = {name: given[name] for name in wanted if name in given}
        return build(config, tuple(sample_shape), **extra)

    def build_evaluate(self, network: Any, config: Any, dataset: tuple) -> Callable:
        """Return ``evaluate()``: the losses and metrics of a network over a dataset."""
        build_evaluate = self.module("forward").build_evaluate
        weights = getattr(config, "task_weights", None)
        extra = (astuple(weights),) if weights else ()
        return build_evaluate(network, dataset, config.data.batch_size, *extra)
