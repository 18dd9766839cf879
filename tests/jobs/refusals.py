"""Returns the line with which a project refuses what it is given."""

from pathlib import Path

from project import Project


def load(project: Project, settings: list[str]) -> str:
    """Return why the data cannot be used."""
    config = project.config(*settings)
    try:
        project.module("data").load(config.data, config.seed)
    except project.module("config").InputError as error:
        return str(error)
    raise AssertionError("the data were taken")


def restore(project: Project, settings: list[str], path: str) -> str:
    """Return why a checkpoint cannot be used."""
    config = project.config(*settings)
    project.module("device").set_up(config, False)
    state = project.build(config, (16,))[3]
    try:
        project.module("run").restore(Path(path), state)
    except project.module("config").InputError as error:
        return str(error)
    raise AssertionError("the checkpoint was taken")


def build(project: Project, settings: list[str]) -> str:
    """Return why a network or its optimizer cannot be built with these settings."""
    config = project.config(*settings)
    project.module("device").set_up(config, False)
    try:
        project.build(config, (16,))
    except project.module("config").InputError as error:
        return str(error)
    raise AssertionError("the settings were taken")
