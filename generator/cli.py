"""The command `mindstep`."""

import shutil
import sys
from pathlib import Path
from typing import Annotated

import copier
import typer
from typer.exceptions import TyperException

from . import examples, inputs, options
from .checks import check
from .questions import Refused
from .render import render
from .verify import Measured, TrainingFailed, train

app = typer.Typer(
    help="Render, check and train MindSpore projects.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

DEMO = {"project_name": "mindstep-demo", "model": "cnn", "data": "builtin"}


@app.command()
def new(
    dest: Annotated[Path, typer.Argument(help="The project's folder, new or empty.")],
    data: Annotated[
        list[str],
        typer.Option("--data", "-d", metavar="QUESTION=ANSWER", help="An answer."),
    ] = [],  # noqa: B006
    data_file: Annotated[
        Path | None, typer.Option(help="A YAML file of answers.")
    ] = None,
    defaults: Annotated[
        bool | None,
        typer.Option(
            "--defaults/--ask",
            help="Take defaults for the rest, or ask (the default in a terminal).",
        ),
    ] = None,
    template: Annotated[
        str | None, typer.Option(help="Another template: a path or an address.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files that are there already.")
    ] = False,
) -> None:
    """Render a project."""
    source, revision = inputs.source(template)
    render(
        dest,
        inputs.answers(data, data_file),
        source,
        defaults=not sys.stdin.isatty() if defaults is None else defaults,
        overwrite=overwrite,
        vcs_ref=revision,
        settings=copier.load_settings(),
    )
    if note := inputs.update_note(source, revision):
        print(f"mindstep: note: {note}", file=sys.stderr)
    print(f"{dest} is rendered: its README.md says how to train it.")


@app.command()
def demo(
    keep: Annotated[
        Path | None,
        typer.Option(help="Render into this folder instead, and leave ./demo alone."),
    ] = None,
) -> None:
    """Render a network that reads digits into ./demo, and train it."""
    folder = keep or Path("demo")
    answers_file = folder / ".copier-answers.yml"
    mark = f"project_name: {DEMO['project_name']}\n".encode()
    if not keep and answers_file.is_file() and mark in answers_file.read_bytes():
        shutil.rmtree(folder)
    source, revision = inputs.source(None)
    render(folder, DEMO, source, vcs_ref=revision)
    print(f"Rendered {folder}; training it on this machine's CPU.", flush=True)
    measured = train(folder, run_name="demo", show=True)
    _report(folder, measured)


def _report(folder: Path, measured: Measured) -> None:
    """Print what a training run measured, and where to look."""
    summary = measured.summary
    print(f"loss     {summary['loss']:.4g}")
    print(f"{summary['metric_name']:<8} {summary['metric']:.4g}")
    print(f"steps/s  {summary['steps_per_second']:.4g}")
    print(f"seconds  {measured.seconds:.1f}")
    print(f"project  {folder}")
    print(
        f"plot     {folder / measured.run.relative_to(folder.resolve()) / 'loss.png'}"
    )


@app.command("options")
def list_options(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table of the README.")
    ] = False,
) -> None:
    """List every question with its help, its choices and when it is asked."""
    if as_json:
        print(options.as_json())
    elif as_markdown:
        print(options.as_markdown())
    else:
        print(options.as_text())


@app.command("examples")
def render_examples(
    only_check: Annotated[
        bool,
        typer.Option("--check", help="Say what is not up to date, change nothing."),
    ] = False,
) -> None:
    """Render examples_generated/ again."""
    if only_check:
        differences = examples.diff()
        print("\n".join(differences) or "examples_generated is up to date.")
        raise typer.Exit(1 if differences else 0)
    for example in examples.write():
        print(f"{example.name}: {example.title}")


@app.command()
def verify(
    dest: Annotated[Path, typer.Argument(help="A project's folder.")],
    settings: Annotated[
        list[str],
        typer.Argument(help="Settings for train.py, after a --, such as --epochs=2."),
    ] = [],  # noqa: B006
    ranks: Annotated[int, typer.Option(min=1, help="Processes to train in.")] = 1,
) -> None:
    """Check a project's files, train it, and print what it measured."""
    if not dest.is_dir():
        raise Refused(f"{dest} is no folder")
    problems = check(dest)
    for problem in problems:
        print(problem)
    _report(dest, train(dest, settings, ranks=ranks))
    if problems:
        raise typer.Exit(1)


def _fail(message: object, status: int) -> int:
    print(f"mindstep: error: {message}", file=sys.stderr)
    return status


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 130 after an interrupt.

    Every error is one line, followed by the last lines of output if a training failed.
    """
    try:
        status = app(arguments, standalone_mode=False) or 0
    except TyperException as error:
        return _fail(error.format_message(), 2)
    except Refused as error:
        return _fail(error, 2)
    except TrainingFailed as error:
        return _fail(error, 1)
    except typer.Abort:
        return 130
    except Exception as error:  # noqa: BLE001  # a fault of ours: still no traceback
        text = " ".join(str(error).split())
        return _fail(f"{type(error).__name__}: {text}", 1)
    return status
