class Dropout(nn.Cell):
    """Set a share of the features to 0 while training, and scale up the others.

    The state of nn.Dropout cannot be saved. Here what is dropped follows from its place
    and from the count of batches, which checkpoints hold, so that a run that goes on
    drops what it would have dropped. The hash is MurmurHash3's last step (Appleby).
    """

    def __init__(self, share: float):
        super().__init__()
        self.share = share
        # An integer: mixed precision would round a fraction.
        self.threshold = round(share * 2**24)
        start = np.random.randint(2**20)  # another one for another seed
        self.batches = Parameter(Tensor(start, ms.int32), requires_grad=False)

    def construct(self, features):
        if not self.training:
            return features
        batch = ops.assign_add(self.batches, Tensor(1, ms.int32))
        numbers = ops.arange(features.size, dtype=ms.int32) + batch * 1_000_003
        for shift, factor in ((16, -2_048_144_789), (13, -1_028_477_387)):
            numbers = ops.bitwise_xor(numbers, high_bits(numbers, shift)) * factor
        numbers = ops.bitwise_xor(numbers, high_bits(numbers, 16))
        kept = (high_bits(numbers, 8) >= self.threshold).reshape(features.shape)
        return features * kept.astype(features.dtype) / (1 - self.share)


def high_bits(numbers: Tensor, shift: int) -> Tensor:
    """Return int32 numbers shifted to the right, with zeros coming in."""
    shifted = ops.bitwise_right_shift(numbers, ops.full_like(numbers, shift))
    mask = ops.full_like(numbers, 2 ** (32 - shift) - 1)
    return ops.bitwise_and(shifted, mask)
