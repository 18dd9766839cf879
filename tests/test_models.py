"""Networks against arithmetic that is written here and does not use them."""

import numpy as np
import pytest

SMALL = ["--network.width=8", "--network.heads=2", "--network.blocks=2"]


def distance(one: dict, other: dict) -> float:
    """Return the largest difference between two sets of parameters."""
    return max(np.abs(np.subtract(one[name], other[name])).max() for name in one)


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


def poisson_losses(weights: dict, points, source, boundary, values) -> np.ndarray:
    """Return the residual and boundary losses of a network with one hidden layer.

    Its second derivatives are written out: tanh'' = -2 tanh (1 - tanh^2).
    """
    first, shift, last, offset = weights.values()

    def network(x):
        return np.tanh(x @ first.T + shift) @ last.T + offset

    active = np.tanh(points @ first.T + shift)
    curved = -2 * active * (1 - active**2)
    laplacian = curved @ (last[0] * (first**2).sum(axis=1))
    residual = -laplacian - source[:, 0]
    return np.array([(residual**2).mean(), ((network(boundary) - values) ** 2).mean()])


@pytest.mark.parametrize("step", ["function", "cell"])
def test_equation_agrees_with_numpy(step, render, worker):
    """Losses and weights over steps are those of second derivatives written out by hand.

    The gradients of the reference are finite differences in float64.
    """
    project = render({"model": "pinn", "step": step, "optimizer": "SGD"})
    settings = ["--network.hidden_sizes=[4]", "--task_weights.boundary=10"]
    settings += ["--optimizer.learning_rate=0.001", "--data.train_samples=64"]
    result = worker.run(
        "numerics:steps", project, settings=settings, size=8, count=5, rates=[0.001] * 5
    )
    weights = {name: np.array(value) for name, value in result["before"].items()}
    arrays = [np.array(result["inputs"]), *map(np.array, result["targets"])]
    for number in range(5):
        batch = [array[number * 8 : number * 8 + 8] for array in arrays]
        losses = poisson_losses(weights, *batch)
        assert np.allclose(result["task_losses"][number], losses, rtol=1e-4)
        moved = {}
        for name, weight in weights.items():
            slope = np.zeros_like(weight)
            for place in np.ndindex(weight.shape):
                ends = []
                for size in (1e-5, -1e-5):
                    near = {key: value.copy() for key, value in weights.items()}
                    near[name][place] += size
                    ends.append(poisson_losses(near, *batch) @ [1, 10])
                slope[place] = (ends[0] - ends[1]) / 2e-5
            moved[name] = weight - 0.001 * slope
        weights = moved
    for name, weight in weights.items():
        change = np.abs(weight - result["before"][name]).max()
        assert np.allclose(result["after"][name], weight, rtol=0, atol=1e-3 * change)


def policy_losses(weights: dict, observations, actions, returns, values) -> np.ndarray:
    """Return the policy and value losses, with `values` as given in the policy's."""
    hidden = np.maximum(dense(weights, "backbone.layers.0", observations), 0)
    logits = dense(weights, "policy_head", hidden)
    foretold = dense(weights, "value_head", hidden)[:, 0]
    values = foretold if values is None else values
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    surprise = -np.log(chances[np.arange(len(actions)), actions])
    losses = (surprise * (returns - values)).mean(), ((returns - foretold) ** 2).mean()
    return np.array(losses)


@pytest.mark.parametrize("step", ["function", "cell"])
def test_policy_gradient_agrees_with_numpy(step, render, worker):
    """Losses and weights over steps are those of REINFORCE with a baseline by hand."""
    project = render({"model": "policy_gradient", "step": step, "optimizer": "SGD"})
    settings = ["--network.hidden_sizes=[5]", "--task_weights.value=0.5"]
    settings += ["--optimizer.learning_rate=0.1"]
    result = worker.run("numerics:steps", project, settings=settings, size=64, count=5)
    weights = {name: np.array(value) for name, value in result["before"].items()}
    arrays = [np.array(result["inputs"]), *map(np.array, result["targets"])]
    for number in range(5):
        rows = slice(number * 64, number * 64 + 64)
        batch = [array[rows] for array in arrays]
        losses = policy_losses(weights, *batch, values=None)
        assert np.allclose(result["task_losses"][number], losses, rtol=0, atol=1e-5)
        hidden = np.maximum(dense(weights, "backbone.layers.0", batch[0]), 0)
        values = dense(weights, "value_head", hidden)[:, 0]
        moved = {}
        for name, weight in weights.items():
            slope = np.zeros_like(weight)
            for place in np.ndindex(weight.shape):
                ends = []
                for size in (1e-6, -1e-6):
                    near = {key: value.copy() for key, value in weights.items()}
                    near[name][place] += size
                    ends.append(policy_losses(near, *batch, values) @ [1, 0.5])
                slope[place] = (ends[0] - ends[1]) / 2e-6
            moved[name] = weight - 0.1 * slope
        weights = moved
    assert distance(result["before"], result["after"]) > 1e-3
    assert distance(weights, result["after"]) < 1e-5


def test_returns_agree_with_a_sum_by_hand(render, worker):
    """A return is the discounted sum to the episode's end, or on to the foretold rest."""
    project = render({"model": "policy_gradient"})
    rng = np.random.default_rng(0)
    rewards = rng.standard_normal((7, 3))
    ends = rng.random((7, 3)) < 0.3
    later = rng.standard_normal(3)
    found = worker.run(
        "networks:returns",
        project,
        rewards=rewards.tolist(),
        ends=ends.tolist(),
        later=later.tolist(),
        discount=0.9,
    )
    assert ends.any() and not ends.all()
    for player in range(3):
        for start in range(7):
            total, weight = 0.0, 1.0
            for step in range(start, 7):
                total += weight * rewards[step, player] * (1 - 0.9)
                weight *= 0.9
                if ends[step, player]:
                    break
            else:
                total += weight * later[player]
            assert found[start][player] == pytest.approx(total, abs=1e-12)
