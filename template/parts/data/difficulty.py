# Edit this one: what is hard depends on the task.
def difficulty(dataset: Arrays) -> np.ndarray:
    """Return how hard each sample is, (samples,): here, how far from the mean."""
    inputs = dataset[0].reshape(len(dataset[0]), -1)
    return np.linalg.norm(inputs - inputs.mean(axis=0), axis=1)


def easiest_rows(dataset: Arrays, config: DataConfig, epoch: int) -> np.ndarray:
    """Return the rows of the easiest samples: a share that grows to all of them."""
    grown = min(1.0, (epoch - 1) / config.curriculum_epochs)
    share = config.curriculum_start + grown * (1 - config.curriculum_start)
    ranked = np.argsort(difficulty(dataset), kind="stable")
    return ranked[: max(1, round(share * len(ranked)))]
