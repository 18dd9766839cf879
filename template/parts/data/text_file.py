def read_text(config: DataConfig) -> tuple[bytes, bytes]:
    """Return the text to train on, and the end of the file, which is held out.

    Raises InputError if the file cannot be read.
    """
    try:
        text = Path(config.path).read_bytes()
    except OSError as error:
        reason = f"cannot read {config.path}: {error.strerror}"
        raise InputError(f"{reason}; --data.path names the file") from None
    start = round(len(text) * (1 - config.eval_share))
    return text[:start], text[start:]
