def clip_by_norm(grads, norm: Tensor, max_norm: float) -> list[Tensor]:
    """Scale the gradients, whose global norm is `norm`, down to `max_norm` if it is larger."""
    factor = max_norm / ops.maximum(norm, max_norm)
    return [grad * factor for grad in grads]
