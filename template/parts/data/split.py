def split(count: int, eval_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the shuffled row numbers for training and those held out for evaluation."""
    order = np.random.default_rng(seed).permutation(count)
    held_out = max(1, round(count * eval_share))
    return order[held_out:], order[:held_out]
