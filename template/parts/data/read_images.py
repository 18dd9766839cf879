def read_image(path: Path, size: int) -> np.ndarray:
    """Return the picture in colour, resized to uint8 (size, size, 3)."""
    try:
        encoded = np.fromfile(path, dtype=np.uint8)
        return vision.Resize((size, size))(vision.Decode()(encoded))
    except (OSError, RuntimeError, TypeError, ValueError):
        raise InputError(f"{path} cannot be decoded: repair or remove it") from None


def load(config: DataConfig, seed: int) -> tuple[Arrays, Arrays]:
    """Return the samples to train on and to evaluate on: arrays (images, labels).

    Images are float32 (samples, 3, size, size) from 0 to 1, labels int32 (samples,),
    numbered in the order of the folders' names. All pictures are kept in memory: 10,000
    of 32x32 take 120 MB. Larger sets want mindspore.dataset.ImageFolderDataset.

    Raises:
        InputError: the folder, the number of its classes or a picture cannot be used.
    """
    root = Path(config.path)
    folders = sorted(path for path in root.glob("*") if path.is_dir())
    if len(folders) != CLASSES:
        raise InputError(
            f"{root} holds {len(folders)} folders of classes, but the network tells "
            f"{CLASSES} apart: check --data.path, or change the outputs in `tasks`"
        )
    files, labels = [], []
    for label, folder in enumerate(folders):
        found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
        if not found:
            raise InputError(f"{folder} holds no picture ({', '.join(SUFFIXES)})")
        files += sorted(found)
        labels += [label] * len(found)
    progress = tqdm(files, desc="reading pictures", disable=None, leave=False)
    pixels = np.stack([read_image(path, config.image_size) for path in progress])
    images = pixels.transpose(0, 3, 1, 2).astype(np.float32, order="C") / 255
    arrays = (images, np.array(labels, np.int32))
    train_rows, eval_rows = split(len(files), config.eval_share, seed)
    train_set = tuple([array[train_rows] for array in arrays])
    eval_set = tuple([array[eval_rows] for array in arrays])
    return train_set, eval_set
