"""One variable of a MAT file: matrices, masks, scalars and indices, checked on the way in."""

import math

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.matrix import check_mask, check_matrix
from gmtoolbox.core.values import zero_based

MAX_WRITTEN_OUT = 2**26  # bytes of a sparse matrix without entries, written out
PER_ENTRY = 1000  # and for each of its entries


def is_matrix(value):
    """Whether a value is a numeric or logical matrix."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return kind in "biufc" and kind != "" and value.ndim == 2


def kind_of(value):
    """Return a value in MATLAB's words, for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"{value:g}".replace("inf", "Inf").replace("nan", "NaN")
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, dict):
        return "a struct"
    if isinstance(value, list):
        return "a cell array"
    if isinstance(value, complex):
        return "a complex number"
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return "a cell or struct array"
    if sparse.issparse(value) or isinstance(value, np.ndarray):
        real = "complex " if value.dtype.kind == "c" else ""
        return f"a {real}matrix of size {' x '.join(str(n) for n in value.shape)}"
    return f"a {type(value).__name__}"


def list_variables(variables):
    """Names and shapes of variables, for messages."""
    shapes = {name: getattr(value, "shape", None) for name, value in variables.items()}
    listed = [
        f"{name} {'x'.join(map(str, shape))}" if shape else name for name, shape in shapes.items()
    ]
    return ", ".join(listed) or "no variables"


def dense(value, dtype=None):
    """Return a dense matrix, if a sparse one is small, or not much larger than its entries."""
    if not sparse.issparse(value):
        return np.asarray(value)
    value = value if dtype is None else value.astype(dtype)
    n_bytes = math.prod(value.shape) * value.dtype.itemsize
    if n_bytes > MAX_WRITTEN_OUT + PER_ENTRY * value.nnz:
        raise InputError(f"a sparse matrix of shape {value.shape} is too large to be written out")
    return value.toarray()


def matrix(variables, name):
    """The variable, which must be a matrix."""
    value = variables[name]
    if not is_matrix(value):
        raise InputError(f"{name} must be a numeric matrix, got {kind_of(value)}")
    return value


def mask(variables, name):
    """The variable as an array of 0 and 1."""
    value = matrix(variables, name)
    if sparse.issparse(value) and np.all((value.data == 0) | (value.data == 1)):
        return dense(value, bool)
    return check_mask(dense(value))


def square(variables, name, n, meaning):
    """Return the variable, which must be n x n; `meaning` is the reason in a message."""
    value = matrix(variables, name)
    if value.shape != (n, n):
        raise InputError(
            f"{name} must be {n} x {n} ({meaning}), got {value.shape[0]} x {value.shape[1]}"
        )
    return check_matrix(value)


def scalar(variables, name, default):
    """The variable as a float, or the default."""
    if name not in variables:
        return default
    value = matrix(variables, name)
    if value.shape != (1, 1) or np.iscomplexobj(value):
        raise InputError(f"{name} must be a real number, got {kind_of(value)}")
    return float(dense(value)[0, 0])


def index_array(variables, name, n, lowest=0):
    """1-based indices -> 0-based, in lowest .. n-1."""
    value = dense(matrix(variables, name))
    if value.size and not np.all((value == np.round(value)) & (value >= lowest + 1) & (value <= n)):
        raise InputError(f"{name} must hold integers in {lowest + 1}..{n}")
    return zero_based(value)


def indicator(variables, name, N):
    """Column of the single one in each of N rows."""
    value = dense(matrix(variables, name)) != 0
    if len(value) != N or np.any(value.sum(axis=1) != 1):
        raise InputError(
            f"{name} must have {N} rows with a single one each, got shape {value.shape}"
        )
    return value.argmax(axis=1)


def split_diagonal(matrix):
    """(diagonal, row, column, value) of a sparse matrix: the last three of the entries off the
    diagonal that are not 0.
    """
    matrix = matrix.tocoo()
    off = (matrix.row != matrix.col) & (matrix.data != 0)
    return matrix.diagonal(), matrix.row[off], matrix.col[off], matrix.data[off]
