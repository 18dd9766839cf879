"""Trains a rendered project in a process of its own, and returns what it measured."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TAIL = 12
"""Lines of output that a failure shows."""


class TrainingFailed(Exception):
    """A project did not train; the message ends with its last lines of output."""


@dataclass(frozen=True)
class Measured:
    """What a training run left: its folder, its summary.json, its output, how long it took."""

    run: Path
    summary: dict[str, Any]
    output: str
    seconds: float


def _free_port() -> int:
    """Return a port that nothing listens on at this moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(script: Sequence[str], python: str, ranks: int, logs: Path) -> list[str]:
    """Return the command that runs a script on a number of ranks."""
    if ranks == 1:
        return [python, *script]
    # Not resolved: the folder of a venv's python, not of the one that it links to.
    msrun = Path(python).absolute().with_name("msrun")
    return [
        str(msrun),
        f"--worker_num={ranks}",
        f"--local_worker_num={ranks}",
        "--master_addr=127.0.0.1",
        f"--master_port={_free_port()}",
        f"--log_dir={logs}",
        "--join=True",
        *script,
    ]


def run(
    command: Sequence[str],
    project: Path,
    *,
    timeout: float | None = None,
    show: bool = False,
) -> str:
    """Run a command in a project's folder and return its output, or show it as it comes.

    Raises:
        TrainingFailed: the command failed, or did not end in time.
    """
    environment = {**os.environ, "GLOG_v": "3"}  # MindSpore logs errors only
    bin_folder = str(Path(command[0]).absolute().parent)  # msrun starts "python"
    environment["PATH"] = os.pathsep.join([bin_folder, environment.get("PATH", "")])
    streams = {} if show else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        command,
        cwd=project,
        env=environment,
        text=True,
        errors="replace",
        start_new_session=not show,
        **streams,
    )
    try:
        output = process.communicate(timeout=timeout)[0] or ""
    except BaseException as error:
        _end(process, whole_session=not show)
        if isinstance(error, subprocess.TimeoutExpired):
            output = process.communicate()[0] or ""
            raise _failure(f"not done after {timeout:g} s", command, output) from None
        raise
    if process.returncode:
        raise _failure(f"exit status {process.returncode}", command, output)
    return output


def _end(process: subprocess.Popen, whole_session: bool) -> None:
    """End a process that we started; with its ranks, if it leads a session."""
    try:
        if whole_session:
            os.killpg(process.pid, 9)
        else:
            process.wait(timeout=10)  # a terminal's Ctrl-C has reached it too
    except (ProcessLookupError, subprocess.TimeoutExpired):
        process.kill()


def _failure(what: str, command: Sequence[str], output: str) -> TrainingFailed:
    """Return the exception that shows a command and the end of its output."""
    lines = [line for line in output.replace("\r", "\n").splitlines() if line.strip()]
    name = " ".join(Path(part).name if os.sep in part else part for part in command)
    return TrainingFailed("\n".join([f"{name}: {what}", *lines[-TAIL:]]))


def train(
    project: Path | str,
    overrides: Sequence[str] = (),
    *,
    ranks: int = 1,
    run_name: str = "verify",
    timeout: float | None = None,
    show: bool = False,
    python: str = sys.executable,
) -> Measured:
    """Train a project from the start and return what it measured.

    `overrides` are settings for its command line, such as `--epochs=2`. Where the project reads
    files, its example data are made first, unless there are data already. An earlier run of the
    same name is replaced. With `show` the output goes to the terminal as it comes.

    Raises:
        TrainingFailed: the project did not train, or left no summary.
    """
    project = Path(project).resolve()
    if not (project / "train.py").is_file():
        raise TrainingFailed(f"{project} holds no train.py: it is not a project")
    if (project / "make_example_data.py").is_file() and not (project / "data").exists():
        run([python, "make_example_data.py"], project, timeout=timeout, show=show)
    folder = project / "runs" / run_name
    shutil.rmtree(folder, ignore_errors=True)
    logs = project / "runs" / f"{run_name}-ranks"
    script = ["train.py", "--run_name", run_name, *overrides]
    started_by = command(script, python, ranks, logs)
    started = time.perf_counter()
    output = run(started_by, project, timeout=timeout, show=show)
    seconds = time.perf_counter() - started
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise _failure(f"no summary.json ({error})", started_by, output) from None
    return Measured(folder, summary, output, seconds)
