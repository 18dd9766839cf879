def class_labels(columns: dict[str, np.ndarray], name: str, classes: int) -> np.ndarray:
    """Return the column as int32 labels: whole numbers from 0 to classes - 1."""
    column = columns[name]
    wrong = (column != np.round(column)) | (column < 0) | (column >= classes)
    if wrong.any():
        raise InputError(
            f"column {name} holds {column[wrong][0]:g}: classes are 0 to {classes - 1}"
        )
    return column.astype(np.int32)
