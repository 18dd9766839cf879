"""The README agrees with the template: its tables are those that the questions give."""

import re

from generator import ROOT
from generator.examples import EXAMPLES
from generator.options import as_markdown

README = (ROOT / "README.md").read_text(encoding="utf-8")


def between(mark: str) -> str:
    """Return what stands in the README between two marks."""
    return re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", README, re.S)[
        1
    ].strip()


def test_option_table_is_that_of_the_questions():
    """`mindstep options --markdown` prints the README's table."""
    assert between("options") == as_markdown()


def test_every_example_is_listed_in_order():
    """The README lists the examples with the titles of the one list."""
    rows = [f"| `{example.name}` | {example.title} |" for example in EXAMPLES]
    assert between("examples").splitlines()[2:] == rows


def test_make_targets_and_paths_exist():
    """Each make target and each folder that the README names is there."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M)
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.M)) <= set(targets)
    named = re.findall(r"`((?:template|examples_generated)/[\w/.]*)`", README)
    assert named and all((ROOT / path).exists() for path in named)
