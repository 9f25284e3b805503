"""Graph matching with the signature and the result of graspologic."""

from typing import Any, NamedTuple

from gmtoolbox.compat.scipy import as_pairs
from gmtoolbox.core.checks import suggest_arguments
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_reals, check_flag, dense
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.limits import draw_seed
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.models import from_koopmans_beckmann
from gmtoolbox.models.koopmans_beckmann import check_square

__all__ = ["MatchResult", "graph_match"]

SUCCESS = ("optimal", "converged")


class MatchResult(NamedTuple):
    """The answer of graph_match: matched nodes, score, and a dict for each run."""

    indices_A: Any
    indices_B: Any
    score: float
    misc: list


@suggest_arguments
def graph_match(
    A,
    B,
    AB=None,
    BA=None,
    S=None,
    partial_match=None,
    init=None,
    init_perturbation=0.0,
    n_init=1,
    shuffle_input=True,
    maximize=True,
    padding="naive",
    n_jobs=None,
    max_iter=30,
    tol=0.01,
    verbose=0,
    rng=None,
    transport=False,
    transport_regularizer=100,
    transport_tol=5e-2,
    transport_max_iter=1000,
    fast=True,
    *,
    use_numba=False,
    method=DEFAULT_METHOD,
    time_limit=None,
):
    """Match the nodes of two networks so that the products of their weights have the largest sum.

    Parameters
    ----------
    A, B : (n, n) and (m, m) matrices, dense or scipy.sparse
        Every node of the smaller network is matched.
    S : (n, m) matrix, optional
        Similarities, added to the sum for matched pairs.
    partial_match : (k, 2) integers, optional
        Pairs of nodes of A and B that are matched in any case.
    n_init : int
        Runs, each with a seed of its own; the best is returned.
    shuffle_input : bool
        Give the nodes of B a random order during the search, so that ties do not favour the order
        in which they are given.
    maximize : bool
        False: the smallest sum.
    rng : int or numpy.random.Generator, optional
        Without it the seed is 0.
    method, time_limit
        As in gm_solve, for each run.
    fast, use_numba
        Change nothing.
    AB, BA, init, init_perturbation, padding, n_jobs, max_iter, tol, verbose
        Must have their default values, and so must the arguments whose names begin with transport.

    Returns
    -------
    MatchResult
        With indices_A (sorted), indices_B, score and misc: for each run score, n_iter, converged,
        convex_solution (None), status and bound.

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat.graspologic import graph_match
    >>> A = np.diag([1.0, 2.0, 3.0], 1)
    >>> order = [2, 0, 3, 1]
    >>> r = graph_match(A, A[order][:, order])
    >>> r.indices_B.tolist(), r.score, r.misc[0]["status"]
    ([1, 3, 0, 2], 14.0, 'optimal')
    """
    refuse_others(locals())
    if isinstance(n_init, bool) or not isinstance(n_init, int) or n_init < 1:
        raise InputError(f"n_init must be a positive integer, got {n_init!r}")
    maximize = check_flag("maximize", maximize)
    shuffle_input = check_flag("shuffle_input", shuffle_input)
    A, B = check_square("A", A), check_square("B", B)
    fixed = as_pairs("partial_match", partial_match, (A.shape[0], B.shape[0]))
    generator = np.random.default_rng(0 if rng is None else draw_seed(rng))
    sense = "max" if maximize else "min"
    runs = []
    for _ in range(n_init):
        n = B.shape[0]
        order = generator.permutation(n) if shuffle_input else np.arange(n)
        similarity = None if S is None else check_similarity(S, (A.shape[0], n))[:, order]
        problem = from_koopmans_beckmann(A, B[order][:, order], similarity, sense=sense)
        pairs = np.stack([fixed[:, 0], np.argsort(order)[fixed[:, 1]]], axis=1)
        rest = problem.fix(pairs) if len(pairs) else None
        seed = int(generator.integers(2**32))
        searched = problem if rest is None else rest.problem
        r = gm_solve(searched, method, time_limit=time_limit, seed=seed)
        labels = np.asarray(r.labels if rest is None else rest.lift(r.labels))
        runs.append((r, np.where(labels >= 0, order[labels], -1)))
    r, labels = (max if maximize else min)(runs, key=lambda run: run[0].value)
    matched = np.flatnonzero(labels >= 0)
    return MatchResult(matched, labels[matched], r.value, [describe(run) for run, _ in runs])


def describe(r):
    """Return the dict of one run."""
    return {
        "score": r.value,
        "n_iter": r.n_iter,
        "convex_solution": None,
        "converged": r.status in SUCCESS,
        "status": r.status,
        "bound": r.bound,
    }


def check_similarity(S, shape):
    """Return S as an array of this shape."""
    S = dense(as_reals("S", S))
    if S.shape != shape or not np.all(np.isfinite(S)):
        raise InputError(f"S must be a finite matrix of shape {shape}, got shape {S.shape}")
    return S


def refuse_others(given):
    """Refuse a value of an argument that this function does not use, if it changed the answer."""
    only = {
        "AB": None, "BA": None, "init": None, "init_perturbation": 0.0, "padding": "naive",
        "n_jobs": None, "max_iter": 30, "tol": 0.01, "verbose": 0, "transport": False,
        "transport_regularizer": 100, "transport_tol": 5e-2, "transport_max_iter": 1000,
    }  # fmt: skip
    for name in ("fast", "use_numba"):
        if not isinstance(given[name], bool):
            raise InputError(f"{name} must be True or False, got {given[name]!r}")
    for name, value in only.items():
        if given[name] is not value and (np.ndim(given[name]) or given[name] != value):
            raise InputError(f"{name} must be {value!r} here: graph_match does not use it")
