"""Plain matrices from .csv, .tsv, .npy and .npz files: costs of pairs."""

import csv
import math
import re
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, GuessWarning, warn
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.io.files import Allowance, refuse_errors
from gmtoolbox.io.formats import MATRIX, format_of, read_file, reader

UNREADABLE = "cannot be read as a matrix"
QUOTED = re.compile('"[^"]*"')


def read_matrix(path):
    """Return (matrix, row names or None, column names or None) of a file.

    .csv and .tsv: numbers, one row a line; an empty field is infinite (forbidden). A first line or
    column that is not numeric has names, and so has a first column without a name, as pandas writes
    it; numbers 0, 1, ... are no names. A .csv file with semicolons may have decimal commas. .txt:
    numbers between spaces, as numpy.savetxt writes them; # begins a comment. .npy: an array. .npz:
    the only array in it, or a matrix that scipy.sparse.save_npz wrote.
    """
    found = read_file(format_of(path, MATRIX), Path(path))
    return found if isinstance(found, tuple) else (found, None, None)


@reader(".csv", holds=MATRIX)
def read_csv(path):
    """Matrix and names of a .csv file."""
    with open(path, encoding="utf-8-sig") as file, refuse_errors(path, UNREADABLE):
        first = next((line for line in file if line.strip()), "")
        has_semicolons = ";" in QUOTED.sub("", first)
    return read_text(path, ";" if has_semicolons else ",")


@reader(".tsv", holds=MATRIX)
def read_tsv(path):
    """Matrix and names of a .tsv file."""
    return read_text(path, "\t")


@reader(".txt", holds=MATRIX)
def read_txt(path):
    """Matrix of a text file with spaces between its numbers."""
    with open(path, encoding="utf-8-sig") as file, refuse_errors(path, UNREADABLE):
        rows = [line.partition("#")[0].split() for line in file]
    return parse_rows(path, [row for row in rows if row])


@reader(".npy", holds=MATRIX)
def read_npy(path):
    """The array of a .npy file."""
    with open(path, "rb"), refuse_errors(path, UNREADABLE):
        # a map is refused if the file is shorter than the array that it claims
        return np.array(np.load(path, mmap_mode="r", allow_pickle=False))


@reader(".npz", holds=MATRIX)
def read_npz(path):
    """The only array of a .npz file, or its sparse matrix."""
    with open(path, "rb") as file, refuse_errors(path, UNREADABLE):
        found = np.load(file, allow_pickle=False)
        size = sum(member.file_size for member in found.zip.infolist())
        Allowance(path).take("the arrays", size)
        if "indptr" in found.files:
            file.seek(0)
            matrix = sparse.load_npz(file)
            matrix.check_format(full_check=True)  # nothing else checks the indices
            return matrix
        if len(found.files) != 1:
            listed = ", ".join(found.files) or "none"
            raise FileFormatError(path, f"must hold one array, has {listed}")
        return found[found.files[0]]


def read_text(path, delimiter):
    """Return matrix and names of a text file."""
    with open(path, newline="", encoding="utf-8-sig") as file, refuse_errors(path, UNREADABLE):
        rows = [row for row in csv.reader(file, delimiter=delimiter, strict=True) if row]
    if delimiter == ";":
        rows = [[with_point(entry) for entry in row] for row in rows]
    return parse_rows(path, rows)


def with_point(entry):
    """Return a number with a decimal point instead of a comma; anything else as it is."""
    number = entry.replace(",", ".")
    return number if is_number(number) else entry


def parse_rows(path, rows):
    """Return matrix and names of lists of words."""
    if not rows:
        raise FileFormatError(path, "is empty")
    columns = names = None
    is_framed = has_index(rows)
    if is_framed and has_unlikely_names(rows):
        warn_of_numbers(path)
    if not is_framed and (place := find_likely_names(rows)):
        warn_of_names(path, place)
    if is_framed or not all(map(is_number, rows[0][1:] or rows[0])):
        columns, rows = rows[0], rows[1:]
    if rows and (is_framed or not all(is_number(row[0]) for row in rows)):
        names, rows = [row[0] for row in rows], [row[1:] for row in rows]
        if columns is not None and len(columns) > len(rows[0] if rows else ()):
            columns = columns[1:]  # R writes no name for the column of names
    width = len(rows[0]) if rows else 0
    if rows and columns is not None and len(columns) != width:
        raise FileFormatError(path, f"the first line must have {width} names, has {len(columns)}")
    for k, row in enumerate(rows):
        if len(row) != width:
            raise FileFormatError(path, f"row {k + 1} must have {width} entries, has {len(row)}")
        for entry in row:
            if not is_number(entry):
                raise FileFormatError(path, f"row {k + 1}: {entry!r} is not a number")
    number = lambda entry: float(entry) if entry.strip() else math.inf
    matrix = np.array([[number(entry) for entry in row] for row in rows])
    return matrix, as_names(names), as_names(columns)


