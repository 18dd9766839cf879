def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (tokens, labels).

    Tokens are the first bytes of a file, filled up with zeros: int32 (samples, length).
    Labels are int32 (samples,).

    Raises:
        InputError: the folder, the number of its classes or a file cannot be used.
    """
    files, labels = class_files(config.path)
    tokens = np.zeros((len(files), config.length), np.int32)
    for row, path in zip(tokens, files):
        try:
            text = path.read_bytes()[: config.length]
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None
        row[: len(text)] = np.frombuffer(text, np.uint8)
    train_rows, eval_rows = split(len(files), config.eval_share, seed)
    train_set = (tokens[train_rows], labels[train_rows])
    return train_set, (tokens[eval_rows], labels[eval_rows])
