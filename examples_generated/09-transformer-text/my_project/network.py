"""The network: a backbone and a head."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

from .config import NetworkConfig
from .data import VOCABULARY


class Attention(nn.Cell):
    """Causal self-attention: each position attends to itself and to those before it.

    float32 (batch, length, width) -> float32 of the same shape. Source: Vaswani et al.,
    Attention Is All You Need, 2017.
    """

    def __init__(self, length: int, width: int, heads: int):
        super().__init__()
        self.heads = heads
        # A layer for each: cutting one wide output in three is slow on a CPU.
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.output = nn.Dense(width, width)
        self.scale = (width // heads) ** -0.5
        later = np.triu(np.ones((length, length), np.float32), k=1)
        self.mask = Tensor(-1e4 * later)  # not -inf: float16 must hold it

    def split_heads(self, features):
        batch, length, width = features.shape
        shape = (batch, length, self.heads, width // self.heads)
        return features.reshape(shape).swapaxes(1, 2)

    def construct(self, features):
        query = self.split_heads(self.query(features))
        key = self.split_heads(self.key(features))
        value = self.split_heads(self.value(features))
        scores = ops.matmul(query * self.scale, key.swapaxes(2, 3))
        scores = scores + self.mask.astype(scores.dtype)
        mixed = ops.matmul(ops.softmax(scores), value)
        return self.output(mixed.swapaxes(1, 2).reshape(features.shape))


class Block(nn.Cell):
    """Attention, then a feed-forward network; each adds to what it is given.

    Normalisation comes before each (Xiong et al., On Layer Normalization in the
    Transformer Architecture, 2020). float32 (batch, length, width) -> the same shape.
    """

    def __init__(self, length: int, width: int, heads: int):
        super().__init__()
        self.attention_norm = nn.LayerNorm((width,))
        self.attention = Attention(length, width, heads)
        self.feed_forward_norm = nn.LayerNorm((width,))
        self.feed_forward = nn.SequentialCell(
            nn.Dense(width, 4 * width), nn.ReLU(), nn.Dense(4 * width, width)
        )

    def construct(self, features):
        features = features + self.attention(self.attention_norm(features))
        return features + self.feed_forward(self.feed_forward_norm(features))


class Backbone(nn.Cell):
    """Embeddings of tokens and positions, then blocks.

    int32 (batch, length) -> float32 (batch, length, out_features)
    """

    def __init__(self, length: int, config: NetworkConfig):
        super().__init__()
        width = config.width
        self.token_embedding = nn.Embedding(VOCABULARY, width)
        self.position_embedding = Parameter(
            initializer(Normal(0.01), (length, width), ms.float32)
        )
        self.blocks = nn.SequentialCell(
            [Block(length, width, config.heads) for _ in range(config.blocks)]
        )
        self.norm = nn.LayerNorm((width,))
        self.out_features = width

    def construct(self, tokens):
        features = self.token_embedding(tokens) + self.position_embedding
        return self.norm(self.blocks(features))


class Network(nn.Cell):
    """The backbone and its head.

    `sample_shape` is the shape of one sample: (length,).
    int32 (batch, length) -> float32 (batch, length, 256) of logits
    """

    def __init__(self, sample_shape: tuple[int, ...], config: NetworkConfig):
        super().__init__()
        (length,) = sample_shape
        self.backbone = Backbone(length, config)
        self.head = nn.Dense(self.backbone.out_features, 256)

    def construct(self, inputs):
        return self.head(self.backbone(inputs))
