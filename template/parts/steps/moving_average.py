@ms.jit_class
class MovingAverage:
    """The moving average of the weights, which is what is evaluated.

    After each update that is applied: average = share * average + (1 - share) * weight,
    where the share grows from 2/11 to `decay`, so that the first weights are forgotten.
    """

    def __init__(self, optimizer: nn.Optimizer, decay: float):
        self.weights = optimizer.parameters
        self.updates = optimizer.global_step
        self.decay = decay
        self.averages = self.weights.clone(prefix="ema", init="same")
        for average in self.averages:
            average.requires_grad = False

    def update(self) -> None:
        """Move the averages towards the weights."""
        updates = self.updates[0]
        share = ops.minimum(self.decay, (1 + updates) / (10 + updates))
        for average, weight in zip(self.averages, self.weights):
            ops.assign(average, share * average + (1 - share) * weight)


def swap_averages(state: dict[str, Parameter]) -> None:
    """Exchange the weights and their averages: before an evaluation, and after."""
    for name, average in state.items():
        if name.startswith("ema."):
            weight = state[name.removeprefix("ema.")]
            value = weight.asnumpy().copy()
            # Not by set_data, which what is compiled already would not see.
            ops.assign(weight, Tensor(average.asnumpy()))
            ops.assign(average, Tensor(value))
