def read_image(path: Path, size: int) -> np.ndarray:
    """Return the picture in colour, resized: uint8 (size, size, 3)."""
    try:
        encoded = np.fromfile(path, dtype=np.uint8)
        return vision.Resize((size, size))(vision.Decode()(encoded))
    except (OSError, RuntimeError, TypeError, ValueError):
        raise InputError(f"{path} cannot be decoded: repair or remove it") from None


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (images, labels).

    Images are float32 (samples, 3, size, size), of mean 0 and deviation 1 over the
    training pictures in each channel; labels are int32 (samples,). All of them are kept
    in memory: 10,000 of 32x32 take 120 MB. Larger sets want
    mindspore.dataset.ImageFolderDataset.

    Raises:
        InputError: the folder, the number of its classes or a picture cannot be used.
    """
    files, labels = class_files(config.path)
    progress = tqdm(files, desc="reading pictures", disable=None, leave=False)
    pixels = np.stack([read_image(path, config.image_size) for path in progress])
    train_rows, eval_rows = split(len(files), config.eval_share, seed)
    mean = pixels[train_rows].mean(axis=(0, 1, 2))
    deviation = np.maximum(pixels[train_rows].std(axis=(0, 1, 2)), 1)
    normalise = vision.Normalize(mean.tolist(), deviation.tolist())
    images = np.stack([vision.HWC2CHW()(normalise(image)) for image in pixels])
    train_set = (images[train_rows], labels[train_rows])
    return train_set, (images[eval_rows], labels[eval_rows])


def augment(
    images: np.ndarray, config: DataConfig, rng: np.random.Generator
) -> np.ndarray:
    """Return the images (samples, 3, size, size), shifted and mirrored by chance.

    They are normalised already, once instead of in every epoch: what a shift uncovers
    is 0, the mean. The draws are `rng`'s, since those of vision's own random transforms
    cannot be resumed.
    """
    pad = vision.Pad(config.shift)
    augmented = []
    for image in images.transpose(0, 2, 3, 1):
        if config.shift:
            corner = tuple(rng.integers(2 * config.shift + 1, size=2).tolist())
            image = vision.Crop(corner, config.image_size)(pad(image))
        if config.mirror and rng.random() < 0.5:
            image = vision.HorizontalFlip()(image)
        augmented.append(vision.HWC2CHW()(image))
    return np.stack(augmented)
