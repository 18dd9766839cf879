"""The network: a backbone and a head."""

from mindspore import nn

from .config import NetworkConfig


class Backbone(nn.Cell):
    """Dense layers and tanh: float32 (batch, coordinates) -> (batch, out_features).

    The equation takes second derivatives, so the activation must be smooth: those of
    ReLU are zero.
    """

    def __init__(self, in_features: int, hidden_sizes: list[int]):
        super().__init__()
        layers = []
        for size in hidden_sizes:
            layers += [nn.Dense(in_features, size, weight_init="xavier_uniform")]
            layers += [nn.Tanh()]
            in_features = size
        self.layers = nn.SequentialCell(layers)
        self.out_features = in_features

    def construct(self, points):
        return self.layers(points)


class Network(nn.Cell):
    """The backbone and its head.

    `sample_shape` is the shape of one sample: (coordinates,).
    float32 (batch, coordinates) -> float32 (batch, 1)
    """

    def __init__(self, sample_shape: tuple[int, ...], config: NetworkConfig):
        super().__init__()
        (in_features,) = sample_shape
        self.backbone = Backbone(in_features, config.hidden_sizes)
        self.head = nn.Dense(self.backbone.out_features, 1)

    def construct(self, inputs):
        return self.head(self.backbone(inputs))
