def flatten(grads) -> Tensor:
    """Return all gradients as one vector: one kernel over it beats one for each."""
    return ops.concat([grad.reshape(-1) for grad in grads])
