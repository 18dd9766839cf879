"""What the command line gives: which template to render, and with what answers."""

import subprocess
from pathlib import Path
from typing import Any

import yaml

from . import ROOT
from .questions import Refused


def _git(*arguments: str, folder: Path) -> str | None:
    """Return what git says of a folder, or None if it is no repository or there is no git."""
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return None
    return result.stdout if result.returncode == 0 else None


def source(template: str | None) -> tuple[str, str | None]:
    """Return the template to record in a project, and the revision to render.

    A path is made absolute, or `copier update` would not find it from inside the project. Of a
    local repository the checked-out revision is meant, not the newest tag.
    """
    if template and not Path(template).expanduser().exists():
        return template, None  # an address
    folder = Path(template).expanduser().resolve() if template else ROOT
    is_repository = _git("rev-parse", "--git-dir", folder=folder) is not None
    return str(folder), "HEAD" if is_repository and (folder / ".git").exists() else None


def answers(data: list[str], data_file: Path | None) -> dict[str, Any]:
    """Return the answers of a file and of the command line, which come before the file's."""
    given: dict[str, Any] = {}
    if data_file:
        try:
            loaded = yaml.safe_load(data_file.read_text(encoding="utf-8"))
        except OSError as error:
            raise Refused(f"{data_file}: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            text = " ".join(str(error).split())
            raise Refused(f"{data_file} is not YAML: {text}") from None
        if not isinstance(loaded, dict):
            raise Refused(f"{data_file} must hold lines of the form question: answer")
        # A project's .copier-answers.yml serves too: its _commit and _src_path are no answers.
        given = {k: v for k, v in loaded.items() if not str(k).startswith("_")}
    for item in data:
        name, equals, value = item.partition("=")
        if not equals:
            raise Refused(f"-d {item}: write question=answer")
        given[name] = value
    return given


def update_note(source: str, revision: str | None) -> str:
    """Return why `copier update` would not work in a project of this template, or nothing."""
    if not Path(source).is_dir():
        return ""
    if not revision:
        return "the template is no git repository: copier update will not work"
    if _git("status", "--porcelain", folder=Path(source)):
        return "the template has uncommitted changes: copier update works once they are committed"
    return ""
