def read_csv(path: str) -> dict[str, np.ndarray]:
    """Return each column as a float64 array (samples,), by its name in the header."""
    rows = []
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = [name.strip() for name in next(reader, [])]
            if len(set(header)) < len(header):
                raise InputError(f"{path}: a name stands twice in the header")
            for row in filter(None, reader):  # skips blank lines
                if len(row) != len(header):
                    place = f"{path}, line {reader.line_num}"
                    raise InputError(
                        f"{place}: {len(row)} cells under a header of {len(header)}"
                    )
                rows.append([to_number(cell, path, reader.line_num) for cell in row])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = f"cannot read {path}: {error}"
        raise InputError(f"{reason}; --data.path names the file") from None
    if len(rows) < 2:
        raise InputError(f"{path} has {len(rows)} rows of data: at least 2 are needed")
    return dict(zip(header, np.array(rows).T))


def to_number(cell: str, path: str, line: int) -> float:
    """Return the finite number that the cell holds."""
    try:
        number = float(cell)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"{path}, line {line}: {cell!r} is no finite number")
    return number


def stack(columns: dict[str, np.ndarray], names: list[str]) -> np.ndarray:
    """Return the columns of these names as one array (samples, names)."""
    return np.stack([columns[name] for name in names], axis=1)
