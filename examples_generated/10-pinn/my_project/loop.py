"""The training loop: epochs, evaluation, the log, and resuming a run."""

import time
from dataclasses import astuple
from pathlib import Path

import numpy as np
from mindspore import Tensor
from tqdm import tqdm

from .config import Config, InputError
from .data import batches, load
from .device import set_up
from .forward import TASKS, build_evaluate, build_forward_fn
from .network import Network
from .report import report
from .run import Run, restore
from .train_step import build_optimizer, build_train_step, learning_rates

READ_EVERY = 50  # steps: reading a loss waits for the device, keeping all costs memory


def build(config: Config, sample_shape: tuple[int, ...], rates: list[float]) -> tuple:
    """Return the network, its optimizer, the train step, and the state of them all.

    The state is what moves during training, as Parameters by name.
    """
    network = Network(sample_shape, config.network)
    network.set_train()
    optimizer = build_optimizer(network.trainable_params(), config.optimizer, rates)
    train_step = build_train_step(
        build_forward_fn(network, astuple(config.task_weights)),
        optimizer,
    )
    parameters = [*network.get_parameters(), *optimizer.get_parameters()]
    state = {parameter.name: parameter for parameter in parameters}
    del state["learning_rate"]  # a setting: a resumed run may take another
    return network, optimizer, train_step, state


def read_losses(losses: list[tuple[Tensor, ...]], last_step: int) -> np.ndarray:
    """Return the sums of the losses up to `last_step`: of all, and of each task."""
    values = np.array([[float(value) for value in step] for step in losses])
    finite = np.isfinite(values).all(axis=1)
    if not finite.all():
        step = last_step - len(losses) + 1 + int(np.argmin(finite))
        raise FloatingPointError(
            f"the loss of step {step} is not finite: lower --optimizer.learning_rate"
            ", or look for such numbers in the data"
        )
    return values.sum(axis=0)


def train(config: Config, eager: bool = False, folder: Path | None = None) -> None:
    """Train from the start, or go on with the run in `folder`.

    Raises InputError for data or a checkpoint that cannot be used, and
    FloatingPointError for a loss that is not finite.
    """
    set_up(config, eager)
    train_set, eval_set = load(config.data, config.seed)
    batch_size = config.data.batch_size
    steps = len(train_set[0]) // batch_size  # of an epoch
    if steps == 0:
        raise InputError("the training samples fill no batch: lower --data.batch_size")
    rates = learning_rates(config.optimizer, config.epochs * steps)
    network, optimizer, train_step, state = build(config, train_set[0].shape[1:], rates)
    task_weights = astuple(config.task_weights)
    evaluate = build_evaluate(network, eval_set, batch_size, task_weights)

    done = {"epoch": 0, "step": 0}
    if folder:
        done = restore(max(folder.glob("epoch-*.ckpt")), state)
        if done["epoch"] >= config.epochs:
            raise InputError(f"all {config.epochs} epochs are done: raise --epochs")
    run = Run(config, folder)
    print(f"{run.folder}: {steps} steps an epoch on {config.device}")
    compile_seconds = 0.0
    for epoch in range(done["epoch"] + 1, config.epochs + 1):
        feed = batches(train_set, config.data, config.seed, epoch)
        # disable=None: no bar without a terminal.
        progress = tqdm(feed, f"epoch {epoch}", steps, leave=False, disable=None)
        unread, loss_sum = [], 0.0
        timed, started = steps, time.perf_counter()
        for step, batch in enumerate(progress, start=1):
            loss, task_losses = train_step(*batch)
            unread.append((loss, *task_losses))
            compiled = step == 1 and not compile_seconds
            if compiled or step == steps or len(unread) == READ_EVERY:
                loss_sum += read_losses(unread, done["step"] + step)
                unread.clear()
            if compiled:
                compile_seconds = time.perf_counter() - started
                timed, started = steps - step, time.perf_counter()
        epoch_seconds = time.perf_counter() - started
        done["step"] += steps

        updates = optimizer.global_step.item()
        row = {"epoch": epoch, "step": done["step"], "updates": updates}
        names = ["loss", *(f"loss.{task}" for task in TASKS)]
        row |= {**dict(zip(names, loss_sum / steps)), **evaluate()}
        if not np.isfinite(row["eval_loss"]):
            raise FloatingPointError("the loss of the evaluation is not finite")
        row["learning_rate"] = rates[max(updates, 1) - 1]
        row["samples_per_second"] = timed * batch_size / epoch_seconds
        run.save_epoch(row, state)
        line = "  ".join(f"{name} {value:.4g}" for name, value in row.items())
        print(line, flush=True)

    figures = report(network, config, run.folder, train_set, eval_set)
    run.finish(
        steps_per_second=timed / epoch_seconds,
        compile_seconds=compile_seconds,
        parameters=sum(weight.size for weight in optimizer.parameters),
        **figures,
    )


def evaluate_run(config: Config, eager: bool, folder: Path) -> dict[str, float]:
    """Return the scores of the run's best checkpoint on the evaluation samples."""
    set_up(config, eager)
    train_set, eval_set = load(config.data, config.seed)
    network = Network(train_set[0].shape[1:], config.network)
    restore(folder / "best.ckpt", network.parameters_dict())
    task_weights = astuple(config.task_weights)
    scores = build_evaluate(network, eval_set, config.data.batch_size, task_weights)()
    return {**scores, **report(network, config, folder, train_set, eval_set)}
