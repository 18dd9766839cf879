"""Proofs of the training step, against arithmetic that does not use it."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor
from my_project.forward import build_forward_fn
from my_project.loop import build

RATES = [0.01] * 100


@pytest.fixture
def training(config, train_set):
    """A freshly built network, optimizer and step, and their state."""
    ms.set_seed(1)
    return build(config, train_set[0].shape[1:], RATES)


def test_loss_falls(training, micro_batches):
    """Steps on one batch make its loss small."""
    _, _, train_step, _ = training
    losses = []
    for _ in range(60):
        loss = train_step(*micro_batches[0])[0]
        losses.append(float(loss))
    assert losses[-1] < 0.9 * losses[0]


def test_no_position_sees_a_later_byte(training, micro_batches):
    """Another byte changes the outputs at its place and after it, and none before."""
    network = training[0].set_train(False)
    tokens = micro_batches[0][0].asnumpy()
    changed = tokens.copy()
    changed[:, 20] = (changed[:, 20] + 1) % 256
    one, other = [network(Tensor(batch)).asnumpy() for batch in (tokens, changed)]
    differs = (one != other).any(axis=(0, 2))
    assert not differs[:20].any()
    assert differs[20:].all()


def test_gradient_agrees_with_finite_differences(config, training, micro_batches):
    """Along its own direction the loss changes by the gradient's squared norm."""
    network, optimizer, _, _ = training
    network.set_train(False)
    forward = build_forward_fn(network)
    weights = optimizer.parameters
    grad_fn = ms.value_and_grad(forward, None, weights, has_aux=True)
    _, grads = grad_fn(*micro_batches[0])
    norm = np.sqrt(sum((grad.asnumpy().astype(float) ** 2).sum() for grad in grads))
    before = [weight.asnumpy().copy() for weight in weights]
    size = 0.003 / norm
    ends = []
    for sign in (1, -1):
        for weight, start, grad in zip(weights, before, grads):
            weight.set_data(ms.Tensor(start + sign * size * grad.asnumpy()))
        ends.append(float(forward(*micro_batches[0])[0]))
    slope = (ends[0] - ends[1]) / (2 * size)
    assert slope == pytest.approx(norm**2, rel=0.02)


def test_compiled_step_equals_eager_step(config, train_set, micro_batches, monkeypatch):
    """The same steps give the same losses with and without compilation."""
    losses = []
    for jit in ("1", "0"):
        monkeypatch.setenv("MS_JIT", jit)
        ms.set_seed(1)
        _, _, train_step, _ = build(config, train_set[0].shape[1:], RATES)
        steps = [train_step(*batch) for batch in micro_batches]
        losses.append([float(outputs[0]) for outputs in steps])
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
