"""The network: a backbone that the tasks share, and a head for each of them."""

from mindspore import nn

from .config import NetworkConfig


class Backbone(nn.Cell):
    """Dense layers and ReLU: float32 (batch, in_features) -> (batch, out_features)."""

    def __init__(self, in_features: int, hidden_sizes: list[int]):
        super().__init__()
        layers = []
        for size in hidden_sizes:
            layers += [nn.Dense(in_features, size), nn.ReLU()]
            in_features = size
        self.layers = nn.SequentialCell(layers)
        self.out_features = in_features

    def construct(self, inputs):
        return self.layers(inputs)


class Network(nn.Cell):
    """The backbone, which all tasks share, and a head for each.

    `sample_shape` is the shape of one sample: (features,).
    float32 (batch, features) -> a tuple with an entry for each task:
    policy, float32 (batch, 2) of logits
    value, float32 (batch, 1)
    """

    def __init__(self, sample_shape: tuple[int, ...], config: NetworkConfig):
        super().__init__()
        (in_features,) = sample_shape
        self.backbone = Backbone(in_features, config.hidden_sizes)
        self.policy_head = nn.Dense(self.backbone.out_features, 2)
        self.value_head = nn.Dense(self.backbone.out_features, 1)

    def construct(self, inputs):
        features = self.backbone(inputs)
        return (
            self.policy_head(features),
            self.value_head(features),
        )
