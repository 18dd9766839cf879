"""What a run ends with: a text that the network writes."""

from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .config import Config
from .data import VOCABULARY, Arrays


def sample(network: nn.Cell, config: Config) -> bytes:
    """Return the prompt and what the network writes after it.

    Each byte is drawn from the network's probabilities, sharpened by the temperature.
    The network sees the last `length` bytes; the zeros that fill up a shorter text come
    after it, so they cannot matter.
    """
    rng = np.random.default_rng(config.seed)
    length = config.data.length

    @ms.jit
    def predict(tokens, position):
        return network(tokens)[0, position]

    text = config.sample.prompt.encode() or b"\n"
    for _ in range(config.sample.bytes):
        seen = np.frombuffer(text[-length:], np.uint8)
        tokens = np.zeros((1, length), np.int32)
        tokens[0, : len(seen)] = seen
        logits = predict(Tensor(tokens), Tensor(len(seen) - 1))
        logits = logits.asnumpy().astype(float) / config.sample.temperature
        chances = np.exp(logits - logits.max())
        text += bytes([rng.choice(VOCABULARY, p=chances / chances.sum())])
    return text


def unigram_bits(train_set: Arrays, eval_set: Arrays) -> float:
    """Return the bits a byte of a model that knows only how often each byte occurs."""
    counts = np.bincount(train_set[1].ravel(), minlength=VOCABULARY) + 1
    return float(-np.log2(counts / counts.sum())[eval_set[1]].mean())


def report(
    network: nn.Cell, config: Config, folder: Path, train_set: Arrays, eval_set: Arrays
) -> dict[str, float]:
    """Write sample.txt to the folder, and return a figure to compare with."""
    network.set_train(False)
    (folder / "sample.txt").write_bytes(sample(network, config))
    network.set_train(True)
    return {"unigram_bits_per_byte": unigram_bits(train_set, eval_set)}
