def class_names(path: str) -> list[str]:
    """Return the names of the folders in `path`: those of the classes, in order."""
    return sorted(folder.name for folder in Path(path).glob("*") if folder.is_dir())


def class_files(path: str) -> tuple[list[Path], np.ndarray]:
    """Return the files in the folders of the classes, and their labels: int32 (files,).

    Raises InputError for another number of folders than the network has classes, and
    for a folder without files.
    """
    names = class_names(path)
    if len(names) != CLASSES:
        raise InputError(
            f"{path} holds {len(names)} folders of classes, but the network tells "
            f"{CLASSES} apart: check --data.path, or change the outputs in `tasks`"
        )
    files, labels = [], []
    for label, name in enumerate(names):
        folder = Path(path, name)
        found = [file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
        if not found:
            raise InputError(f"{folder} holds no file named *{', *'.join(SUFFIXES)}")
        files += sorted(found)
        labels += [label] * len(found)
    return files, np.array(labels, np.int32)
