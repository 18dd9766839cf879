def add_l1(
    grads: tuple[Tensor, ...], weights: ParameterTuple, l1: float
) -> tuple[Tensor, ...]:
    """Return the gradients of the loss and of `l1` times the sum of magnitudes.

    As for the decay, matrices and kernels alone count.
    """
    factors = [l1 if weight.ndim > 1 else 0.0 for weight in weights]
    signs = [ops.sign(weight) for weight in weights]
    return tuple([g + factor * s for g, factor, s in zip(grads, factors, signs)])
