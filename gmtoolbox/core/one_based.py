"""Indices as MATLAB counts them: from 1, with 0 for unmatched. Everything inside counts from 0 with
-1; files and wrappers for MATLAB pass through these two functions.
"""

from gmtoolbox.core.lazy import np


def one_based(index):
    """0-based indices, -1 = none -> doubles, 0 = none."""
    return np.asarray(index, dtype=np.float64) + 1.0


def zero_based(index):
    """Whole numbers from 1, 0 = none -> 0-based integers, -1 = none."""
    return np.asarray(index).astype(np.int64) - 1
