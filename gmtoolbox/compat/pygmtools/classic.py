"""Soft matchings of an affinity matrix: sm, rrwm and ipfp of pygmtools."""

from functools import partial

from gmtoolbox.compat.pygmtools.arrays import (
    as_batch,
    as_counts,
    as_floats,
    as_numpy,
    check_backend,
    is_tensor,
    like,
    unbatch,
)
from gmtoolbox.compat.pygmtools.gradients import pull_back_power, pull_back_walk
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.driver import gm_solve

SINKHORN_TOLERANCE = 1e-3  # rrwm's own: the change of a sweep after which it ends


def sm(K, n1=None, n2=None, n1max=None, n2max=None, x0=None, max_iter=50, backend=None):
    """Return the leading eigenvector of K as a matrix with squared sum 1, by power iterations.

    Parameters
    ----------
    K : (b, n1 * n2, n1 * n2) or (n1 * n2, n1 * n2) array or tensor
        Affinities, row left + n1 * right. If a tensor requires a gradient, the answer has one, and
        no entry may be negative.
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
    return solve_batch(
        "sm", K, (n1, n2), (n1max, n2max), x0, options, backend, unit_length, pull_back_power
    )


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
    walk = {"sweeps": sweeps, "c": 1.0 - alpha, "amp_max": beta, "tolC": SINKHORN_TOLERANCE}
    return solve_batch(
        "rrwm", K, (n1, n2), (n1max, n2max), x0, {"maxiter": max_iter, **walk}, backend, unit_sum,
        partial(pull_back_walk, **walk),
    )  # fmt: skip


def ipfp(K, n1=None, n2=None, n1max=None, n2max=None, x0=None, max_iter=50, backend=None):
    """Return the matching of integer projected fixed points on K, as a matrix of 0 and 1.

    Parameters
    ----------
    K, n1, n2, n1max, n2max, x0, max_iter, backend
        As in sm; but a matching has no gradient, so a tensor that requires one is refused.

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
    return solve_batch("ipfpu", K, (n1, n2), (n1max, n2max), x0, options, backend, round_matrix)


def solve_batch(method, K, counts, places, x0, options, backend, read, pull_back=None):
    """Return read(result) of each problem of a batch, padded by 0.

    pull_back(K, G, n_iter): the gradient of one K, of methods that have one.
    """
    check_backend(backend, K)
    if x0 is not None:
        raise InputError("x0 must be None: every run starts from the centre")
    given, is_batched = as_batch("K", K)
    given = as_floats(given)
    has_gradient = is_tensor(given) and given.requires_grad and pull_back is not None
    affinities = as_numpy("K", given, needs_gradient=pull_back is None)
    if has_gradient and affinities.min(initial=0) < 0:
        raise InputError(
            "K must not have negative entries if it requires a gradient: give K.relu() or K.exp()"
        )
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
    X, runs = np.zeros((length, *places), affinities.dtype), []
    for b, (n, m) in enumerate(zip(heights, widths, strict=True)):
        rows = (np.arange(n) + places[0] * np.arange(m)[:, None]).ravel()  # left + n1max * right
        block = affinities[b][np.ix_(rows, rows)].astype(float)
        r = gm_solve(block, method, shape=(n, m), sense="max", **options)
        X[b, :n, :m] = read(r)
        runs.append((rows, block, (n, m), 0 if r.status == "breakdown" else r.n_iter))
    if not has_gradient:
        return unbatch(like(given, X), is_batched)
    from gmtoolbox.compat.pygmtools.tensors import with_gradient  # imports torch

    pull_back_all = partial(pull_back_batch, pull_back, affinities.shape, runs)
    return unbatch(with_gradient(given, X, pull_back_all), is_batched)


def pull_back_batch(pull_back, shape, runs, G):
    """Return the gradient of a batch of K from that of its answers; 0 where a run broke down."""
    gradient = np.zeros(shape)
    for b, (rows, block, (n, m), n_iter) in enumerate(runs):
        if n_iter:
            gradient[b][np.ix_(rows, rows)] = pull_back(block, G[b, :n, :m].astype(float), n_iter)
    return gradient


def check_places(name, counts, most):
    """Return the number of nodes that the matrices have place for."""
    if most is None:
        if counts is None:
            raise InputError(f"{name} or {name}max must be given")
        most = as_numpy(name, counts).max()
    return int(as_numpy(f"{name}max", most).max())


def round_matrix(r):
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
