"""The two networks: a generator, and a discriminator that tells its samples apart."""

from mindspore import nn

from .config import NetworkConfig
from .data import NOISE_SIZE


def dense_layers(in_features: int, hidden_sizes: list[int], out_features: int):
    """Return dense layers with a ReLU after each hidden one."""
    layers = []
    for size in hidden_sizes:
        layers += [nn.Dense(in_features, size), nn.ReLU()]
        in_features = size
    return nn.SequentialCell([*layers, nn.Dense(in_features, out_features)])


class Generator(nn.Cell):
    """float32 noise (batch, NOISE_SIZE) -> samples (batch, features)."""

    def __init__(self, features: int, hidden_sizes: list[int]):
        super().__init__()
        self.layers = dense_layers(NOISE_SIZE, hidden_sizes, features)

    def construct(self, noise):
        return self.layers(noise)


class Discriminator(nn.Cell):
    """float32 samples (batch, features) -> (batch, 1), the logits of being real."""

    def __init__(self, features: int, hidden_sizes: list[int]):
        super().__init__()
        self.layers = dense_layers(features, hidden_sizes, 1)

    def construct(self, samples):
        return self.layers(samples)


class Network(nn.Cell):
    """Both networks; a call generates: noise (batch, NOISE_SIZE) -> samples.

    `sample_shape` is the shape of one sample: (features,).
    """

    def __init__(self, sample_shape: tuple[int, ...], config: NetworkConfig):
        super().__init__()
        (features,) = sample_shape
        self.generator = Generator(features, config.generator_sizes)
        self.discriminator = Discriminator(features, config.discriminator_sizes)

    def construct(self, noise):
        return self.generator(noise)
