"""What a user can get wrong gives one line that says why, and leaves nothing behind."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shell import complaint, python

from generator.verify import train

LITTLE = ["--data.train_samples=64", "--data.eval_samples=16"]


@pytest.fixture(scope="module")
def project(render):
    """A project of the defaults."""
    return render({"description": "for bad input"})


@pytest.fixture(scope="module")
def run_folder(project):
    """The folder of a run of two epochs of the project."""
    return train(project, [*LITTLE, "--epochs=2"], run_name="whole", timeout=120).run


def test_weight_of_zero_where_variances_are_learnt(render):
    """It would leave a variance that falls forever."""
    project = render({"num_tasks": 2, "task_weighting": "uncertainty"})
    assert "--task_weights of 0" in complaint(project, "--task_weights.target=0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--data.batch_size=-1"], ["batch_size", "-1"]),
        (["--data.batch_size=many"], ["batch_size", "many"]),
        (["--data.batch_size=1.5"], ["batch_size", "1.5"]),
        (["--epochs=0"], ["epochs", "0"]),
        (["--optimizer.learning_rate=0"], ["learning_rate", "0"]),
        (["--optimizer.learning_rate=nan"], ["learning_rate", "nan"]),
        (["--optimizer.weight_decay=-0.1"], ["weight_decay", "-0.1"]),
        (["--network.hidden_sizes=[64,0]"], ["hidden_sizes"]),
        (["--network.hidden_sizes=64"], ["hidden_sizes"]),
        (["--device=TPU"], ["device", "TPU"]),
        (["--seed=-1"], ["seed", "-1"]),
        (["--learning_rate=0.1"], ["learning_rate"]),
        (["--optimizer.learning_rate=inf"], ["infinite"]),
        (["--seed=4294967296"], ["seed"]),
        (["--data.batch_sise=8"], ["batch_sise"]),
        (["extra"], ["extra"]),
        (["--config=absent.yaml"], ["absent.yaml"]),
        (["--resume"], ["runs holds no run"]),
        (["--resume=runs/absent"], ["runs/absent holds no run"]),
        (["--resume=tests"], ["tests holds no run"]),
        (["evaluate.py"], ["runs holds no run"]),
        (["evaluate.py", "--run=runs/absent"], ["runs/absent holds no run"]),
    ],
    ids=lambda value: value[-1].strip("-") if isinstance(value, list) else None,
)
def test_command_line(arguments, words, render):
    """A setting that cannot be used is named, before MindSpore is imported."""
    untrained = render({"description": "never trained"})
    started = time.perf_counter()
    line = complaint(untrained, *arguments)
    assert time.perf_counter() - started < 10
    assert line.startswith(("train.py: ", "evaluate.py: "))
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("data:\n  batch_sise: 8\n", "batch_sise"),
        ("epochs: many\n", "many"),
        ("epochs: [1\n", "config"),
        ("- epochs\n", "config"),
        ("just words\n", "config"),
        ("\x00", "config"),
        ("optimizer: 3\n", "optimizer"),
    ],
    ids=["unknown", "type", "broken", "list", "text", "binary", "section"],
)
def test_config_file(text, word, project, tmp_path):
    """A --config file that cannot be used is refused with its key, or as a whole."""
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    assert word in complaint(project, "--config", str(path))


def test_batch_larger_than_the_data(project):
    """A batch that the samples do not fill is refused, by the setting to change."""
    assert "--data.batch_size" in complaint(project, *LITTLE, "--data.batch_size=65")


def test_device_that_is_not_there(project):
    """A device that this build of MindSpore lacks is named, and what to try instead."""
    line = complaint(project, "--device=Ascend")
    assert "Ascend" in line and "--device CPU" in line


def test_name_of_a_run_that_is_taken(project, run_folder):
    """A run never overwrites another one."""
    line = complaint(project, *LITTLE, f"--run_name={run_folder.name}")
    assert str(Path("runs", run_folder.name)) in line and "--run_name" in line


def test_nothing_left_to_resume(project, run_folder):
    """To resume a run that has done its epochs asks for more of them."""
    assert "--epochs" in complaint(project, "--resume", str(run_folder))


def test_loss_that_is_not_finite(project):
    """A loss that overflows ends the run with the step that it happened at."""
    settings = [*LITTLE, "--run_name=nan", "--optimizer.learning_rate=1e30"]
    line = complaint(project, *settings, status=1)
    assert "step" in line and "not finite" in line and "learning_rate" in line
    assert not list(project.glob("runs/nan/*.ckpt"))


DAMAGES = {
    "empty": lambda data: b"",
    "one_byte": lambda data: data[:1],
    "cut_early": lambda data: data[: len(data) // 10],
    "cut_in_half": lambda data: data[: len(data) // 2],
    "cut_at_the_end": lambda data: data[:-1],
    "flipped_early": lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
    "flipped_late": lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
    "flipped_middle": lambda data: (
        data[: len(data) // 2]
        + bytes([data[len(data) // 2] ^ 16])
        + data[len(data) // 2 + 1 :]
    ),
    "no_checkpoint": lambda data: b"something else\n" * 100,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_checkpoint(damage, project, run_folder, worker):
    """A checkpoint that is not as it was written is never loaded."""
    whole = (run_folder / "epoch-00002.ckpt").read_bytes()
    path = run_folder.parent / f"{damage}.ckpt"
    path.write_bytes(DAMAGES[damage](whole))
    refusal = worker.run("refusals:restore", project, path=str(path), settings=[])
    path.unlink()
    assert path.name in refusal and "\n" not in refusal


def test_resume_from_a_damaged_checkpoint(project, run_folder):
    """train.py and evaluate.py name the damaged file."""
    newest, best = run_folder / "epoch-00002.ckpt", run_folder / "best.ckpt"
    for path, command in (
        (newest, ["--resume", str(run_folder), "--epochs=3"]),
        (best, ["evaluate.py", "--run", str(run_folder)]),
    ):
        whole = path.read_bytes()
        path.write_bytes(whole[:-7])
        try:
            assert path.name in complaint(project, *command)
        finally:
            path.write_bytes(whole)


@pytest.mark.parametrize("sizes", ["[64,32]", "[64]", "[64,64,64]"])
def test_checkpoint_of_another_network(sizes, project, run_folder):
    """A checkpoint that does not fit names the first weight that differs."""
    more = ["--epochs=3", f"--network.hidden_sizes={sizes}"]
    line = complaint(project, "--resume", str(run_folder), *more)
    assert "settings" in line and "backbone" in line


@pytest.mark.parametrize("text", ["", "epoch,step\n1,2\n", "x\ny\n", None])
def test_damaged_metrics(text, project, run_folder):
    """A run whose metrics.csv is damaged or gone is not gone on from."""
    path = run_folder / "metrics.csv"
    whole = path.read_text("utf-8")
    path.unlink() if text is None else path.write_text(text, "utf-8")
    try:
        line = complaint(project, "--resume", str(run_folder), "--epochs=3")
    finally:
        path.write_text(whole, "utf-8")
    assert "metrics.csv" in line


def test_run_without_a_finished_epoch_is_passed_over(project, run_folder):
    """The newest run is the newest that has a checkpoint."""
    empty = run_folder.parent / "empty"
    empty.mkdir()
    (empty / "config.yaml").write_text("{}", "utf-8")
    assert "--epochs" in complaint(project, "--resume", "--epochs=2")
    empty.rename(run_folder.parent.parent / "not_a_run")


def test_interrupt_ends_with_one_line(project):
    """Ctrl-C and SIGTERM end the training with a line and the usual status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        command = [sys.executable, "train.py", "--epochs=100000", "--run_name"]
        process = subprocess.Popen(
            [*command, f"until_{number}"],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in process.stdout:
            if line.startswith("epoch 1 "):
                break
        for _ in range(12):  # one that arrives inside MindSpore's own code can be lost
            process.send_signal(number)
            try:
                _, errors = process.communicate(timeout=10)
                break
            except subprocess.TimeoutExpired:
                continue
        assert process.returncode == 130
        assert errors.splitlines()[-1] == "train.py: interrupted; --resume goes on"


def test_help_is_fast_and_explains_every_setting(project):
    """--help imports no MindSpore, and says something about each setting."""
    code = "import sys, runpy; sys.argv = ['train.py', '--help']\n" + (
        "try: runpy.run_path('train.py', run_name='__main__')\n"
        "except SystemExit: print('mindspore' in sys.modules)"
    )
    done = python(project, "-c", code)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "False"
    lines = done.stdout.splitlines()
    options = [n for n, line in enumerate(lines) if line.startswith("  --")]
    assert len(options) > 15
    for first, following in zip(options, [*options[1:], len(lines)]):
        text = " ".join(lines[first:following])
        explained = text.split("  ", 2)[-1]
        assert len(explained.split()) > 2, text
