def split(count: int, eval_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return shuffled row numbers: those to train on, and those held out."""
    order = np.random.default_rng(seed).permutation(count)
    held_out = max(1, round(count * eval_share))
    return order[held_out:], order[:held_out]
