"""Networks against arithmetic that is written here and does not use them."""

import numpy as np
import pytest

SMALL = ["--network.width=8", "--network.heads=2", "--network.blocks=2"]


def dense(weights: dict, name: str, x: np.ndarray) -> np.ndarray:
    """Return what a dense layer makes of x."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def norm(weights: dict, name: str, x: np.ndarray) -> np.ndarray:
    """Return x with mean 0 and variance 1 in each position, then scaled and shifted."""
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-7)
    return weights[f"{name}.gamma"] * scaled + weights[f"{name}.beta"]


def attention(weights: dict, name: str, x: np.ndarray, causal: bool) -> np.ndarray:
    """Return two-headed attention over one sequence (length, width), head by head."""
    query, key, value = (
        dense(weights, f"{name}.{part}", x) for part in ("query", "key", "value")
    )
    mixed = []
    for head in (slice(0, 4), slice(4, 8)):
        scores = query[:, head] @ key[:, head].T / 2  # the root of 4 features
        if causal:
            scores[np.triu_indices(len(x), k=1)] = -np.inf
        chances = np.exp(scores)
        mixed.append(chances / chances.sum(axis=1, keepdims=True) @ value[:, head])
    return dense(weights, f"{name}.output", np.concatenate(mixed, axis=1))


def transformer(weights: dict, tokens: np.ndarray, causal: bool) -> np.ndarray:
    """Return what a transformer of two blocks makes of one sequence (length,)."""
    x = weights["backbone.token_embedding.embedding_table"][tokens]
    x = x + weights["backbone.position_embedding"]
    for block in ("backbone.blocks.0", "backbone.blocks.1"):
        normed = norm(weights, f"{block}.attention_norm", x)
        x = x + attention(weights, f"{block}.attention", normed, causal)
        hidden = norm(weights, f"{block}.feed_forward_norm", x)
        hidden = np.maximum(dense(weights, f"{block}.feed_forward.0", hidden), 0)
        x = x + dense(weights, f"{block}.feed_forward.2", hidden)
    x = norm(weights, "backbone.norm", x)
    return dense(weights, "head", x if causal else x.mean(axis=0))


@pytest.mark.parametrize(
    ("answers", "settings", "causal"),
    [
        ({"data": "builtin"}, ["--data.length=12", "--data.train_bytes=100"], True),
        ({"data": "synthetic"}, ["--data.train_samples=8"], False),
    ],
    ids=["language", "classes"],
)
def test_transformer_agrees_with_numpy(answers, settings, causal, render, worker):
    """The network's outputs are those of the formulas, to the rounding of float32."""
    project = render({"model": "transformer", **answers})
    result = worker.run(
        "networks:outputs", project, settings=[*SMALL, *settings], count=5
    )
    weights = {name: np.array(value) for name, value in result["weights"].items()}
    tokens = np.array(result["inputs"])
    expected = [transformer(weights, row, causal) for row in tokens]
    spread = np.std(expected)
    assert spread > 0.01
    assert np.allclose(result["outputs"], expected, rtol=0, atol=1e-5 * max(1, spread))
