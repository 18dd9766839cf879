def windows(text: bytes, length: int) -> Arrays:
    """Return inputs and targets, int32 (windows, length): each target is the next byte.

    The windows do not overlap, and what is left at the end fills none.
    """
    count = (len(text) - 1) // length
    if count < 1:
        raise InputError(f"{len(text)} bytes fill no window: lower --data.length")
    tokens = np.frombuffer(text, np.uint8)[: count * length + 1].astype(np.int32)
    return tokens[:-1].reshape(count, length), tokens[1:].reshape(count, length)


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the windows to train on and to evaluate on: arrays (inputs, targets).

    Both are bytes as int32 (windows, length). What is held out depends on no seed.
    Raises InputError for a text that is too short.
    """
    del seed
    train_text, eval_text = read_text(config)
    return windows(train_text, config.length), windows(eval_text, config.length)
