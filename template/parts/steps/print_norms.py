def print_norms(names: list[str], grads: tuple[Tensor, ...]) -> None:
    """Print the norm of each gradient, from within compiled code too."""
    for name, grad in zip(names, grads):
        norm = ops.norm(grad)
        if norm == 0:
            print("no gradient:", name)
        else:
            print("gradient norm:", name, norm)
