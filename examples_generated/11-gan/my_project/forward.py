"""What the networks are trained for: their losses, and how the samples are judged."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from .data import CENTRES, DEVIATION, NOISE_SIZE, Arrays


def discriminator_loss(network: nn.Cell, real: Tensor, noise: Tensor) -> Tensor:
    """Mean cross-entropy of the real samples, and that of the generated ones, added.

    ``softplus(-logit)`` is ``-log(sigmoid(logit))``, without its overflow.
    """
    fake = ops.stop_gradient(network.generator(noise))
    real_logits = network.discriminator(real)
    fake_logits = network.discriminator(fake)
    return (ops.softplus(-real_logits) + ops.softplus(fake_logits)).mean()


def generator_loss(network: nn.Cell, noise: Tensor) -> Tensor:
    """Mean cross-entropy of taking generated samples for real ones.

    This loss (Goodfellow et al., 2014, section 3) has a gradient even where the
    discriminator is sure: it does not saturate, as minus its own loss would.
    """
    logits = network.discriminator(network.generator(noise))
    return ops.softplus(-logits).mean()


# A loss of your own goes here: it takes the network and what its update takes.
LOSSES = {"discriminator": discriminator_loss, "generator": generator_loss}
BEST_BY, BEST = "modes", max  # chooses the best checkpoint


def cover(samples: np.ndarray) -> dict[str, float]:
    """Return how many centres the samples cover, and the share that is near to one.

    Near is within four deviations. A centre is covered if 2 % of all samples are near
    it: a sixth of its part.
    """
    distances = np.linalg.norm(samples[:, None] - CENTRES, axis=2)
    counts = (distances < 4 * DEVIATION).sum(axis=0)
    modes = int((counts >= 0.02 * len(samples)).sum())
    return {"modes": modes, "near": float(counts.sum() / len(samples))}


def build_forward_fn(network: nn.Cell, name: str) -> Callable:
    """Return ``forward_fn(*batch) -> (loss, (loss,))`` of a loss by name, float32."""
    loss_fn = LOSSES[name]

    def forward_fn(*batch):
        loss = loss_fn(network, *batch)
        return loss, (loss,)

    return forward_fn


def build_evaluate(network: nn.Cell, dataset: Arrays, batch_size: int) -> Callable:
    """Return ``evaluate()``, which judges as many samples as the dataset has.

    Their noise is the same each time.
    """
    (real,) = dataset
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((len(real), NOISE_SIZE), dtype=np.float32)

    @ms.jit
    def judge(real, noise):
        sure = discriminator_loss(network, real, noise)
        return network(noise), (sure, generator_loss(network, noise))

    def evaluate() -> dict[str, float]:
        network.set_train(False)
        samples, losses = [], []
        for start in range(0, len(real), batch_size):
            # The last batch is filled up from the start: one shape compiles once.
            rows = np.arange(start, start + batch_size) % len(real)
            batch_samples, batch_losses = judge(Tensor(real[rows]), Tensor(noise[rows]))
            samples.append(batch_samples.asnumpy())
            losses.append([float(loss) for loss in batch_losses])
        network.set_train(True)
        generated = np.concatenate(samples)[: len(real)]
        means = np.mean(losses, axis=0)
        scores = {"eval_loss": float(means.sum())}
        scores |= {f"eval_loss.{name}": float(m) for name, m in zip(LOSSES, means)}
        return {**scores, **cover(generated)}

    return evaluate
