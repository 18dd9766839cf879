"""Compares checkpoints."""

import mindspore as ms
import numpy as np
from project import Project


def difference(project: Project, one: str, other: str) -> dict[str, float]:
    """Return the largest difference of each entry of two checkpoints of a project."""
    first, second = (ms.load_checkpoint(path, crc_check=True) for path in (one, other))
    assert first.keys() == second.keys()
    pairs = {name: (first[name].asnumpy(), second[name].asnumpy()) for name in first}
    return {
        name: float(np.abs(a.astype(np.float64) - b.astype(np.float64)).max())
        for name, (a, b) in pairs.items()
    }
