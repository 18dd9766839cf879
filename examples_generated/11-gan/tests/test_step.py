"""Proofs of the training step, against arithmetic that does not use it."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor
from my_project.forward import LOSSES, build_forward_fn
from my_project.loop import build


@pytest.fixture
def training(config, train_set):
    """Freshly built networks, the generator's optimizer, the step, and their state."""
    ms.set_seed(1)
    return build(config, train_set[0].shape[1:])


def values(state) -> dict[str, np.ndarray]:
    return {name: parameter.asnumpy().copy() for name, parameter in state.items()}


def loss_inputs(name, batch):
    """Return what a loss takes of a batch."""
    return batch[:2] if name == "discriminator" else batch[-1:]


def test_both_networks_train(training, micro_batches):
    """Each weight moves in a few steps, and the losses stay finite."""
    network, optimizer, train_step, _ = training
    before = values(network.parameters_dict())
    for _ in range(5):
        for batch in micro_batches:
            assert np.isfinite(float(train_step(*batch)[0]))
    after = values(network.parameters_dict())
    assert optimizer.global_step.item() == 20
    for name in before:
        assert not np.array_equal(after[name], before[name]), name


def test_its_noise_moves_the_generator_alone(config, train_set, micro_batches):
    """The discriminator stays alike, bit for bit, whatever the generator is given."""
    *pairs, noise = micro_batches[0]
    ends = []
    for factor in (1, -1):
        ms.set_seed(1)
        network, _, train_step, _ = build(config, train_set[0].shape[1:])
        train_step(*pairs, noise * factor)
        ends.append(values(network.parameters_dict()))
    moved = [name for name in ends[0] if (ends[0][name] != ends[1][name]).any()]
    assert moved and all(name.startswith("generator.") for name in moved)


@pytest.mark.parametrize("name", LOSSES)
def test_gradient_agrees_with_finite_differences(training, micro_batches, name):
    """Along its own direction a loss changes by the gradient's squared norm."""
    network = training[0]
    inputs = loss_inputs(name, micro_batches[0])
    weights = ms.ParameterTuple(getattr(network, name).trainable_params())
    forward = build_forward_fn(network, name)
    grad_fn = ms.value_and_grad(forward, None, weights, has_aux=True)
    _, grads = grad_fn(*inputs)
    norm = np.sqrt(sum((grad.asnumpy().astype(float) ** 2).sum() for grad in grads))
    before = [weight.asnumpy().copy() for weight in weights]
    size = 0.003 / norm
    ends = []
    for sign in (1, -1):
        for weight, start, grad in zip(weights, before, grads):
            weight.set_data(Tensor(start + sign * size * grad.asnumpy()))
        ends.append(float(forward(*inputs)[0]))
    slope = (ends[0] - ends[1]) / (2 * size)
    assert slope == pytest.approx(norm**2, rel=0.02)


def test_compiled_step_equals_eager_step(config, train_set, micro_batches, monkeypatch):
    """The same steps give the same losses with and without compilation."""
    losses = []
    for jit in ("1", "0"):
        monkeypatch.setenv("MS_JIT", jit)
        ms.set_seed(1)
        _, _, train_step, _ = build(config, train_set[0].shape[1:])
        steps = [train_step(*batch) for batch in micro_batches]
        losses.append([float(outputs[0]) for outputs in steps])
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
