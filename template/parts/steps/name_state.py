def name_state(optimizer: nn.Optimizer, prefix: str) -> None:
    """Put a prefix before the names of what the optimizer holds beside the weights.

    A checkpoint then tells the states of two optimizers apart. The weights keep their
    names, which `optimizer.update_parameters_name` would change too.
    """
    weights = {weight.name for weight in optimizer.parameters}
    for parameter in optimizer.get_parameters():
        if parameter.name not in weights:
            parameter.name = f"{prefix}.{parameter.name}"
