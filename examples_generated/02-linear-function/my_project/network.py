"""The network: one dense layer."""

from mindspore import nn


class Network(nn.Cell):
    """One dense layer: ``inputs @ weight.T + bias``.

    `sample_shape` is the shape of one sample: (features,).
    float32 (batch, features) -> float32 (batch, 1)
    """

    def __init__(self, sample_shape: tuple[int, ...]):
        super().__init__()
        (in_features,) = sample_shape
        self.head = nn.Dense(in_features, 1)

    def construct(self, inputs):
        return self.head(inputs)
