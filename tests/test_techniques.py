"""Techniques that leave the step as it is, against what it does without them."""

import numpy as np
import pytest

STYLES = ("function", "cell")


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("lr_schedule", ["constant", "cosine"])
def test_layers_have_their_own_rates(lr_schedule, step, render, worker):
    """SGD moves a layer by its factor of what it would, and others as ever.

    One step, so that the gradients are those of the plain project; then it decays too.
    """
    answers = {"optimizer": "SGD", "lr_schedule": lr_schedule, "step": step}
    settings = ["--optimizer.learning_rate=0.1", "--optimizer.weight_decay=0.1"]
    factors = '--optimizer.rate_factors={"backbone.layers.0.*": 0.25, "head.*": 2}'
    moved = []
    for techniques, more in ([], []), (["layer_rates"], [factors]):
        result = worker.run(
            "numerics:steps",
            render({**answers, "techniques": techniques}),
            settings=[*settings, *more],
            size=16,
            count=1,
            rates=[0.05, 0.01],
        )
        before, after = result["before"], result["after"]
        moved.append({name: np.subtract(after[name], before[name]) for name in after})
    plain, scaled = moved
    for name, change in plain.items():
        factor = 0.25 if ".layers.0." in name else 2 if "head" in name else 1
        assert np.abs(change).max() > 1e-4
        assert np.allclose(scaled[name], factor * change, rtol=0, atol=1e-7), name


@pytest.mark.parametrize("step", STYLES)
@pytest.mark.parametrize("model", ["mlp", "transformer"])
def test_recomputing_changes_no_number(model, step, render, worker):
    """Cells that compute forward twice give the same losses and weights, bit for bit."""
    results = []
    for techniques, more in ([], []), (["recompute"], ["--recomputed=[backbone]"]):
        answers = {"model": model, "step": step, "techniques": techniques}
        result = worker.run(
            "numerics:steps",
            render({**answers, "lr_schedule": "constant"}),
            settings=more,
            size=16,
            count=5,
        )
        results.append([result["losses"], result["after"]])
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('--optimizer.rate_factors={"bakbone.*": 1}', "bakbone"),
        ("--recomputed=[bakbone]", "no cell has a name like bakbone"),
        ("--frozen=[bakbone.*]", "no parameter has a name like bakbone"),
    ],
)
def test_pattern_that_matches_nothing(setting, words, render, worker):
    """A pattern without a match is refused with its text."""
    project = render({"techniques": ["freeze", "layer_rates", "recompute"]})
    settings = [setting]
    reason = worker.run("refusals:build", project, settings=settings)
    assert words in reason
