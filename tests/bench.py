"""Ratios of times, each pair measured in turn in one run: ``make bench``.

step    the rendered training step / the shortest one written by hand with the same arithmetic
epoch   an epoch of the rendered loop / its bare steps plus its evaluation
render  ``copier copy --defaults`` of this template / of an empty one
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
        started = time.perf_counter()
        subprocess.run([*command, str(template), f"{folder}/project"], check=True)
        return time.perf_counter() - started


def render_ratio(runs: int = 7) -> float:
    """Return the median time of a copy of this template over that of an empty one."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder)
        (empty / "copier.yml").write_text("{}\n")
        pairs = [(copy_seconds(snapshot()), copy_seconds(empty)) for _ in range(runs)]
    return statistics.median(ours / theirs for ours, theirs in pairs)


if __name__ == "__main__":
    for name, answers in STEPS.items():
        print(
            f"step    {name:26} {measure('bench_step.py', answers, []):.2f}", flush=True
        )
    for name, (answers, arguments) in EPOCHS.items():
        ratio = measure("bench_epoch.py", answers, arguments)
        print(f"epoch   {name:26} {ratio:.2f}", flush=True)
    print(f"render  {'copier copy --defaults':26} {render_ratio():.2f}")
