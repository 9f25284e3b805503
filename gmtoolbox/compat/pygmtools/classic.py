"""Soft matchings of an affinity matrix: sm, rrwm and ipfp of pygmtools."""

from gmtoolbox.compat.pygmtools.arrays import (
    as_batch,
    as_counts,
    as_floats,
    as_numpy,
    check_backend,
    like,
    unbatch,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.driver import gm_solve


def sm(K, n1=None, n2=None, n1max=None, n2max=None, x0=None, max_iter=50, backend=None):
    """Return the leading eigenvector of K as a matrix with squared sum 1, by power iterations.

    Parameters
    ----------
    K : (b, n1 * n2, n1 * n2) or (n1 * n2, n1 * n2) array or tensor
        Affinities, row left + n1 * right. A tensor must not require a gradient.
    n1, n2 : b integers
        Numbers of nodes of each problem; one of n1 and n1max is needed, of n2 and n2max likewise.
    n1max, n2max : int, optional
        Numbers of nodes that K has place for; by default the largest of n1 and n2.
    x0 : None
        Every run starts from the centre; anything else is refused.
    max_iter : int
        Iterations; all are made.
    backend : "numpy", "pytorch" or None

    Returns
    -------
    (b, n1, n2) or (n1, n2) array or tensor

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> K = np.diag([1.0, 3.0, 3.0, 1.0]) + 0.5
    >>> pygm.hungarian(pygm.sm(K, 2, 2))
    array([[0., 1.],
           [1., 0.]])
    """
    options = {"maxiter": max_iter, "sweeps": 0}
    return solve_batch("sm", K, (n1, n2), (n1max, n2max), x0, options, backend, unit_length)


def rrwm(
    K,
    n1=None,
    n2=None,
    n1max=None,
    n2max=None,
    x0=None,
    max_iter=50,
    sk_iter=20,
    alpha=0.2,
    beta=30,
    backend=None,
):
    """Return the distribution of reweighted random walks on K, as a matrix with sum 1.

    Parameters
    ----------
    K, n1, n2, n1max, n2max, x0, max_iter, backend
        As in sm; the walk ends earlier if it does not change any more.
    sk_iter : int
        Divisions of rows and columns in each jump; an odd number is rounded up.
    alpha : float
        Weight of the jump, in 0 .. 1.
    beta : float
        Inflation of the jump.

    Returns
    -------
    (b, n1, n2) or (n1, n2) array or tensor

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> X = pygm.rrwm(np.diag([1.0, 3.0, 3.0, 1.0]) + 0.5, 2, 2)
    >>> float(X.sum().round(6)), pygm.hungarian(X).tolist()
    (1.0, [[0.0, 1.0], [1.0, 0.0]])
    """
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha must be in 0 .. 1, got {alpha!r}")
    if isinstance(sk_iter, bool) or not isinstance(sk_iter, int) or sk_iter < 1:
        raise InputError(f"sk_iter must be a positive integer, got {sk_iter!r}")
    sweeps = (sk_iter + 1) // 2  # of rows and columns
    options = {"maxiter": max_iter, "sweeps": sweeps, "c": 1.0 - alpha, "amp_max": beta}
    return solve_batch("rrwm", K, (n1, n2), (n1max, n2max), x0, options, backend, unit_sum)


def ipfp(K, n1=None, n2=None, n1max=None, n2max=None, x0=None, max_iter=50, backend=None):
    """Return the matching of integer projected fixed points on K, as a matrix of 0 and 1.

    Parameters
    ----------
    K, n1, n2, n1max, n2max, x0, max_iter, backend
        As in sm.

    Returns
    -------
    (b, n1, n2) or (n1, n2) array or tensor

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> pygm.ipfp(np.diag([1.0, 3.0, 3.0, 1.0]) + 0.5, 2, 2)
    array([[0., 1.],
           [1., 0.]])
    """
    options = {"maxiter": max_iter}
    return solve_batch("ipfpu", K, (n1, n2), (n1max, n2max), x0, options, backend, matched)


def solve_batch(method, K, counts, places, x0, options, backend, read):
    """Return read(result) of each problem of a batch, padded by 0."""
    check_backend(backend, K)
    if x0 is not None:
        raise InputError("x0 must be None: every run starts from the centre")
    given, is_batched = as_batch("K", K)
    given = as_floats(given)
    affinities = as_numpy("K", given, needs_gradient=True)
    length, size = affinities.shape[:2]
    places = [
        check_places(f"n{k}", n, most) for k, n, most in zip((1, 2), counts, places, strict=True)
    ]
    if affinities.shape[2] != size or size != places[0] * places[1]:
        raise InputError(
            f"K must be {places[0] * places[1]} x {places[0] * places[1]} (n1max * n2max), got"
            f" shape {tuple(given.shape)}"
        )
    heights, widths = (
        as_counts(f"n{k}", n, length, most)
        for k, n, most in zip((1, 2), counts, places, strict=True)
    )
    X = np.zeros((length, *places), affinities.dtype)
    for b, (n, m) in enumerate(zip(heights, widths, strict=True)):
        rows = (np.arange(n) + places[0] * np.arange(m)[:, None]).ravel()  # left + n1max * right
        block = affinities[b][np.ix_(rows, rows)].astype(float)
        X[b, :n, :m] = read(gm_solve(block, method, shape=(n, m), **options))
    return unbatch(like(given, X), is_batched)


def check_places(name, counts, most):
    """Return the number of nodes that the matrices have place for."""
    if most is None:
        if counts is None:
            raise InputError(f"{name} or {name}max must be given")
        most = as_numpy(name, counts).max()
    return int(as_numpy(f"{name}max", most).max())


def matched(r):
    """Return the matrix of 0 and 1."""
    return r.X


def unit_length(r):
    """Return the scores with squared sum 1."""
    return scale(r, np.linalg.norm)


def unit_sum(r):
    """Return the scores with sum 1."""
    return scale(r, np.sum)


def scale(r, size):
    """Return the scores divided by their size, or the matching if all are 0."""
    scores = r.X if r.scores is None or not np.any(r.scores) else r.scores
    return scores / size(scores)
