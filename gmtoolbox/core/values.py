"""Immutable values made of arrays: checked once, read-only, pickled without derived values."""

import math
import os
from dataclasses import fields

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.text import shown


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
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__getstate__(), **fields)
        return copy


def frozen(array):
    """The array, contiguous and read-only."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def dense(matrix):
    """A matrix as an array, a sparse one written out."""
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def same(x, y):
    """Whether two fields hold the same; NaN equals NaN (a point that is not given)."""
    if sparse.issparse(x) and sparse.issparse(y):
        return x.shape == y.shape and (x != y).nnz == 0
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return isinstance(x, type(y)) and np.array_equal(x, y, equal_nan=True)
    return x == y


def as_array(name, given):
    """An array of whatever is given; a ragged list is refused."""
    try:
        return np.asarray(given)
    except ValueError as error:
        raise InputError(f"{name} must be an array, got {shown(given)}") from error


def as_numbers(name, given, dtype=float):
    """A new array of numbers, of whole ones for an integer dtype; all else is refused."""
    whole = np.issubdtype(dtype, np.integer)
    try:
        array = as_array(name, given)
        if array.dtype.kind == "O":  # Fractions, or None, which is not a number
            array = array.astype(float)
        if array.size and array.dtype.kind not in "biuf":
            raise TypeError(f"{array.dtype} is no kind of number")
        with np.errstate(invalid="ignore"):
            numbers = array.astype(dtype)
        if whole and (numbers != array).any():
            raise ValueError("a number is not whole, or too large")
    except (TypeError, ValueError, OverflowError) as error:
        kind = "whole numbers" if whole else "numbers"
        raise InputError(f"{name} must be an array of {kind}, got {shown(given)}") from error
    return numbers


def as_list(name, given):
    """A list of what can be walked through."""
    try:
        return list(given)
    except TypeError as error:
        raise InputError(f"{name} must be a list, got {shown(given)}") from error


def check_count(name, value, what="a positive integer"):
    """A whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise InputError(f"{name} must be {what}, got {shown(value)}")
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
        raise InputError(f"{name} must be True or False, got {shown(value)}")
    return bool(single.item())


def check_finite_scalar(name, value):
    """A finite float; a 1 x 1 array is a number, too."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError("a text is no number")
        value = float(np.asarray(value).item())  # a 1 x 1 array is a number, too
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be a number, got {shown(value)}") from error
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


LARGEST_TOTAL = 1e304  # that costs may add up to: what methods add up on the way are doubles still


def magnitude(values):
    """Return an upper bound of the sum of the absolute values of an array."""
    with np.errstate(over="ignore"):
        squares = float(np.dot(values, values))  # sum |x| <= sqrt(n sum x^2), in one fast pass
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
        raise InputError(f"sense must be 'min' or 'max', got {shown(sense)}")
    return -1.0 if sense == "max" else 1.0
