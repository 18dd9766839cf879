"""Time the project in the working directory: its step against one written by hand."""

import json
import statistics
import sys
import time

sys.path.insert(0, ".")
sys.argv = ["bench"]

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.amp import DynamicLossScaler, all_finite
from my_project import config as project_config
from my_project import forward, loop
from my_project.data import batches, load
from my_project.device import set_up

BLOCK, BLOCKS = 100, 30

config, _ = project_config.parse_args("--resume", "")
set_up(config, eager=False)
train_set, _ = load(config.data, config.seed)
ready = list(batches(train_set, config.data, 1, 1))


def by_hand(step, network, optimizer):
    """Return the shortest step with the arithmetic of these answers."""
    loss_fn = forward.loss_fn
    params = optimizer.parameters
    settings = config.optimizer

    def loss_of(inputs, target):
        return loss_fn(network(inputs).astype(ms.float32), target)

    if hasattr(config, "loss_scale"):
        scaler = DynamicLossScaler(1024, 2, 1000)

        def scaled_loss_of(inputs, target):
            return scaler.scale(loss_of(inputs, target))

        grad_fn = ms.value_and_grad(scaled_loss_of, None, params)

        @ms.jit
        def scaled(*batch):
            loss, grads = grad_fn(*batch)
            grads = scaler.unscale(grads)
            is_finite = all_finite(grads)
            scaler.adjust(is_finite)
            if is_finite:
                loss = ops.depend(loss, optimizer(grads))
            return loss / scaler.scale_value

        return scaled

    grad_fn = ms.value_and_grad(loss_of, None, params)
    if hasattr(config, "accumulation_steps"):
        sums = params.clone(prefix="sum", init="zeros")
        count = config.accumulation_steps
        filled = 0

        @ms.jit
        def add(*batch):
            loss, grads = grad_fn(*batch)
            for total, grad in zip(sums, grads):
                ops.assign_add(total, grad)
            return loss

        @ms.jit
        def apply():
            optimizer(tuple([total / count for total in sums]))
            for total in sums:
                ops.assign(total, ops.zeros_like(total))
            return count

        def accumulated(*batch):
            nonlocal filled
            loss = add(*batch)
            filled += 1
            if filled == count:
                apply()
                filled = 0
            return loss

        return accumulated

    if hasattr(settings, "clip_norm"):

        @ms.jit
        def clipped(*batch):
            loss, grads = grad_fn(*batch)
            norm = ops.norm(ops.concat([grad.reshape(-1) for grad in grads]))
            factor = settings.clip_norm / ops.maximum(norm, settings.clip_norm)
            grads = tuple([grad * factor for grad in grads])
            return ops.depend(loss, optimizer(grads))

        return clipped

    if isinstance(step, nn.TrainOneStepCell):

        class Step(nn.TrainOneStepCell):
            @ms.jit
            def construct(self, *batch):
                loss, grads = grad_fn(*batch)
                return ops.depend(loss, self.optimizer(grads))

        return Step(network, optimizer)

    @ms.jit
    def plain(*batch):
        loss, grads = grad_fn(*batch)
        return ops.depend(loss, optimizer(grads))

    return plain


def seconds(step) -> float:
    """Return the time of a block of steps, until the last loss is there."""
    started = time.perf_counter()
    for number in range(BLOCK):
        outputs = step(*ready[number % len(ready)])
    (outputs if isinstance(outputs, Tensor) else outputs[0]).asnumpy()
    return time.perf_counter() - started


_, _, rendered, _ = loop.build(config, train_set[0].shape[1:])
network, optimizer, _, _ = loop.build(config, train_set[0].shape[1:])
written = by_hand(rendered, network, optimizer)
for step in (rendered, written):
    seconds(step)  # compiles
pairs = [(seconds(rendered), seconds(written)) for _ in range(BLOCKS)]
ours, theirs = (statistics.median(times) for times in zip(*pairs))
print(json.dumps({"ratio": ours / theirs, "ms": ours / BLOCK * 1000}))
