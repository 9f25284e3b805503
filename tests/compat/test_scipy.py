"""gm.quadratic_assignment against SciPy's objective and enumeration."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from repetition import times
from scipy import optimize, sparse

import gmtoolbox as gm


def objective(A, B, p):
    """SciPy's: trace(A' P B P')."""
    P = np.eye(len(A))[list(p)]
    return np.trace(A.T @ P @ B @ P.T)


def enumerate_best(A, B, fixed, best):
    """Smallest or largest objective over the permutations that have the fixed pairs."""
    allowed = (p for p in permutations(range(len(A))) if all(p[i] == s for i, s in fixed))
    return best(objective(A, B, p) for p in allowed)


@pytest.mark.parametrize("seed", range(times(12)))
def test_optimum_of_every_kind(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    A, B = rng.integers(-3, 6, (2, n, n)) * (rng.random((2, n, n)) < 0.8)  # loops, directed
    m = int(rng.integers(0, n + 1))
    fixed = np.stack([rng.permutation(n)[:m], rng.permutation(n)[:m]], axis=1)
    for maximize in (False, True):
        options = {"maximize": maximize, "partial_match": fixed}
        r = gm.quadratic_assignment(A, B, options=options)
        assert isinstance(r, optimize.OptimizeResult)
        assert sorted(r.col_ind) == list(range(n)) and r.col_ind.dtype == np.int64
        assert np.array_equal(r.col_ind[fixed[:, 0]], fixed[:, 1])
        assert np.isclose(r.fun, objective(A, B, r.col_ind))
        assert np.isclose(r.fun, enumerate_best(A, B, fixed, max if maximize else min))
        assert r.status == "optimal" and np.isclose(r.bound, r.fun)
        options["partial_match"] = fixed[np.argsort(fixed[:, 0])]  # SciPy wants them sorted
        theirs = optimize.quadratic_assignment(
            A, B, options={**options, "rng": np.random.default_rng(0)}
        )
        assert (theirs.fun <= r.fun + 1e-9) if maximize else (theirs.fun >= r.fun - 1e-9)


def test_every_method_counts_as_scipy_does():
    rng = np.random.default_rng(1)
    A, B = rng.random((2, 9, 9))
    for method in ("auto", "faq", "fw", "sm"):
        r = gm.quadratic_assignment(A, B, method, {"maximize": True, "time_limit": 5.0})
        assert np.isclose(r.fun, objective(A, B, r.col_ind)) and r.nit > 0
    sparse_one = gm.quadratic_assignment(sparse.csr_array(A), sparse.csr_array(B))
    assert np.isclose(sparse_one.fun, gm.quadratic_assignment(A, B).fun)


def test_starts():
    rng = np.random.default_rng(3)
    A, B = rng.random((2, 12, 12))
    once = {"maxiter": 1, "tol": 1.0}
    found = {}
    for P0 in ("barycenter", "randomized"):
        found[P0] = gm.quadratic_assignment(A, B, "faq", {**once, "P0": P0}).fun
    again = gm.quadratic_assignment(A, B, "faq", {**once, "P0": "randomized", "rng": 5}).fun
    assert len({*found.values(), again}) == 3
    best = gm.quadratic_assignment(A, B, "fw").col_ind
    fixed = [(3, best[3]), (0, best[0])]
    rest = np.setdiff1d(range(12), [0, 3])
    labels = np.setdiff1d(range(12), best[[0, 3]])
    P0 = (best[rest][:, None] == labels).astype(float)
    value = objective(A, B, best)
    guess = np.stack([range(12), best], axis=1)
    for start in ({"P0": P0}, {"partial_guess": guess}):
        r = gm.quadratic_assignment(A, B, "faq", {**once, "partial_match": fixed, **start})
        assert r.fun <= value + 1e-9
        cold = gm.quadratic_assignment(A, B, "faq", {**once, "partial_match": fixed})
        assert cold.fun > r.fun


@pytest.mark.parametrize(
    "options, message",
    [
        ({"P0": "middle"}, "P0 must be a matrix or one of barycenter, randomized, got 'middle'"),
        ({"P0": "barycenter"}, "P0 = 'barycenter' is a start of faq; method 'auto' chooses"),
        ({"P0": np.full((3, 3), 1 / 3)}, "P0 must be a name or a 3 x 3 permutation matrix"),
        ({"P0": np.eye(2)}, "P0 must be a name or a 3 x 3 permutation matrix"),
        ({"P0": np.eye(3), "partial_guess": [[0, 0]]}, "only one of them"),
        ({"partial_guess": [[0, 0]]}, "partial_guess must have a pair for all 3 nodes, got 1"),
        (
            {"partial_guess": [[0, 0], [1, 1], [2, 2]], "partial_match": [[0, 1]]},
            "partial_guess must contain the pairs of partial_match",
        ),
        ({"partial_match": [[0, 3]]}, "partial_match must have right nodes in 0..2"),
        ({"partial_match": [[0, 1], [1, 1]]}, "partial_match must be one-to-one"),
        ({"partial_match": [0, 1]}, "partial_match must be .m, 2. pairs"),
        ({"shuffle_input": True}, "shuffle_input must be False"),
        ({"rng": 1, "seed": 1}, "only one of them"),
        ({"rng": "x"}, "rng must be an integer"),
        ({"complete": False}, "options must not contain 'complete'"),
        ({"maximise": True}, "maximi"),
    ],
)
def test_refused(options, message):
    with pytest.raises(gm.InputError, match=message) as caught:
        gm.quadratic_assignment(np.eye(3), np.eye(3), options=options)
    assert "\n" not in str(caught.value)


def test_matrices_and_methods_are_checked():
    with pytest.raises(gm.InputError, match="A and B must have the same shape"):
        gm.quadratic_assignment(np.eye(3), np.eye(2))
    with pytest.raises(gm.InputError, match="A must be a finite square matrix"):
        gm.quadratic_assignment(np.ones((2, 3)), np.eye(2))
    with pytest.raises(
        gm.InputError, match="A must be a finite square matrix, but an entry is nan"
    ):
        gm.quadratic_assignment(np.full((2, 2), np.nan), np.eye(2))
    with pytest.raises(gm.InputError, match="from_graphs takes graphs of networkx"):
        gm.quadratic_assignment(nx.path_graph(2), np.eye(2))
    with pytest.raises(gm.InputError, match="options must be a dict, got 'maximize'"):
        gm.quadratic_assignment(np.eye(2), np.eye(2), options="maximize")
    with pytest.raises(gm.OptionError, match="'maximise' .did you mean 'maximize'"):
        gm.quadratic_assignment(np.eye(2), np.eye(2), options={"maximise": True})
    with pytest.raises(gm.OptionError, match="'tol' .it is an option of method 'faq'.$"):
        gm.quadratic_assignment(np.eye(2), np.eye(2), options={"tol": 1e-3})
    with pytest.raises(gm.UnknownMethodError, match="3opt"):
        gm.quadratic_assignment(np.eye(2), np.eye(2), "3opt")
    with pytest.raises(ValueError, match="P0 is given, and start"):
        gm.quadratic_assignment(
            np.eye(2), np.eye(2), "faq", {"P0": "barycenter", "start": "random"}
        )


def test_options_stay_as_they_are():
    options = {"maximize": True, "rng": 4, "partial_match": [[0, 1]]}
    gm.quadratic_assignment(np.eye(3), np.eye(3), options=options)
    assert options == {"maximize": True, "rng": 4, "partial_match": [[0, 1]]}


@pytest.mark.parametrize("maximize", [False, True])
def test_swaps_as_of_scipy_are_never_worse(maximize):
    """From the same first permutation, with a fixed pair."""
    rng = np.random.default_rng(4)
    for n in (7, 12):
        A, B = rng.integers(0, 20, (2, n, n))
        options = {
            "maximize": maximize, "rng": np.random.default_rng(1), "partial_match": [[1, 0]],
        }  # fmt: skip
        theirs = optimize.quadratic_assignment(A, B, "2opt", options)
        ours = gm.quadratic_assignment(A, B, "2opt", {**options, "rng": 1})
        assert ours.fun == (A * B[np.ix_(ours.col_ind, ours.col_ind)]).sum()
        assert ours.col_ind[1] == 0
        assert ours.fun >= theirs.fun if maximize else ours.fun <= theirs.fun
