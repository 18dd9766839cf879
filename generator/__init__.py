"""Render, check and train the MindSpore projects of the Copier template beside this package."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder of copier.yml and template/, where this package is used from a checkout."""

ADDRESS = "https://github.com/mindstep/mindstep"
"""What the rendered examples record as their template, in place of a path of some machine."""
