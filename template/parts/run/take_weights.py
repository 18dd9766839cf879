def read_checkpoint(path: Path) -> dict[str, Parameter]:
    """Return the parameters of a checkpoint by name, or raise InputError."""
    try:
        return ms.load_checkpoint(str(path), crc_check=True)
    except (ValueError, RuntimeError, TypeError, OSError):
        raise InputError(f"{path} is not a whole checkpoint") from None


def take_weights(path: Path, parameters: dict[str, Parameter]) -> None:
    """Set the parameters to those of the same name and shape in a checkpoint.

    Prints which of them stay as they are, such as a head for other classes. Raises
    InputError if none is taken.
    """
    stored = read_checkpoint(path)
    others = []
    for name, parameter in parameters.items():
        if name in stored and stored[name].shape == parameter.shape:
            parameter.set_data(stored[name])
        else:
            others.append(name)
    if len(others) == len(parameters):
        raise InputError(f"--init_from: {path} has no parameter of this network")
    taken = f"{len(parameters) - len(others)} of {len(parameters)} parameters"
    print(f"{path}: {taken} are taken; others: {', '.join(others) or 'none'}")
