"""The committed examples are what the template renders now."""

import re

import pytest

from generator.checks import check
from generator.examples import EXAMPLES, FOLDER, diff


def test_examples_equal_a_fresh_render():
    """`make examples` would change nothing."""
    assert diff() == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_is_clean(example):
    """Each example is clean, and names no folder of the machine that rendered it."""
    folder = FOLDER / example.name
    assert check(folder) == []
    for path in folder.rglob("*"):
        if path.is_file() and not {"runs", "__pycache__"} & set(path.parts):
            text = path.read_text(encoding="utf-8")
            assert not re.search(
                r"(?<![\w.:/])/(?:home|mnt|root|tmp|usr|var|Users)\b", text
            )
            assert not re.search(r"\b[A-Z]:\\", text)
            assert "mindstep-template-" not in text
