"""What the network is trained for: to tell each next byte of a text."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from .data import Arrays


def loss_fn(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean cross-entropy of the next bytes, in nats; a loss of your own goes here."""
    return ops.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


BEST_BY, BEST = "bits_per_byte", min  # chooses the best checkpoint


def build_forward_fn(network: nn.Cell) -> Callable:
    """Return ``forward_fn(inputs, target) -> (loss, (loss,))``, a float32 scalar."""

    def forward_fn(inputs, target):
        loss = loss_fn(network(inputs), target)
        return loss, (loss,)

    return forward_fn


def build_evaluate(network: nn.Cell, dataset: Arrays, batch_size: int) -> Callable:
    """Return ``evaluate()``, which gives the loss and the bits a byte."""
    inputs, targets = dataset

    @ms.jit
    def batch_losses(inputs, targets):
        # Classes before positions.
        logits = network(inputs).swapaxes(1, 2)
        return ops.cross_entropy(logits, targets, reduction="none").mean(axis=1)

    def evaluate() -> dict[str, float]:
        network.set_train(False)
        losses = []
        for start in range(0, len(inputs), batch_size):
            # The last batch is filled up from the start: one shape compiles once.
            rows = np.arange(start, start + batch_size) % len(inputs)
            batch = Tensor(inputs[rows]), Tensor(targets[rows])
            losses.append(batch_losses(*batch).asnumpy())
        network.set_train(True)
        loss = float(np.concatenate(losses)[: len(inputs)].mean())
        return {"eval_loss": loss, "bits_per_byte": loss / float(np.log(2))}

    return evaluate
