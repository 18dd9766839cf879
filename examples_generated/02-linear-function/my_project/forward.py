"""What the network is trained for: its loss and the metric that judges it."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .data import Arrays


def r_squared(outputs: np.ndarray, targets: np.ndarray) -> float:
    """Share of the targets' variance that the outputs explain: at best 1."""
    total = np.square(targets - targets.mean(axis=0)).sum()
    return float(1 - np.square(targets - outputs).sum() / max(total, 1e-12))


loss_fn = nn.MSELoss()  # a loss of your own goes here
BEST_BY, BEST = "r_squared", max  # chooses the best checkpoint


def build_forward_fn(network: nn.Cell) -> Callable:
    """Return ``forward_fn(inputs, target) -> (loss, (loss,))``, a float32 scalar."""

    def forward_fn(inputs, target):
        loss = loss_fn(network(inputs), target)
        return loss, (loss,)

    return forward_fn


def build_evaluate(network: nn.Cell, dataset: Arrays, batch_size: int) -> Callable:
    """Return ``evaluate()``, which gives the loss and the metric over the dataset."""
    inputs, target = dataset

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
        output = np.concatenate([part.asnumpy() for part in outputs])
        output = output[: len(inputs)]
        loss = float(loss_fn(Tensor(output), Tensor(target)))
        return {"eval_loss": loss, "r_squared": r_squared(output, target)}

    return evaluate
