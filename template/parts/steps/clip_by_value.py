def clip_by_value(grads, limit: float) -> list[Tensor]:
    """Bound each element of the gradients to [-limit, limit]."""
    return [ops.clamp(grad, -limit, limit) for grad in grads]
