def freeze(network: nn.Cell, patterns: list[str]) -> None:
    """Keep the parameters whose names match a pattern: they get no gradient at all.

    Raises InputError for a pattern that matches none, and if none is left to train.
    """
    parameters = network.parameters_dict()
    for pattern in patterns:
        names = fnmatch.filter(parameters, pattern)
        if not names:
            raise InputError(f"--frozen: no parameter has a name like {pattern}")
        for name in names:
            parameters[name].requires_grad = False
    if not network.trainable_params():
        raise InputError("--frozen: every parameter is frozen, so none would train")
