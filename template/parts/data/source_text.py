def read_text(config: DataConfig) -> tuple[bytes, bytes]:
    """Return the text to train on and the text held out: modules of Python's own.

    Every tenth module is held out, so that none is in both.
    """
    folder = Path(sysconfig.get_path("stdlib"))
    modules = [path.read_bytes() for path in sorted(folder.glob("*.py"))]
    held_out = b"".join(modules[::10])
    del modules[::10]
    return b"".join(modules)[: config.train_bytes], held_out[: config.eval_bytes]
