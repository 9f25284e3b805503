"""Warnings for guesses that can be wrong: the sense and the shape of a matrix that nothing states.

A matrix K without `sense` is an affinity, and without `shape` or `Ct` it joins the pairs of two
graphs of one size. Either guess is reported if the entries speak against it, with the argument
that confirms it and the one that corrects it. All doors (matrices, files, structs, batches) ask
here.
"""

import sys
import warnings
from pathlib import Path

from gmtoolbox.core.errors import SenseWarning, ShapeWarning, spoken
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.values import as_array

PACKAGE = str(Path(__file__).parents[1])
VOID = 0.5  # fraction of meaningless entries from which on a matrix is not taken for an affinity


def warn(message, category):
    """Show a warning at the line of the caller's own code."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)  # threads end before the caller's code


def check_guesses(K, shape=None, Ct=None, sense=None):
    """Warn of guesses about a matrix K: without sense it is an affinity, without shape and Ct one
    of the pairs of two graphs of one size. K is not checked yet.
    """
    K = K if sparse.issparse(K) else as_array("K", K)
    if sense is None and has_negative(K):
        warn_of_sense("K", "a matrix is an affinity unless its sense is given", spoken_senses())
    if shape is None and Ct is None:
        warn_of_shape("K", K)


def spoken_senses():
    """Return how to give the sense of a matrix as an argument."""
    low, high = (
        spoken(f"sense={way!r}", f"'sense', {way!r}", f"--sense {way}") for way in ("min", "max")
    )
    return f"give {low} if it holds costs, {high} if not"


def warn_of_sense(name, reason, remedy, done="has negative entries and is maximised"):
    """Warn with SenseWarning: how a matrix was read, why, and how to state its sense."""
    warn(f"{name} {done}, since {reason}: {remedy}", SenseWarning)


def warn_of_shape(name, K):
    """ShapeWarning if most entries of a matrix mean nothing under its guessed shape n x n."""
    is_square = K.dtype.kind in "biuf" and K.ndim == 2 and K.shape[0] == K.shape[1]
    N = K.shape[0] if is_square else 0
    n = round(N**0.5)
    if n < 2 or n * n != N or not is_mostly_void(K, n):
        return
    shape = spoken(f"shape=({n}, {n})", f"'shape', [{n} {n}]", f"--shape {n} {n}")
    solver = spoken("gm.assign", "matchpairs", "gm.assign in Python")
    warn(
        f"{name} ({N} x {N}) is taken as the affinity of {n} x {n} nodes, although most of its"
        " entries for two pairs with a node in common, which count for nothing, are not 0: give"
        f" {shape} if that is meant; a matrix of the costs of single pairs is a linear assignment"
        f" problem ({solver})",
        ShapeWarning,
    )


def has_negative(K):
    """Return whether a matrix has a negative entry; -inf only forbids a pair of an affinity."""
    entries = K.data if sparse.issparse(K) else K
    if entries.dtype.kind not in "fi" or not entries.size:
        return False
    least = entries.min()
    if np.isneginf(least):
        least = entries.min(where=np.isfinite(entries), initial=0)
    return bool(least < 0)


def is_mostly_void(K, n):
    """Return whether most entries between two of n x n pairs that share a node are not 0."""
    if sparse.issparse(K):
        K = K.tocoo()
        row, column = (ends[K.data != 0].astype(np.int64) for ends in (K.row, K.col))
        sharing = (row % n == column % n) | (row // n == column // n)
        filled = np.count_nonzero(sharing & (row != column))
    else:
        table = K.reshape(n, n, n, n)  # right and left node of the row, then of the column
        same = [np.einsum(term, table) for term in ("sisj->sij", "siti->sit")]  # views
        filled = sum(map(np.count_nonzero, same)) - 2 * np.count_nonzero(K.diagonal())
    return filled > VOID * 2 * (n - 1) * n * n
