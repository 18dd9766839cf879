def standardise(array: np.ndarray, train_rows: np.ndarray) -> np.ndarray:
    """Scale columns to mean 0 and deviation 1 over the training rows, in float32."""
    mean, deviation = array[train_rows].mean(axis=0), array[train_rows].std(axis=0)
    return ((array - mean) / np.where(deviation > 0, deviation, 1)).astype(np.float32)
