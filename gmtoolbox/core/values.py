"""Immutable values made of arrays: checked once, read-only, pickled without cached properties; and
the checks of the fields of problems and of arguments.
"""

import math
import os
from dataclasses import dataclass, fields

from gmtoolbox.core.errors import InputError, UnknownArgumentError, labels_range, type_name
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.text import show


class Value:
    """Base of frozen dataclasses with arrays and cached properties."""

    def __getstate__(self):
        return {field.name: getattr(self, field.name) for field in fields(self)}  # no caches

    def __setstate__(self, state):
        self.__dict__.update(state)
        for value in state.values():
            if hasattr(value, "flags"):
                value.flags.writeable = False

    def changed(self, **fields):
        """A copy with other fields, which the caller has checked, and without the caches."""
        state = self.__getstate__()
        for name in fields.keys() - state.keys():
            raise UnknownArgumentError(f"{type(self).__name__} has no field {name!r}")
        copy = object.__new__(type(self))
        copy.__dict__.update(state, **fields)
        return copy


@dataclass(frozen=True)
class Lifted:
    """problem, lift (its labels -> labels of the original), lower (labels of the original -> its
    labels, for warm starts).
    """

    problem: object
    lift: object = staticmethod(lambda labels: labels)
    lower: object = staticmethod(lambda labels: labels)

    def then(self, made):
        """Return self followed by a further transform of self.problem."""
        return Lifted(
            made.problem,
            lambda labels: self.lift(made.lift(labels)),
            lambda labels: made.lower(self.lower(labels)),
        )


def freeze(array):
    """The array, contiguous and read-only."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def dense(matrix):
    """A matrix as an array, a sparse one written out."""
    return matrix.toarray() if sparse.issparse(matrix) else as_array("matrix", matrix)


def as_listed(matrix):
    """Return a sparse matrix whose `data` are its stored entries; another matrix as it is."""
    is_other = sparse.issparse(matrix) and matrix.format not in ("csr", "csc", "coo")
    return matrix.tocsr() if is_other else matrix


def stored_entries(matrix):
    """Return the entries of a matrix, of a sparse one those that it stores."""
    return as_listed(matrix).data if sparse.issparse(matrix) else matrix


def check_exact(name, matrix):
    """InputError unless the entries of a matrix are real numbers that doubles hold exactly."""
    kind = matrix.dtype.kind
    if kind not in "biuf":
        wanted = "real" if kind == "c" else "a numeric matrix"
        raise InputError(f"{name} must be {wanted}, got {type_name(matrix.dtype)}")
    entries = stored_entries(matrix)
    if kind in "iu" and entries.size:
        largest = max(abs(int(entries.max())), abs(int(entries.min())))
        if largest > 2**53:
            raise InputError(
                f"{name} of {type_name(matrix.dtype)} must stay within 2**53 to be exact as"
                f" double, got {largest}"
            )
    if kind == "f" and matrix.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            rounded = entries.astype(float)
        if not np.array_equal(rounded, entries, equal_nan=True):
            raise InputError(f"{name} of {type_name(matrix.dtype)} must be exact as double")


def same(x, y):
    """Whether two fields hold the same; NaN equals NaN (a point that is not given)."""
    if sparse.issparse(x) and sparse.issparse(y):
        return x.shape == y.shape and (x != y).nnz == 0
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return isinstance(x, type(y)) and np.array_equal(x, y, equal_nan=True)
    return x == y


def as_array(name, given):
    """An array of whatever is given; a ragged list and masked entries are refused."""
    if hasattr(given, "filled") and np.any(given.mask):
        raise InputError(f"{name} must have no masked entries: give {name}.filled(number)")
    try:
        return np.asarray(given)
    except ValueError as error:
        raise InputError(
            f"{name} must be an array whose rows have one length, got {show(given)}"
        ) from error


def as_reals(name, given):
    """Return a matrix of doubles, sparse if it is given so; InputError unless it holds real numbers
    that doubles hold exactly.
    """
    matrix = as_listed(given) if sparse.issparse(given) else as_array(name, given)
    if matrix.dtype == object:  # Fractions, or None, which is not a number
        matrix = as_numbers(name, matrix)
    check_exact(name, matrix)
    return matrix.astype(float, copy=False)


def as_numbers(name, given, dtype=float):
    """A new array of numbers, of whole ones for an integer dtype; all else is refused."""
    whole = np.issubdtype(dtype, np.integer)
    try:
        array = as_array(name, given)
        if array.dtype.kind == "O":  # Fractions, or None, which is not a number
            array = array.astype(float)
        if array.size and array.dtype.kind not in "biuf":
            raise TypeError(f"{array.dtype} is no kind of number")
        with np.errstate(invalid="ignore", over="ignore"):
            numbers = array.astype(dtype)
        if whole and (numbers != array).any():
            raise ValueError("a number is not whole, or too large")
    except (TypeError, ValueError, OverflowError) as error:
        kind = "whole numbers" if whole else "numbers"
        raise InputError(f"{name} must be an array of {kind}, got {show(given)}") from error
    if not whole and array.size:
        check_exact(name, array)
    return numbers


def as_list(name, given):
    """Return a list of an iterable."""
    try:
        return list(given)
    except TypeError as error:
        raise InputError(f"{name} must be a list, got {show(given)}") from error


def check_count(name, value, what="a positive integer"):
    """A whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise InputError(f"{name} must be {what}, got {show(value)}")
    return int(value)


