"""Proofs of the training step, against arithmetic that does not use it."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops
from my_project.forward import build_forward_fn
from my_project.loop import build
from my_project.network import Network


@pytest.fixture
def training(config, train_set):
    """A freshly built network, optimizer and step, and their state."""
    ms.set_seed(1)
    return build(config, train_set[0].shape[1:])


def values(state) -> dict[str, np.ndarray]:
    return {name: parameter.asnumpy().copy() for name, parameter in state.items()}


def test_loss_falls(training, micro_batches):
    """Steps on one batch make its loss small."""
    _, _, train_step, _ = training
    losses = []
    for _ in range(60):
        loss = train_step(*micro_batches[0])[0]
        losses.append(float(loss))
    assert losses[-1] < 0.9 * losses[0]


def test_gradient_agrees_with_float32(config, training, train_set, micro_batches):
    """Mixed precision changes the gradient by no more than its rounding."""
    network, _, _, _ = training
    ms.set_seed(1)
    float32_network = Network(train_set[0].shape[1:], config.network)
    float32_network.set_train()
    gradients = []
    for network in (network, float32_network):
        weights = network.trainable_params()
        forward = build_forward_fn(network)
        grad_fn = ms.value_and_grad(forward, None, weights, has_aux=True)
        _, grads = grad_fn(*micro_batches[0])
        gradients.append(np.concatenate([grad.asnumpy().ravel() for grad in grads]))
    error = np.linalg.norm(gradients[0] - gradients[1])
    assert error < 0.1 * np.linalg.norm(gradients[1])


def test_compiled_step_equals_eager_step(config, train_set, micro_batches, monkeypatch):
    """The same steps give the same losses with and without compilation."""
    losses = []
    for jit in ("1", "0"):
        monkeypatch.setenv("MS_JIT", jit)
        ms.set_seed(1)
        _, _, train_step, _ = build(config, train_set[0].shape[1:])
        steps = [train_step(*batch) for batch in micro_batches]
        losses.append([float(outputs[0]) for outputs in steps])
    assert losses[0] == pytest.approx(losses[1], rel=0.05)


def test_overflow_moves_nothing(training, micro_batches):
    """A gradient that is not finite is dropped, and the loss scale halves."""
    _, optimizer, train_step, state = training
    bias = state["head.bias"]
    ops.assign(bias, Tensor(np.full(bias.shape, np.inf, np.float32)))
    before = values(state)
    train_step(*micro_batches[0])
    after = values(state)
    assert after.pop("loss_scale") == before.pop("loss_scale") / 2
    for name in after:
        if "moving" not in name:  # what a forward pass moves
            assert np.array_equal(after[name], before[name]), name
