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