def check_jobs(n_jobs):
    """How many to use at once: a positive integer, or -1 for one on each processor."""
    if isinstance(n_jobs, int) and n_jobs == -1:
        return os.cpu_count() or 1
    return check_count("n_jobs", n_jobs, "a positive integer or -1")


def check_flag(name, value):
    """True or False; a single 0 or 1 is one, as MATLAB and HDF5 write them, a text is none."""
    single = as_array(name, value)
    if single.size != 1 or single.dtype.kind not in "biuf" or single.item() not in (0, 1):
        raise InputError(f"{name} must be True or False, got {show(value)}")
    return bool(single.item())


def check_finite_scalar(name, value):
    """A finite float; a 1 x 1 array is a number, too."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError("a text is no number")
        value = float(np.asarray(value).item())  # a 1 x 1 array is a number, too
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be a number, got {show(value)}") from error
    if not np.isfinite(value):
        raise InputError(f"{name} must be finite, got {value}")
    return value


def check_index(name, values, n, least=0):
    """Return an int32 copy of an index array, all in least .. n-1."""
    values = as_array(name, values)
    if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
        raise InputError(
            f"{name} must be a vector of integers, got shape {values.shape} of {values.dtype}"
        )
    if values.size and (values.min() < least or values.max() >= n):
        wrong = values[(values < least) | (values >= n)][0]
        raise InputError(f"{name} must be in {least}..{n - 1}, got {wrong}")
    return values.astype(np.int32)


def check_costs(name, values):
    """float64 copy of a vector of finite numbers."""
    values = as_array(name, values)
    if values.ndim != 1 or np.iscomplexobj(values):
        raise InputError(
            f"{name} must be a real vector, got shape {values.shape} of {values.dtype}"
        )
    values = as_numbers(name, values)
    finite = np.isfinite(values)
    if not finite.all():
        bad = np.flatnonzero(~finite)[0]
        raise InputError(
            f"{name}[{bad}] must be finite, got {values[bad]}; leave a forbidden pair out instead"
        )
    return values


LARGEST_TOTAL = 1e304  # that costs may add up to: all sums inside methods are still doubles


def magnitude(values):
    """Return an upper bound of the sum of the absolute values of an array."""
    with np.errstate(over="ignore"):
        # sum |x| <= sqrt(n sum x^2), in one fast pass; the threads of np.dot would spin
        squares = float(np.einsum("i,i->", values, values))
    if squares < 1e300:
        return math.sqrt(len(values) * squares)
    return len(values) * float(max(values.max(), -values.min()))


def check_total(name, total):
    """InputError unless costs that add up to at most `total` leave room for sums of them."""
    if not total <= LARGEST_TOTAL:
        raise InputError(
            f"{name} must not add up to more than {LARGEST_TOTAL:g}, got up to {total:.3g}; divide"
            " them by a constant"
        )


def check_sense(sense):
    """The factor that makes costs of values: 1 for "min", -1 for "max"."""
    if not isinstance(sense, str) or sense not in ("min", "max"):
        raise InputError(f"sense must be 'min' or 'max', got {show(sense)}")
    return -1.0 if sense == "max" else 1.0


def check_points(name, points, n):
    """(n, dimensions) coordinates, read-only; None as given."""
    if points is None:
        return None
    points = as_numbers(name, points)
    if points.ndim != 2 or len(points) != n:
        raise InputError(f"{name} must have shape ({n}, dimensions), got {points.shape}")
    return freeze(points)


def check_neighbours(name, pairs, n):
    """(m, 2) pairs of nodes, read-only; None as given."""
    if pairs is None:
        return None
    pairs = as_numbers(name, pairs, np.int32)
    if pairs.size % 2:
        raise InputError(f"{name} must be (m, 2) pairs of nodes, got shape {pairs.shape}")
    pairs = pairs.reshape(-1, 2)
    check_index(name, pairs.ravel(), n)
    return freeze(pairs)


def check_ground_truth(truth, n1, n2):
    """(n1,) labels, -1 = unknown, read-only; None as given."""
    if truth is None:
        return None
    truth = as_numbers("ground_truth", truth, np.int32)
    if truth.shape != (n1,) or truth.min(initial=0) < -1 or truth.max(initial=-1) >= n2:
        raise InputError(f"ground_truth must hold n1 = {n1} labels in {labels_range(n2)}")
    return freeze(truth)


def check_names(field, names, n):
    """Names of nodes as a tuple."""
    if names is None:
        return None
    names = tuple(as_list(field, names))
    if len(names) != n:
        raise InputError(f"{field} must hold {n} names, got {len(names)}")
    seen = set()
    for name in names:
        try:
            repeated = name in seen
        except TypeError:
            raise InputError(f"{field} must hold hashable names, got {name!r}") from None
        if repeated:
            raise InputError(f"{field} must hold different names, {name!r} is there twice")
        seen.add(name)
    return names


def check_shape(shape):
    """(n1, n2) as two positive int, not too large for 32-bit nodes and 62-bit rows."""
    try:
        n1, n2 = (int(n) for n in shape)
        exact = (n1, n2) == tuple(shape)
    except (TypeError, ValueError, OverflowError):
        exact = False
    if not exact or n1 < 1 or n2 < 1:
        raise InputError(f"shape must be two positive integers (n1, n2), got {shape!r}")
    if max(n1, n2) >= 2**31 or n1 * n2 >= 2**62:
        raise InputError(f"shape {n1} x {n2} is too large: sides must be below 2**31")
    return n1, n2


MOST_NODES = 2**31 - 1  # of all graphs together: the kernels number them


def check_sizes(sizes):
    """Return the numbers of nodes of many graphs as a tuple of int."""
    given = as_numbers("sizes", as_list("sizes", sizes), np.int64)
    if given.ndim != 1 or given.min(initial=0) < 0:
        raise InputError(f"sizes must be the number of nodes of each graph, got {show(sizes)}")
    total = sum(given.tolist())
    if total > MOST_NODES:
        raise InputError(f"sizes must add up to at most {MOST_NODES} nodes, got {total}")
    return tuple(given.tolist())


# ---- indices as MATLAB counts them: from 1, with 0 for unmatched; inside they count from 0 with -1


def one_based(index):
    """0-based indices, -1 = none -> doubles, 0 = none."""
    return np.asarray(index, dtype=np.float64) + 1.0


def zero_based(index):
    """Whole numbers from 1, 0 = none -> 0-based integers, -1 = none."""
    return np.asarray(index).astype(np.int64) - 1
