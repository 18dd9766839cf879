def split_by_task(grads: tuple[Tensor, ...], tasks: int) -> list[tuple[Tensor, ...]]:
    """Return the gradients of each task, which follow one another in `grads`."""
    size = len(grads) // tasks
    return [grads[task * size : (task + 1) * size] for task in range(tasks)]


def project_conflicts(task_grads: list[tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    """Return the sum of the tasks' gradients without their conflicts.

    PCGrad (Yu et al., 2020): where the gradient of a task points against another's, its
    part along that one is taken away. The others follow in the order of the tasks; in
    the paper the order is random.
    """
    projected = []
    for grads in task_grads:
        for others in task_grads:
            dot, square = 0.0, 0.0
            for grad, other in zip(grads, others):
                dot += (grad * other).sum()
                square += ops.square(other).sum()
            # Its own is never against it, so the share is 0 there.
            share = ops.minimum(dot, 0.0) / ops.maximum(square, 1e-30)
            grads = [grad - share * other for grad, other in zip(grads, others)]
        projected.append(grads)
    return tuple([sum(parts) for parts in zip(*projected)])
