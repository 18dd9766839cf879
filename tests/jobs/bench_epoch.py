"""Time the project in the working directory: an epoch of its loop against its bare steps."""

import json
import statistics
import sys
import time
from dataclasses import replace

sys.path.insert(0, ".")

from my_project import config as project_config
from my_project import loop
from my_project.run import Run

EPOCHS = 12

config, _ = project_config.parse_args("--resume", "")
ends, parts = [], {"steps": [], "evaluation": []}
build, build_evaluate, save_epoch = loop.build, loop.build_evaluate, Run.save_epoch


def timed_build(settings, sample_shape):
    """Build as the loop does, and keep the step to time it bare."""
    training = build(settings, sample_shape)
    parts["step"] = training[2]
    return training


def timed_build_evaluate(*arguments):
    """Build as the loop does, and keep the evaluation to time it bare."""
    parts["evaluate"] = build_evaluate(*arguments)
    return parts["evaluate"]


def save_and_measure(run, *arguments):
    """Save as the loop does; then run the same steps and evaluation bare, beside the clock."""
    save_epoch(run, *arguments)
    ends.append((started[-1], time.perf_counter()))
    begin = time.perf_counter()
    for batch in ready:
        outputs = parts["step"](*batch)
    outputs[0].asnumpy()
    middle = time.perf_counter()
    parts["evaluate"]()
    parts["steps"].append(middle - begin)
    parts["evaluation"].append(time.perf_counter() - middle)
    started.append(time.perf_counter())


loop.build, loop.build_evaluate = timed_build, timed_build_evaluate
Run.save_epoch = save_and_measure
train_set, _ = loop.load(config.data, config.seed)
started = [time.perf_counter()]
loop.set_up(config, eager=False)
ready = list(loop.batches(train_set, config.data, config.seed, 1))
loop.train(replace(config, epochs=EPOCHS, run_name="bench"))
epochs = [end - begin for begin, end in ends][1:]
bare = [a + b for a, b in zip(parts["steps"], parts["evaluation"])][1:]
ratio = statistics.median(ours / theirs for ours, theirs in zip(epochs, bare))
print(json.dumps({"ratio": ratio}))
