"""What the tests share: rendered projects, and a process that runs MindSpore jobs."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.render import render as render_project

JOBS = Path(__file__).parent / "jobs" / "serve.py"


def project_name(answers: Mapping[str, Any]) -> str:
    """Return a name that belongs to these answers, so that packages do not meet."""
    text = json.dumps(answers, sort_keys=True, default=str)
    return "p" + hashlib.sha256(text.encode()).hexdigest()[:10]


@pytest.fixture(scope="session")
def render(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return render(answers), which gives the folder of a project: one for equal answers."""
    root = tmp_path_factory.mktemp("projects")

    def render(answers: Mapping[str, Any]) -> Path:
        answers = {"project_name": project_name(answers), **answers}
        folder = root / project_name(answers)
        if not folder.exists():
            render_project(folder, answers)
        return folder

    return render


class Worker:
    """A process of jobs/serve.py; started by the first job, and anew after a crash."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.process: subprocess.Popen | None = None

    def start(self) -> subprocess.Popen:
        """Start the process; what it prints goes to the log."""
        self.process = subprocess.Popen(
            [sys.executable, JOBS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=open(self.log, "a", encoding="utf-8"),
            text=True,
        )
        return self.process

    def run(self, job: str, project: Path, **arguments: Any) -> Any:
        """Return what a job ("module:function") returns for a project; fail if it raises."""
        process = self.process or self.start()
        order = {"job": job, "project": str(project), "arguments": arguments}
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            self.process = None
            tail = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
            pytest.fail(f"{job}: the process ended ({process.wait()})\n{tail}")
        answer = json.loads(line)
        if "error" in answer:
            pytest.fail(f"{job} in {project}\n{answer['error']}", pytrace=False)
        return answer["result"]

    def stop(self) -> None:
        """End the process."""
        if self.process:
            self.process.stdin.close()
            self.process.wait(timeout=60)


@pytest.fixture(scope="session")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """Return the process that runs MindSpore jobs, shared by the tests of a session."""
    started = Worker(tmp_path_factory.mktemp("worker") / "log.txt")
    yield started
    started.stop()
