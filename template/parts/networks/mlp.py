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
