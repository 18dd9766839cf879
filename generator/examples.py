"""The rendered examples: one list, in the order of teaching, and what keeps them fresh."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import ADDRESS, ROOT
from .render import render, snapshot

FOLDER = ROOT / "examples_generated"


@dataclass(frozen=True)
class Example:
    """A project to render: the folder's name, a title, and the answers that differ from the
    defaults. The project's name is the same in all, so that `diff -r` shows the option alone.
    """

    name: str
    title: str
    answers: Mapping[str, Any]


_LINEAR = {"model": "linear"}
_DIGITS = {"model": "cnn", "data": "builtin"}

EXAMPLES = (
    Example(
        "01-linear-cell",
        "A line through points, the step a subclass of nn.TrainOneStepCell",
        {**_LINEAR, "step": "cell"},
    ),
    Example(
        "02-linear-function",
        "The same, the step a @ms.jit function",
        {**_LINEAR, "step": "function"},
    ),
    Example("03-cnn-digits", "A convolutional network that reads digits", _DIGITS),
    Example(
        "04-cnn-digits-amp",
        "03 in mixed precision with a dynamic loss scale",
        {**_DIGITS, "amp_level": "O2", "amp_dtype": "float16", "loss_scale": "dynamic"},
    ),
    Example(
        "05-cnn-digits-accumulation",
        "03 with the gradients of several micro-batches averaged before each update",
        {**_DIGITS, "accumulation": True},
    ),
    Example(
        "06-cnn-digits-clipped-accumulation",
        "05 with the norm of the gradients bounded",
        {**_DIGITS, "accumulation": True, "grad_clip": "norm"},
    ),
    Example(
        "07-cnn-digits-two-tasks",
        "03 with a second task, so a second head and a second loss",
        {**_DIGITS, "num_tasks": 2},
    ),
    Example(
        "08-cnn-digits-data-parallel",
        "03 on several ranks, each with its own shard of the data",
        {**_DIGITS, "parallel": "data_parallel"},
    ),
    Example(
        "09-transformer-text",
        "A transformer that continues source text, byte by byte",
        {"model": "transformer", "data": "builtin"},
    ),
    Example(
        "10-pinn",
        "A physics-informed network that solves Poisson's equation",
        {"model": "pinn"},
    ),
    Example(
        "11-gan",
        "A generator and a discriminator, and a mixture of eight Gaussians",
        {"model": "gan"},
    ),
    Example(
        "12-policy-gradient",
        "An agent that learns to balance a pole, by REINFORCE with a baseline",
        {"model": "policy_gradient"},
    ),
)


def _render(example: Example, folder: Path) -> None:
    """Render an example the same way on every machine and from every commit."""
    render(folder, example.answers)
    here = re.escape(str(snapshot()))
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            path.write_bytes(re.sub(here.encode(), ADDRESS.encode(), data))


def write(root: Path = FOLDER) -> Iterator[Example]:
    """Replace the rendered examples in `root`, and yield each one when it is in place.

    A folder that is no longer in the list is removed.
    """
    root.mkdir(parents=True, exist_ok=True)
    names = {example.name for example in EXAMPLES}
    for old in root.iterdir():
        if old.is_dir() and old.name not in names and re.match(r"\d\d-", old.name):
            shutil.rmtree(old)
    for example in EXAMPLES:
        with tempfile.TemporaryDirectory(dir=root, prefix=".new-") as temporary:
            fresh = Path(temporary) / example.name
            _render(example, fresh)
            shutil.rmtree(root / example.name, ignore_errors=True)
            fresh.rename(root / example.name)
        yield example


IGNORED = {"runs", "__pycache__", ".pytest_cache", ".ruff_cache", "data", "kernel_meta"}
"""Folders that a training or a test run leaves in an example; not part of it."""


def _files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files of a folder by their path in it."""
    found = {}
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not IGNORED & set(parts[:-1]):
            found["/".join(parts)] = path.read_bytes()
    return found


def diff(root: Path = FOLDER) -> list[str]:
    """Return what differs between `root` and a fresh render, a line for each file."""
    differences = []
    with tempfile.TemporaryDirectory() as temporary:
        for example in EXAMPLES:
            fresh = Path(temporary) / example.name
            _render(example, fresh)
            new, old = _files(fresh), _files(root / example.name)
            for name in sorted(new.keys() | old.keys()):
                if name not in old:
                    what = "is missing"
                elif name not in new:
                    what = "is no longer rendered"
                elif old[name] != new[name]:
                    what = "differs"
                else:
                    continue
                differences.append(f"{example.name}/{name} {what}")
    names = {example.name for example in EXAMPLES}
    stale = [
        path.name for path in root.glob("*") if path.is_dir() and path.name not in names
    ]
    return differences + [f"{name} is no longer in the list" for name in sorted(stale)]
