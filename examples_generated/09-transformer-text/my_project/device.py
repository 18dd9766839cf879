"""Where training runs: the device and the cores of MindSpore's threads."""

import os

import mindspore as ms

from .config import Config, InputError


def set_up(config: Config, eager: bool) -> None:
    """Select the device and the cores of MindSpore's threads, or raise InputError."""
    if eager:
        os.environ["MS_JIT"] = "0"  # what @ms.jit compiles then runs as plain Python
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    wanted = {"auto": len(cores) == 2, "one": len(cores) > 1, "all": False}
    pinned = config.device == "CPU" and wanted[config.worker_cores]
    if pinned:
        # MindSpore's worker threads spin while they wait: on two cores a step takes
        # 2 to 10 times as long. Started here, by a first operation, they inherit one.
        # With more cores they leave the main thread alone, and one would slow them.
        os.sched_setaffinity(0, {max(cores)})
    try:
        ms.set_device(config.device)
        ms.Tensor([0.0]) + 1.0
    except (RuntimeError, ValueError):
        reason = f"this build of MindSpore has no device {config.device}"
        raise InputError(f"{reason}: try --device CPU") from None
    finally:
        if pinned:
            os.sched_setaffinity(0, cores)
    ms.set_seed(config.seed)
