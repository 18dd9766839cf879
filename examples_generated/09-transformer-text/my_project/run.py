"""The folder of a run: its settings, checkpoints, metrics and plots."""

import csv
import json
import os
import resource
import shutil
import sys
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path

import mindspore as ms
import yaml
from matplotlib.figure import Figure
from mindspore import Parameter

from .config import PROJECT, Config, InputError
from .forward import BEST, BEST_BY


def write_whole(path: Path, write) -> None:
    """Let ``write(path)`` write under another name, then rename: never half a file."""
    temporary = path.with_name(f".new-{path.name}")
    write(temporary)
    os.replace(temporary, path)


def restore(path: Path, state: dict[str, Parameter]) -> dict[str, int]:
    """Set the state to a checkpoint's, and return its counters; or raise InputError."""
    try:
        stored = ms.load_checkpoint(str(path), crc_check=True)
    except (ValueError, RuntimeError, TypeError, OSError):
        raise InputError(f"{path} is no whole checkpoint: remove it") from None
    for name, parameter in state.items():
        if name not in stored or stored[name].shape != parameter.shape:
            raise InputError(
                f"{path} was written under other answers or settings: "
                f"{name} is {'not in it' if name not in stored else 'of another shape'}"
            )
        parameter.set_data(stored.pop(name))
    others = [name for name, value in stored.items() if value.ndim]
    if others and "global_step" in state:  # all is restored, not the network alone
        raise InputError(f"{path} was written under other settings: it has {others[0]}")
    return {name: value.item() for name, value in stored.items() if not value.ndim}


def read_rows(path: Path) -> list[dict]:
    """Return the rows of metrics.csv, or raise InputError."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        rows = [{name: json.loads(row[name]) for name in row} for row in table]
        epochs = [row["epoch"] for row in rows if BEST_BY in row]
    except (OSError, ValueError, TypeError, KeyError):
        epochs = []
    if not epochs or epochs != list(range(1, len(epochs) + 1)):
        raise InputError(f"{path} is missing or damaged: train anew")
    return rows


class Run:
    """The folder of one run: a new one, or `folder`, whose metrics are taken up."""

    def __init__(self, config: Config, folder: Path | None):
        self.keep_checkpoints = config.keep_checkpoints
        self.rows: list[dict] = []  # of metrics.csv, one an epoch
        name = config.run_name or time.strftime("%Y%m%d-%H%M%S")
        self.folder = folder or Path(config.runs) / name
        try:
            self.folder.mkdir(parents=True, exist_ok=bool(folder))
        except OSError as error:
            raise InputError(f"--run_name: {error}") from None
        if folder:
            self.rows = read_rows(folder / "metrics.csv")
        plain = json.loads(json.dumps(asdict(config)))
        text = yaml.safe_dump(plain, sort_keys=False)
        write_whole(self.folder / "config.yaml", lambda path: path.write_text(text))
        shutil.copyfile(PROJECT / ".copier-answers.yml", self.folder / "answers.yml")

    def save_epoch(self, row: dict[str, float], state: dict[str, Parameter]) -> None:
        """Store an epoch's row of metrics.csv, and what resuming after it needs."""
        self.rows = [old for old in self.rows if old["epoch"] < row["epoch"]] + [row]
        write_whole(self.folder / "metrics.csv", self._write_rows)
        values = [{"name": name, "data": value} for name, value in state.items()]
        counters = {name: row[name] for name in ("epoch", "step")}
        newest = self.folder / f"epoch-{row['epoch']:05d}.ckpt"
        save = partial(ms.save_checkpoint, append_dict=counters, crc_check=True)
        write_whole(newest, lambda path: save(values, str(path)))
        if row[BEST_BY] == BEST(old[BEST_BY] for old in self.rows):
            best = self.folder / "best.ckpt"
            write_whole(best, lambda path: shutil.copyfile(newest, path))
        for old in sorted(self.folder.glob("epoch-*.ckpt"))[: -self.keep_checkpoints]:
            old.unlink()

    def _write_rows(self, path: Path) -> None:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.rows[0])
            writer.writeheader()
            writer.writerows(self.rows)

    def finish(self, **figures: float) -> None:
        """Write summary.json, which holds these figures too, and draw the plots."""
        row = self.rows[-1]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB on Linux
        score = {"metric": row[BEST_BY], "metric_name": BEST_BY}
        summary = {
            "loss": row["loss"],
            **score,
            "best_metric": BEST(old[BEST_BY] for old in self.rows),
            "steps": row["step"],
            "updates": row["updates"],
            "skipped_updates": 0,
            **figures,
            "peak_memory_mb": peak / 1024,
            "tasks": {"text": {"loss": row["eval_loss"], **score}},
            "versions": {"python": sys.version, "mindspore": ms.__version__},
        }
        text = json.dumps(summary, indent=2)
        write_whole(self.folder / "summary.json", lambda path: path.write_text(text))
        figure = Figure(layout="constrained")
        axes = figure.subplots()
        epochs = [row["epoch"] for row in self.rows]
        for name in row:
            if name.split(".")[0] in ("loss", "eval_loss"):
                axes.plot(epochs, [row[name] for row in self.rows], label=name)
        axes.set(xlabel="epoch", ylabel="loss", yscale="log")
        axes.legend()
        figure.savefig(self.folder / "loss.png")
        print(f"loss {row['loss']:.4g}, {BEST_BY} {row[BEST_BY]:.4g}: {self.folder}")
