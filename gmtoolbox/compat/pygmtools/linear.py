"""Assignments of a matrix of scores: hungarian and sinkhorn of pygmtools."""

from gmtoolbox.assignment import assign
from gmtoolbox.compat.pygmtools.arrays import (
    as_batch,
    as_counts,
    as_floats,
    as_numpy,
    check_backend,
    is_tensor,
    like,
    unbatch,
    zeros_like,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_flag

DUMMY = -100.0  # logarithm of the entries of dummy rows


def hungarian(s, n1=None, n2=None, unmatch1=None, unmatch2=None, nproc=1, backend=None):
    """Return the matching with the largest sum of scores, as a matrix of 0 and 1.

    Parameters
    ----------
    s : (b, n1, n2) or (n1, n2) array or tensor
        Scores; -inf for a forbidden pair.
    n1, n2 : b integers, optional
        Numbers of rows and columns of each matrix; the rest is padding and stays 0.
    unmatch1, unmatch2 : (b, n1) and (b, n2), optional
        Scores of rows and columns that stay free. Without them every node of the smaller side is
        matched.
    nproc : int
        Does not change the answer; one process is used.
    backend : "numpy", "pytorch" or None

    Returns
    -------
    array or tensor
        Of the shape and type of s. It has no gradient.

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> pygm.hungarian(np.array([[3.0, 2.0, 0.0], [2.5, 0.0, 0.0]]))
    array([[0., 1., 0.],
           [1., 0., 0.]])
    """
    check_backend(backend, s)
    if isinstance(nproc, bool) or not isinstance(nproc, int) or nproc < 1:
        raise InputError(f"nproc must be a positive integer, got {nproc!r}")
    given, is_batched = as_batch("s", s)
    length, rows, columns = given.shape
    heights, widths = as_counts("n1", n1, length, rows), as_counts("n2", n2, length, columns)
    free = as_free(unmatch1, unmatch2, given, is_batched)
    scores = as_numpy("s", given)
    X = np.zeros(scores.shape, scores.dtype)
    for b, (n, m) in enumerate(zip(heights, widths, strict=True)):
        block = np.asarray(scores[b, :n, :m], dtype=float)
        if free is None:
            labels = assign(block, maximize=True).labels
        else:
            # sum of s over pairs + u_i over free rows + v_j over free columns
            #   = sum of (s_ij - u_i - v_j) over pairs + a constant
            u, v = (as_numpy("unmatch", part)[b].astype(float) for part in free)
            labels = assign(block - u[:n, None] - v[:m], maximize=True, unmatched=0.0).labels
        matched = np.flatnonzero(labels >= 0)
        X[b, matched, labels[matched]] = 1
    return unbatch(like(given, X), is_batched)


def sinkhorn(
    s,
    n1=None,
    n2=None,
    unmatch1=None,
    unmatch2=None,
    dummy_row=False,
    max_iter=10,
    tau=1.0,
    batched_operation=False,
    backend=None,
):
    """Return exp(s / tau) with its rows and columns divided by their sums in turn.

    Parameters
    ----------
    s : (b, n1, n2) or (n1, n2) array or tensor
        Scores. Rows are first if there are fewer rows than columns, else columns.
    n1, n2 : b integers, optional
        Numbers of rows and columns of each matrix; the rest is padding and becomes 0.
    unmatch1, unmatch2 : (b, n1) and (b, n2), optional
        Scores of rows and columns that stay free: a further column and row, which take part in
        the sums of the others.
    dummy_row : bool
        Add small rows until the matrix is square, so that all sums can be 1.
    max_iter : int
        Divisions: a row and a column are two.
    tau : float
        Temperature; a small one comes close to a matching.
    batched_operation : bool
        Does not change the answer.
    backend : "numpy", "pytorch" or None

    Returns
    -------
    array or tensor
        Of the shape of s. A tensor has a gradient.

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> pygm.sinkhorn(np.array([[1.0, 0.0], [0.0, 1.0]])).round(3)
    array([[0.731, 0.269],
           [0.269, 0.731]])
    """
    check_backend(backend, s)
    if not isinstance(batched_operation, bool):
        raise InputError(f"batched_operation must be True or False, got {batched_operation!r}")
    if isinstance(max_iter, bool) or not isinstance(max_iter, int) or max_iter < 0:
        raise InputError(f"max_iter must be an integer, at least 0, got {max_iter!r}")
    dummy_row = check_flag("dummy_row", dummy_row)
    if not tau > 0:
        raise InputError(f"tau must be positive, got {tau!r}")
    given, is_batched = as_batch("s", s)
    given = as_floats(given)
    length, rows, columns = given.shape
    heights, widths = as_counts("n1", n1, length, rows), as_counts("n2", n2, length, columns)
    free = as_free(unmatch1, unmatch2, given, is_batched)
    answer = zeros_like(given, given.shape)
    for b, (n, m) in enumerate(zip(heights, widths, strict=True)):
        logs = given[b, :n, :m] / tau
        ends = None if free is None else (free[0][b][:n] / tau, free[1][b][:m] / tau)
        is_tall = n > m or (n == m and rows > columns)
        if is_tall:
            logs, ends = logs.T, None if ends is None else ends[::-1]
        balanced = exponential(balance(logs, ends, dummy_row, max_iter))
        answer[b, :n, :m] = balanced.T if is_tall else balanced
    return unbatch(answer, is_batched)


def balance(logs, ends, dummy_row, max_iter):
    """Return the logarithms of a wide matrix after max_iter divisions, without the added rows."""
    n, m = logs.shape
    height = m if dummy_row else n
    full = zeros_like(logs, (height + 1, m + 1)) - np.inf
    full[:n, :m] = logs
    full[n:height, :m] = DUMMY
    if ends is None:
        full = full[:height, :m]
    else:
        full[:n, m], full[height, :m] = ends
    for k in range(max_iter):
        axis = 1 - k % 2
        sums = log_sum(full, axis)
        divisor = zeros_like(full, tuple(sums.shape))
        if axis == 1:
            divisor[:height] = sums[:height]
        else:
            divisor[:, :m] = sums[:, :m]
        full = full - divisor
    return full[:n, :m]


def as_free(unmatch1, unmatch2, given, is_batched):
    """Return the scores of free rows and columns, checked, with a batch dimension; or None."""
    if unmatch1 is None and unmatch2 is None:
        return None
    if unmatch1 is None or unmatch2 is None:
        raise InputError("unmatch1 and unmatch2 must be given together")
    made = []
    for name, scores, n in (
        ("unmatch1", unmatch1, given.shape[1]),
        ("unmatch2", unmatch2, given.shape[2]),
    ):
        scores, has_batch = as_batch(name, scores, dimensions=1)
        if has_batch != is_batched or tuple(scores.shape) != (given.shape[0], n):
            raise InputError(f"{name} must have a number for each of {n} nodes")
        made.append(scores)
    return tuple(made)


def log_sum(array, axis):
    """Return the logarithm of the sum of exponentials along an axis, which is kept."""
    if is_tensor(array):
        return array.logsumexp(axis, keepdim=True)
    from scipy.special import logsumexp

    return logsumexp(array, axis, keepdims=True)


def exponential(array):
    """Return exp of an array or tensor."""
    return array.exp() if is_tensor(array) else np.exp(array)