def has_index(rows):
    """Return whether the first line names the columns and the first column the rows, though names
    may be numbers: the first field is empty, as in tables of pandas, or the only one that is not a
    number.
    """
    corner, across, down, _ = split_table(rows)
    if not has_first_line(rows):
        return False
    are_all = are_numbers(across) and are_numbers(down)
    if not corner:
        return not are_all or is_counted(across) and is_counted(down)
    return are_all and not is_number(corner)


def find_likely_names(rows):
    """Return which numbers of a table without has_index() are read as costs and may be names, in
    words; None if there are none.
    """
    corner, across, down, inner = split_table(rows)
    if not has_first_line(rows):
        return None
    if not corner:
        are_whole = all(entry.strip() for row in rows[1:] for entry in row)
        return "the first line and the first column are" if are_whole else None
    seen = are_numbers(across), are_numbers(down)
    if is_number(corner):
        is_line = seen[1] and differs(rows[0], rows[1:])
        is_column = seen[1] and differs([corner, *down], [across, *inner])
    else:
        is_line = seen == (True, False) and (is_counted(across) or differs(across, inner))
        is_column = seen == (False, True) and corner.lower() != "x"  # a coordinate
        is_column = is_column and (is_counted(down) or differs(down, inner))
    if is_line:
        return "the first line is"
    return "the first column is" if is_column else None


def has_unlikely_names(rows):
    """Return whether numbers that has_index() takes for names are no identifiers: fractions, or the
    same twice.
    """
    corner, across, down, _ = split_table(rows)
    across, down = ([word.strip() for word in words] for words in (across, down))
    are_all = are_numbers(across) and are_numbers(down)
    return bool(corner) and are_all and not (are_ids(across) and are_ids(down))


def split_table(rows):
    """Return the first field, the rest of its line, the rest of its column, and all others."""
    corner, *across = rows[0]
    return corner.strip(), across, [row[0] for row in rows[1:]], [row[1:] for row in rows[1:]]


def has_first_line(rows):
    """Return whether the first of several lines has no empty field but perhaps the first."""
    across = rows[0][1:]
    return bool(rows[1:] and across and all(name.strip() for name in across))


def are_numbers(words):
    """Return whether all words are numbers."""
    return all(map(is_number, words))


def warn_of_names(path, place):
    """Warn that numbers are read as costs."""
    warn(
        f"{path}: {place} read as costs; if they are names, put a letter before each number; if"
        " not, write names of rows and columns or, where a pair is forbidden, inf",
        GuessWarning,
    )


def warn_of_numbers(path):
    """Warn that numbers are read as names."""
    warn(
        f"{path}: the first line and the first column are read as names; if they are, put a letter"
        " before each number; if not, write names of rows and columns",
        GuessWarning,
    )


def differs(first, body):
    """Return whether a line has different whole numbers, and none of the others one at all."""
    others = (entry.strip() for row in body for entry in row)
    return are_ids(first) and not any(entry.lstrip("+-").isdigit() for entry in others)


def are_ids(words):
    """Return whether words are different whole numbers."""
    return all(map(str.isdigit, words)) and len(set(words)) == len(words)


def is_counted(words):
    """Return whether words are 0, 1, 2, ..."""
    return words == list(map(str, range(len(words))))


def is_number(text):
    """Return True for a number or an empty field; 1_0 is a name, though Python reads it as 10."""
    try:
        float(text)
    except ValueError:
        return not text.strip()
    return "_" not in text


def as_names(names):
    """Return a tuple of names; None without, and for 0, 1, ..."""
    return None if names is None or is_counted(names) else tuple(names)
