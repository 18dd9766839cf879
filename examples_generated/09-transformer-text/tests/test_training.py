"""Proofs of the loop: a run that was stopped goes on as if it had not been."""

import csv
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
from my_project.loop import train


def test_resumed_run_equals_unbroken_run(config, tmp_path):
    """One epoch and a second after resuming give what two epochs in one go give."""
    settings = replace(config, runs=str(tmp_path), epochs=2)
    train(replace(settings, run_name="unbroken"))
    # A schedule depends on the number of epochs, so the run is cut off after the first.
    train(replace(settings, run_name="stopped"))
    (tmp_path / "stopped" / "epoch-00002.ckpt").unlink()
    train(replace(settings, run_name="stopped"), folder=Path(tmp_path, "stopped"))
    ends = []
    for name in ("unbroken", "stopped"):
        path = tmp_path / name / "epoch-00002.ckpt"
        ends.append(ms.load_checkpoint(str(path), crc_check=True))
    assert ends[0].keys() == ends[1].keys()
    for name, value in ends[0].items():
        assert np.array_equal(value.asnumpy(), ends[1][name].asnumpy()), name
    with open(tmp_path / "stopped" / "metrics.csv", encoding="utf-8") as file:
        assert [row["epoch"] for row in csv.DictReader(file)] == ["1", "2"]
