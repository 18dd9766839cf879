"""Runs the scripts of a project as a shell would."""

import subprocess
import sys
from pathlib import Path


def python(project: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run a script of a project and return what came of it."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def complaint(project: Path, *arguments: str, status: int = 2) -> str:
    """Return the one line that train.py (or the script named first) ends with."""
    script = () if arguments and arguments[0].endswith(".py") else ("train.py",)
    before = sorted(project.rglob("runs/*"))
    done = python(project, *script, *arguments)
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert done.returncode == status, done.stderr
    if status == 2:
        assert sorted(project.rglob("runs/*")) == before
    return lines[0]
