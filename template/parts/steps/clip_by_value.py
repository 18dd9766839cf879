def clip_by_value(grads, limit: float) -> tuple[Tensor, ...]:
    """Bound each element of the gradients to [-limit, limit]."""
    return tuple([ops.clamp(grad, -limit, limit) for grad in grads])
