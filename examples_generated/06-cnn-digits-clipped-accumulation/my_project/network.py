"""The network: a backbone and a head."""

from mindspore import nn

from .config import NetworkConfig


class Backbone(nn.Cell):
    """Convolutions of 3x3 that halve the image, with batch normalisation and ReLU.

    The stride does the halving, not a pooling layer: on a CPU a convolution of stride 1
    over the whole image takes several times as long.

    float32 (batch, channels, height, width) -> float32 (batch, out_features)
    """

    def __init__(self, image_shape: tuple[int, ...], channels: list[int]):
        super().__init__()
        in_channels, height, width = image_shape
        layers = []
        for out_channels in channels:
            layers += [
                nn.Conv2d(in_channels, out_channels, 3, 2, pad_mode="pad", padding=1),
                nn.BatchNorm2d(out_channels),
                nn.ReLU(),
            ]
            in_channels = out_channels
            height, width = (height + 1) // 2, (width + 1) // 2
        self.layers = nn.SequentialCell(layers)
        self.flatten = nn.Flatten()
        self.out_features = in_channels * height * width

    def construct(self, images):
        return self.flatten(self.layers(images))


class Network(nn.Cell):
    """The backbone and its head.

    `sample_shape` is the shape of one sample: (channels, height, width).
    float32 (batch, channels, height, width) -> float32 (batch, 10) of logits
    """

    def __init__(self, sample_shape: tuple[int, ...], config: NetworkConfig):
        super().__init__()
        self.backbone = Backbone(sample_shape, config.channels)
        self.head = nn.Dense(self.backbone.out_features, 10)

    def construct(self, inputs):
        return self.head(self.backbone(inputs))
