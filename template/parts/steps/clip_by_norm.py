def clip_by_norm(grads, norm: Tensor, max_norm: float) -> tuple[Tensor, ...]:
    """Scale gradients, whose global norm is `norm`, down to `max_norm` if larger."""
    factor = max_norm / ops.maximum(norm, max_norm)
    return tuple([grad * factor for grad in grads])
