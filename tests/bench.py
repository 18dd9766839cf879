"""Ratios of times, each pair measured in turn in one run: ``make bench``.

step    the rendered training step / the shortest one written by hand with the same arithmetic
epoch   an epoch of the rendered loop / its bare steps plus its evaluation
render  ``copier copy --defaults`` of this template / of an empty one, both in a local clone of this
        repository, and both in a folder that holds nothing else and no git
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generator import ROOT
from generator.render import render, snapshot

STEPS = {
    "mlp, function": {},
    "mlp, cell": {"step": "cell"},
    "mlp, clipped": {"grad_clip": "norm"},
    "mlp, accumulation": {"accumulation": True},
    "mlp, O2 and dynamic scale": {"amp_level": "O2"},
    "cnn on digits": {"model": "cnn", "data": "builtin"},
}
EPOCHS = {
    "mlp": ({}, ["--data.train_samples", "65536"]),
    "cnn on digits": ({"model": "cnn", "data": "builtin"}, []),
}
JOBS = Path(__file__).parent / "jobs"


def measure(job: str, answers: dict, arguments: list[str]) -> float:
    """Render a project, run a job of its own process in it, and return the ratio it prints."""
    with tempfile.TemporaryDirectory() as folder:
        project = render(Path(folder) / "project", answers)
        command = [sys.executable, str(JOBS / job), *arguments]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])["ratio"]


def copy_seconds(template: Path) -> float:
    """Return the time of one ``copier copy --defaults``."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "copier", "copy", "--defaults", "-q"]
        command += [str(template), f"{folder}/project"]
        started = time.perf_counter()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return time.perf_counter() - started


def emptied(template: Path, folder: Path) -> Path:
    """Copy a template into a folder, without its questions and the files that it renders."""
    shutil.copytree(template, folder, symlinks=True)
    (folder / "copier.yml").write_text("_subdirectory: template\n_exclude: ['*']\n")
    if (folder / ".git").exists():
        who = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
        command = ["git", "-C", str(folder), *who, "commit", "-qam", "Empty"]
        subprocess.run(command, check=True)
    return folder


def render_ratio(template: Path, runs: int = 9) -> float:
    """Return the median time of a copy of the template over that of an emptied one."""
    with tempfile.TemporaryDirectory() as folder:
        empty = emptied(template, Path(folder) / "empty")
        pairs = [(copy_seconds(template), copy_seconds(empty)) for _ in range(runs)]
    return statistics.median(ours / theirs for ours, theirs in pairs)


if __name__ == "__main__":
    for name, answers in STEPS.items():
        print(
            f"step    {name:26} {measure('bench_step.py', answers, []):.2f}", flush=True
        )
    for name, (answers, arguments) in EPOCHS.items():
        ratio = measure("bench_epoch.py", answers, arguments)
        print(f"epoch   {name:26} {ratio:.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        print(
            f"render  {'from a local clone':26} {render_ratio(clone):.2f}", flush=True
        )
    print(f"render  {'from a bare folder':26} {render_ratio(snapshot()):.2f}")
