"""Renders projects through Copier's public API."""

import atexit
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import copier
import yaml
from copier.errors import CopierError, CopierWarning
from plumbum import ProcessExecutionError

from . import ROOT
from .questions import Refused
from .questions import check as check_answers


@cache
def snapshot(root: Path = ROOT) -> Path:
    """Return a copy of the template without git, made once a process and removed at its end.

    From a checkout Copier clones the repository for each render and takes uncommitted changes
    in by a commit; from a plain folder it reads the files as they are, several times as fast.
    """
    folder = Path(tempfile.mkdtemp(prefix="mindstep-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copy(root / "copier.yml", folder)
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(root / "template", folder / "template", ignore=ignore)
    return folder


def _reason(error: Exception) -> str:
    """Return an error of Copier's as one line: the question, then the reason."""
    text = " ".join(str(error).split()) or type(error).__name__
    for prefix in ("Validation error for question '", "Invalid choice for '"):
        if text.startswith(prefix):
            name, reason = text.removeprefix(prefix).split("': ", 1)
            return f"{name}: {reason}"
    return text


def _run_copy(template: str, destination: Path, answers: Mapping[str, Any], **options):
    """Call Copier, with its refusals and errors as `Refused`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CopierWarning)
            return copier.run_copy(
                template,
                destination,
                dict(answers),
                quiet=True,
                unsafe=False,
                **options,
            )
    except KeyboardInterrupt:  # Copier's own is a CopierError too
        raise KeyboardInterrupt from None
    except (ValueError, TypeError, CopierError, yaml.YAMLError) as error:
        raise Refused(_reason(error)) from error
    except (
        ProcessExecutionError
    ) as error:  # git, mostly: an address that it cannot reach
        lines = error.stderr.strip().splitlines() or [f"{error.argv[0]} failed"]
        raise Refused(f"{template}: {lines[-1]}") from error


def ask(answers: Mapping[str, Any], root: Path = ROOT) -> dict[str, Any]:
    """Return the answers that Copier records for these, defaults included; render nothing.

    Raises:
        Refused: an answer cannot be used; the message says why.
    """
    check_answers(answers, root)
    worker = _ask(str(snapshot(root)), answers)
    taken, hidden = worker.answers.user, worker.answers.hidden
    return {name: value for name, value in taken.items() if name not in hidden}


def _ask(template: str, answers: Mapping[str, Any]):
    """Let Copier take the answers, and write nothing."""
    return _run_copy(
        template,
        Path(tempfile.gettempdir(), "mindstep-never-written"),
        answers,
        defaults=True,
        pretend=True,
        exclude=["*"],
        settings=copier.Settings(),
    )


def _make_ready(destination: Path, overwrite: bool) -> set[Path]:
    """Return what the destination holds already; refuse it if that could be lost."""
    if destination.exists() and not destination.is_dir():
        raise Refused(f"{destination} is a file: name a folder that is new or empty")
    here = set(destination.iterdir()) if destination.is_dir() else set()
    if not overwrite and {path.name for path in here} - {".git"}:
        raise Refused(
            f"{destination} is not empty: name a folder that is new or empty, "
            "or allow files to be replaced with --overwrite"
        )
    return here


def render(
    destination: Path | str,
    answers: Mapping[str, Any],
    template: Path | str | None = None,
    *,
    defaults: bool = True,
    overwrite: bool = False,
    vcs_ref: str | None = None,
    settings: copier.Settings | None = None,
) -> Path:
    """Render a project and return its folder.

    The template is a folder or the address of a repository; without one it is a snapshot of the
    checkout, for a project that is not meant to be updated. With `defaults` nothing is asked.
    Upon an error nothing stays behind that was not there before: Copier asks and validates
    everything before it writes the first file, and files of a render that fails are removed.

    Raises:
        Refused: an answer or the destination cannot be used; the message says why.
    """
    destination = Path(destination).absolute()
    if template is None or Path(template).is_dir():
        check_answers(answers, Path(template).resolve() if template else ROOT)
    elif unknown := set(answers) - set(_ask(str(template), {}).template.questions_data):
        raise Refused(f"unknown question {min(unknown)!r}")
    try:
        here = _make_ready(destination, overwrite)
        existed = destination.is_dir()
    except OSError as error:
        raise Refused(f"cannot use {destination}: {error.strerror}") from error
    try:
        _run_copy(
            str(template or snapshot()),
            destination,
            answers,
            defaults=defaults,
            overwrite=overwrite or ".git" in {path.name for path in here},
            vcs_ref=vcs_ref,
            settings=settings or copier.Settings(),
        )
    except BaseException as error:
        for path in set(destination.iterdir()) - here if destination.is_dir() else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not existed and destination.is_dir():
            destination.rmdir()
        if isinstance(error, OSError):
            raise Refused(f"cannot write {destination}: {error.strerror}") from error
        raise
    return destination
