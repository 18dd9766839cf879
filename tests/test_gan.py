"""The step of a gan against backward passes that are written here, and what it reaches."""

import csv

import numpy as np
import pytest

from generator.verify import train

STYLES = ("function", "cell")
GAN = {"model": "gan"}
TINY = [
    "--network.generator_sizes=[5]",
    "--network.discriminator_sizes=[4]",
    "--data.batch_size=8",
    "--data.train_samples=256",
]
LAYERS = (0, 2)  # of the two dense layers in each network


class Perceptron:
    """One hidden layer of ReLU, in float64, with its backward pass."""

    def __init__(self, weights: dict, name: str) -> None:
        self.names = [
            f"{name}.layers.{layer}.{kind}"
            for layer in LAYERS
            for kind in ("weight", "bias")
        ]
        self.values = [np.array(weights[name]) for name in self.names]

    def forward(self, x: np.ndarray) -> np.ndarray:
        """Return the outputs, and keep what the backward pass needs."""
        weight, bias, top_weight, top_bias = self.values
        self.x, self.before = x, x @ weight.T + bias
        self.hidden = self.before.clip(0)
        return self.hidden @ top_weight.T + top_bias

    def backward(self, slope: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the gradients of the weights, and that of the inputs."""
        weight, _, top_weight, _ = self.values
        inner = slope @ top_weight * (self.before > 0)
        grads = [
            inner.T @ self.x,
            inner.sum(axis=0),
            slope.T @ self.hidden,
            slope.sum(axis=0),
        ]
        return grads, inner @ weight


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return the slope of softplus."""
    return 1 / (1 + np.exp(-x))


def softplus(x: np.ndarray) -> np.ndarray:
    """Return log(1 + exp(x))."""
    return np.logaddexp(0, x)


class Reference:
    """Both networks, moved by plain gradient descent after `change` of the gradients."""

    def __init__(self, weights: dict, change=lambda grads: grads) -> None:
        self.generator = Perceptron(weights, "generator")
        self.discriminator = Perceptron(weights, "discriminator")
        self.change = change
        self.norms = []

    def move(self, network: Perceptron, grads: list[np.ndarray], rate: float) -> None:
        self.norms.append(np.sqrt(sum((grad**2).sum() for grad in grads)))
        moves = zip(network.values, self.change(grads))
        network.values = [value - rate * grad for value, grad in moves]

    def update_discriminator(self, real, noise, rate: float) -> float:
        fake = self.generator.forward(noise)
        logits = self.discriminator.forward(real)
        loss = softplus(-logits).mean()
        on_real, _ = self.discriminator.backward(-sigmoid(-logits) / len(logits))
        logits = self.discriminator.forward(fake)
        loss += softplus(logits).mean()
        on_fake, _ = self.discriminator.backward(sigmoid(logits) / len(logits))
        grads = [one + other for one, other in zip(on_real, on_fake)]
        self.move(self.discriminator, grads, rate)
        return loss

    def update_generator(self, noise, rate: float) -> float:
        logits = self.discriminator.forward(self.generator.forward(noise))
        _, slope = self.discriminator.backward(-sigmoid(-logits) / len(logits))
        grads, _ = self.generator.backward(slope)
        self.move(self.generator, grads, rate)
        return softplus(-logits).mean()

    def weights(self) -> dict[str, np.ndarray]:
        networks = (self.generator, self.discriminator)
        return {
            name: value
            for net in networks
            for name, value in zip(net.names, net.values)
        }


def run_reference(result: dict, rates: list[float], change=lambda grads: grads):
    """Take the same steps by NumPy; return the end, its losses and the norms."""
    reference = Reference(result["weights"][0], change)
    losses, norms = [], []
    for batch, rate in zip(result["batches"], rates, strict=True):
        *pairs, noise = [np.array(part) for part in batch]
        for number in range(0, len(pairs), 2):
            sure = reference.update_discriminator(*pairs[number : number + 2], rate)
        losses.append([sure, reference.update_generator(noise, rate)])
        norms.append(reference.norms[-1])
    return reference.weights(), losses, norms


def assert_agrees(result: dict, expected: tuple, tolerance: float = 2e-6) -> None:
    """The weights, the losses and the norms are those of the reference."""
    weights, losses, norms = expected
    assert result["weights"][-1].keys() == weights.keys()
    for name, value in weights.items():
        moved = np.abs(value - result["weights"][0][name]).max()
        assert moved > 1e-3, name
        found = result["weights"][-1][name]
        assert np.allclose(found, value, rtol=0, atol=tolerance), name
    assert np.allclose(result["task_losses"], losses, rtol=0, atol=tolerance)
    assert np.allclose(result["losses"], np.sum(losses, axis=1), atol=2 * tolerance)
    if result["norms"]:
        assert np.allclose(result["norms"], norms, rtol=max(1e-4, 5 * tolerance))


SGD = {**GAN, "optimizer": "SGD"}
RATE = ["--optimizer.learning_rate=0.1"]


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("discriminator_steps", [1, 2])
def test_steps_agree_with_numpy(discriminator_steps, step, render, worker):
    """Eight steps move both networks as backward passes by hand do."""
    settings = [*TINY, *RATE, f"--data.discriminator_steps={discriminator_steps}"]
    project = render({**SGD, "step": step})
    result = worker.run("gan:steps", project, settings=settings, count=8)
    assert len(result["batches"][0]) == 2 * discriminator_steps + 1
    assert result["updates"] == 8
    assert_agrees(result, run_reference(result, [0.1] * 8))


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("clip", ["norm", "value"])
def test_each_network_is_clipped_by_itself(clip, step, render, worker):
    """The bound holds for the gradients of each network; the norm is the generator's."""
    limit = {"norm": 0.1, "value": 0.02}[clip]
    settings = [*TINY, *RATE, f"--optimizer.clip_{clip}={limit}"]
    project = render({**SGD, "step": step, "grad_clip": clip})
    result = worker.run("gan:steps", project, settings=settings, count=8)

    def change(grads):
        if clip == "value":
            return [grad.clip(-limit, limit) for grad in grads]
        norm = np.sqrt(sum((grad**2).sum() for grad in grads))
        return [grad * min(1, limit / norm) for grad in grads]

    assert_agrees(result, run_reference(result, [0.1] * 8, change))
    assert len(result["norms"]) == (8 if clip == "norm" else 0)


@pytest.mark.parametrize("step", STYLES)
def test_both_optimizers_follow_the_schedule(step, render, worker):
    """The discriminator takes the rate of a step for each of its updates in it."""
    rates = [0.2, 0.1, 0.05, 0.025]
    settings = [*TINY, "--data.discriminator_steps=2"]
    project = render({**SGD, "step": step, "lr_schedule": "cosine"})
    result = worker.run("gan:steps", project, settings=settings, count=4, rates=rates)
    assert_agrees(result, run_reference(result, rates))


@pytest.mark.parametrize("step", STYLES)
def test_mixed_precision_agrees_with_numpy(step, render, worker):
    """With a loss scale, float16 ends near the reference: the scale is taken out."""
    answers = {"amp_level": "O2", "loss_scale": "dynamic", "step": step}
    project = render({**SGD, **answers})
    result = worker.run("gan:steps", project, settings=[*TINY, *RATE], count=8)
    assert_agrees(result, run_reference(result, [0.1] * 8), tolerance=3e-3)


@pytest.mark.parametrize("step", STYLES)
def test_an_update_moves_its_own_network(step, render, worker):
    """Other noise for the generator's update leaves the discriminator bit for bit."""
    project = render({**SGD, "step": step})
    result = worker.run("gan:other_noise", project, settings=[*TINY, *RATE])
    one, other = result["ends"]
    for name, value in result["before"].items():
        assert one[name] != value, name
        assert (one[name] == other[name]) == name.startswith("discriminator."), name


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"data": "builtin", "techniques": ["ema"], "optimizer": "AdamWeightDecay"},
        {"grad_clip": "norm", "amp_level": "O2", "loss_scale": "dynamic"},
        {"amp_level": "O3", "loss_scale": "none", "lr_schedule": "warmup_cosine"},
    ],
    ids=["plain", "ema", "half", "O3"],
)
def test_both_styles_give_the_same_numbers(answers, render, worker):
    """Twenty steps give the same losses, weights and state, bit for bit."""
    function, cell = [
        worker.run(
            "gan:steps",
            render({**GAN, **answers, "step": step}),
            settings=["--data.batch_size=16", "--data.discriminator_steps=2"],
            count=20,
            rates=[0.003] * 20,
        )
        for step in STYLES
    ]
    assert len(set(function["losses"])) == 20
    for key in function:
        assert function[key] == cell[key], key
    for network in ("discriminator", "generator"):
        assert f"{network}_optimizer.global_step" in function["state"]
    steps = [
        function["state"][f"{network}_optimizer.global_step"]
        for network in ("discriminator", "generator")
    ]
    assert steps == [[40], [20]]


@pytest.mark.parametrize("step", STYLES)
def test_mixture_is_covered(step, render):
    """With its default settings a gan covers at least 7 of the 8 modes, in time."""
    measured = train(render({**GAN, "step": step}), timeout=240)
    assert measured.summary["metric_name"] == "modes"
    assert measured.summary["metric"] >= 7
    assert measured.summary["best_metric"] == 8
    assert measured.summary["updates"] == measured.summary["steps"]
    assert set(measured.summary["tasks"]) == {"discriminator", "generator"}
    training = measured.summary["compile_seconds"] + (
        measured.summary["steps"] / measured.summary["steps_per_second"]
    )
    assert training < 120
    with open(measured.run / "metrics.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {"loss.discriminator", "loss.generator"} <= set(rows[0])
    assert (measured.run / "samples.png").stat().st_size > 5000
