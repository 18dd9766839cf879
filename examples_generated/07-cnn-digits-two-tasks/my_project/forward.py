"""What the network is trained for: the tasks, their losses and their metrics."""

from collections.abc import Callable
from typing import NamedTuple

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .data import Arrays


def accuracy(logits: np.ndarray, labels: np.ndarray) -> float:
    """Share of samples whose largest logit is that of their label."""
    return float((logits.argmax(axis=1) == labels).mean())


def r_squared(outputs: np.ndarray, targets: np.ndarray) -> float:
    """Share of the targets' variance that the outputs explain: at best 1."""
    total = np.square(targets - targets.mean(axis=0)).sum()
    return float(1 - np.square(targets - outputs).sum() / max(total, 1e-12))


class Task(NamedTuple):
    """How one output of the network is judged."""

    name: str
    loss_fn: Callable  # (outputs, targets) -> scalar Tensor, which training makes small
    metric: Callable  # the same as NumPy arrays -> float, where larger is better


# In the order of the network's outputs. A loss of your own goes here.
TASKS = [
    Task("digit", nn.CrossEntropyLoss(), accuracy),
    Task("ink", nn.MSELoss(), r_squared),
]
BEST_BY, BEST = "accuracy.digit", max  # chooses the best checkpoint
loss_fns = [task.loss_fn for task in TASKS]


def build_forward_fn(network: nn.Cell, task_weights: tuple[float, ...]) -> Callable:
    """Return ``forward_fn(inputs, *targets) -> (loss, task_losses)``.

    Both are float32: a scalar, the sum of the weighted task losses, and a tuple of the
    scalars before weighting, one for each task.
    """

    def forward_fn(inputs, *targets):
        task_losses = [
            loss_fn(output, target)
            for loss_fn, output, target in zip(loss_fns, network(inputs), targets)
        ]
        loss = 0.0
        for weight, task_loss in zip(task_weights, task_losses):
            loss += weight * task_loss
        return loss, tuple(task_losses)

    return forward_fn


def build_evaluate(
    network: nn.Cell, dataset: Arrays, batch_size: int, task_weights: tuple[float, ...]
) -> Callable:
    """Return ``evaluate()``, which gives the losses and metrics over the dataset."""
    inputs, *targets = dataset

    @ms.jit
    def predict(inputs):
        return network(inputs)

    def evaluate() -> dict[str, float]:
        network.set_train(False)
        outputs = []
        for start in range(0, len(inputs), batch_size):
            # The last batch is filled up from the start: one shape compiles once.
            rows = np.arange(start, start + batch_size) % len(inputs)
            outputs.append(predict(Tensor(inputs[rows])))
        network.set_train(True)
        scores = {"eval_loss": 0.0}
        columns = zip(TASKS, task_weights, zip(*outputs), targets)
        for task, weight, parts, target in columns:
            output = np.concatenate([part.asnumpy() for part in parts])
            output = output[: len(inputs)]
            loss = float(task.loss_fn(Tensor(output), Tensor(target)))
            scores["eval_loss"] += weight * loss
            scores[f"eval_loss.{task.name}"] = loss
            metric = task.metric(output, target)
            scores[f"{task.metric.__name__}.{task.name}"] = metric
        return scores

    return evaluate
