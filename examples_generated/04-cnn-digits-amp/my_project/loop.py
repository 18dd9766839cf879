"""The training loop: epochs, evaluation, the log, and resuming a run."""

import time
from pathlib import Path

import numpy as np
from mindspore import Tensor
from mindspore.amp import DynamicLossScaler
from tqdm import tqdm

from .config import Config, InputError
from .data import batches, load
from .device import set_up
from .forward import build_evaluate, build_forward_fn
from .network import build_network
from .run import Run, restore
from .train_step import build_optimizer, build_train_step

READ_EVERY = 50  # steps: reading a loss waits for the device, keeping all costs memory


def build(config: Config, sample_shape: tuple[int, ...]) -> tuple:
    """Return the network, its optimizer, the train step, and the state of them all.

    The state is what moves during training, as Parameters by name.
    """
    network = build_network(sample_shape, config)
    network.set_train()
    loss_scaler = DynamicLossScaler(
        scale_value=config.loss_scale.initial,
        scale_factor=2,
        scale_window=config.loss_scale.growth_interval,
    )
    optimizer = build_optimizer(network.trainable_params(), config.optimizer)
    train_step = build_train_step(
        build_forward_fn(network),
        optimizer,
        loss_scaler,
    )
    parameters = [*network.get_parameters(), *optimizer.get_parameters()]
    state = {parameter.name: parameter for parameter in parameters}
    del state["learning_rate"]  # a setting: a resumed run may take another
    state["loss_scale"] = loss_scaler.scale_value
    state["good_updates"] = loss_scaler.counter
    return network, optimizer, train_step, state


def read_losses(losses: list[Tensor], last_step: int) -> float:
    """Return the sum of the losses of the steps up to `last_step`."""
    values = np.array([float(loss) for loss in losses])
    finite = np.isfinite(values)
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
    network, optimizer, train_step, state = build(config, train_set[0].shape[1:])
    evaluate = build_evaluate(network, eval_set, batch_size)

    done = {"epoch": 0, "step": 0, "skipped_updates": 0}
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
        updates_before = optimizer.global_step.item()
        timed, started = steps, time.perf_counter()
        for step, batch in enumerate(progress, start=1):
            loss, _ = train_step(*batch)
            unread.append(loss)
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
        done["skipped_updates"] += steps - (updates - updates_before)
        row["skipped_updates"] = done["skipped_updates"]
        row["loss_scale"] = state["loss_scale"].item()
        row |= {"loss": loss_sum / steps, **evaluate()}
        if not np.isfinite(row["eval_loss"]):
            raise FloatingPointError("the loss of the evaluation is not finite")
        row["learning_rate"] = config.optimizer.learning_rate
        row["samples_per_second"] = timed * batch_size / epoch_seconds
        run.save_epoch(row, state)
        line = "  ".join(f"{name} {value:.4g}" for name, value in row.items())
        print(line, flush=True)

    run.finish(
        steps_per_second=timed / epoch_seconds,
        compile_seconds=compile_seconds,
        parameters=sum(weight.size for weight in optimizer.parameters),
    )


def evaluate_run(config: Config, eager: bool, folder: Path) -> dict[str, float]:
    """Return the scores of the run's best checkpoint on the evaluation samples."""
    set_up(config, eager)
    train_set, eval_set = load(config.data, config.seed)
    network = build_network(train_set[0].shape[1:], config)
    restore(folder / "best.ckpt", network.parameters_dict())
    return build_evaluate(network, eval_set, config.data.batch_size)()
