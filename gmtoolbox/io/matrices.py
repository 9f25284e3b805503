"""Plain matrices from .csv, .tsv, .npy and .npz files: costs of pairs."""

import csv
import math
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.io.files import refusing

UNREADABLE = "cannot be read as a matrix"
DELIMITERS = {".csv": ",", ".tsv": "\t"}


def read_matrix(path):
    """Return (matrix, row names or None, column names or None) of a file.

    .csv and .tsv: numbers, one row a line; an empty field is infinite (forbidden). A first line or
    column that is not numeric has names. .npy: an array. .npz: the only array in it, or a
    matrix that scipy.sparse.save_npz wrote.
    """
    path = Path(path)
    if path.suffix in DELIMITERS:
        return read_text(path, DELIMITERS[path.suffix])
    if path.suffix not in (".npy", ".npz"):
        known = ".csv, .tsv, .npy or .npz"
        raise InputError(f"{path}: a cost matrix is read from {known}; gm.load reads problems")
    with open(path, "rb") as file, refusing(path, UNREADABLE):
        found = np.load(file, allow_pickle=False)
        if path.suffix == ".npy":
            return found, None, None
        names = found.files
        if "indptr" in names:
            file.seek(0)
            return sparse.load_npz(file), None, None
        if len(names) != 1:
            raise FileFormatError(path, f"must hold one array, has {', '.join(names) or 'none'}")
        return found[names[0]], None, None


def read_text(path, delimiter):
    """Return matrix and names of a text file."""
    with open(path, newline="", encoding="utf-8-sig") as file, refusing(path, UNREADABLE):
        rows = [row for row in csv.reader(file, delimiter=delimiter) if row]
    if not rows:
        raise FileFormatError(path, "is empty")
    columns = names = None
    if not all(map(is_number, rows[0][1:] or rows[0])):
        columns, rows = rows[0], rows[1:]
    if rows and not all(is_number(row[0]) for row in rows):
        names, rows = [row[0] for row in rows], [row[1:] for row in rows]
        columns = columns[1:] if columns is not None else None
    width = len(rows[0]) if rows else 0
    for k, row in enumerate(rows):
        if len(row) != width:
            raise FileFormatError(path, f"row {k + 1} must have {width} entries, has {len(row)}")
        for entry in row:
            if not is_number(entry):
                raise FileFormatError(path, f"row {k + 1}: {entry!r} is not a number")
    number = lambda entry: float(entry) if entry.strip() else math.inf
    matrix = np.array([[number(entry) for entry in row] for row in rows])
    return matrix, as_names(names), as_names(columns)


def is_number(text):
    """Return True for a number or an empty field."""
    try:
        float(text)
    except ValueError:
        return not text.strip()
    return True


def as_names(names):
    """Return a tuple of names, or None."""
    return None if names is None else tuple(names)
