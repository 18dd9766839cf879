"""Proofs of the training step, against arithmetic that does not use it."""

import mindspore as ms
import numpy as np
import pytest
from my_project.forward import build_forward_fn
from my_project.loop import build


@pytest.fixture
def training(config, train_set):
    """A freshly built network, optimizer and step, and their state."""
    ms.set_seed(1)
    return build(config, train_set[0].shape[1:])


def test_loss_falls(training, micro_batches):
    """Steps on one batch make its loss small."""
    _, _, train_step, _ = training
    losses = []
    for _ in range(60):
        loss = train_step(*micro_batches[0])[0]
        losses.append(float(loss))
    assert losses[-1] < 0.9 * losses[0]


def test_policy_loss_leaves_the_baseline(training, micro_batches):
    """The policy's loss takes the value as given: its head gets no gradient."""
    network, optimizer, _, _ = training
    forward = build_forward_fn(network, (1.0, 0.0))
    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    _, grads = grad_fn(*micro_batches[0])
    for parameter, grad in zip(optimizer.parameters, grads):
        is_value = parameter.name.startswith("value_head")
        assert (np.abs(grad.asnumpy()).max() == 0) == is_value, parameter.name


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
