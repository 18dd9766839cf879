@ms.jit_class
class TaskPauses:
    """Which tasks take part in an update: each one in every `interval`-th.

    A paused task adds no gradient, and what belongs to its head alone does not move at
    all: an optimizer would still move it by weight decay and momentum.
    """

    def __init__(self, optimizer: nn.Optimizer, intervals: dict[str, int]):
        self.optimizer = optimizer
        self.intervals = tuple(intervals.values())
        parameters = [*optimizer.parameters, *optimizer.get_parameters()]
        unique = {parameter.name: parameter for parameter in parameters}
        self.heads = []  # the parameters and the optimizer's moments of each
        for task in intervals:
            names = [name for name in unique if f".{task}_head." in f".{name}"]
            self.heads.append([unique[name] for name in names])

    def active(self) -> list[Tensor]:
        """Return for each task whether it takes part in the coming update."""
        updates = self.optimizer.global_step[0]
        return [updates % interval == 0 for interval in self.intervals]

    def update(self, grads: tuple[Tensor, ...]):
        """Let the optimizer move all but the heads of paused tasks."""
        active = self.active()
        before = [[parameter + 0 for parameter in head] for head in self.heads]
        done = self.optimizer(grads)
        for is_active, head, values in zip(active, self.heads, before):
            for parameter, value in zip(head, values):
                ops.assign(parameter, ops.where(is_active, parameter, value))
        return done
