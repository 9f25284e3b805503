"""Products with -K straight from the edges; positive definite solves by CHOLMOD in both its
interfaces, or by SuperLU.
"""

import inspect
import sys
import types

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import eigsh, splu
from small import matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem
from gmtoolbox.engine import linalg
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.linalg import (
    Affinity,
    affinity,
    cholmod_factor,
    eigenpairs,
    positive_definite_solver,
)
from gmtoolbox.engine.progress import Budget


@pytest.fixture
def system():
    rng = np.random.default_rng(0)
    B = scipy.sparse.random_array((30, 30), density=0.1, rng=rng)
    return (B @ B.T + scipy.sparse.eye_array(30)).tocsc(), rng.normal(size=30)


class Factor:
    """What both versions return: callable in 0.4, with a solve method in 0.5."""

    def __init__(self, S):
        self.lu = splu(S.tocsc())


class Factor4(Factor):
    def __call__(self, y):
        return self.lu.solve(y)


class Factor5(Factor):
    def solve(self, y):
        return self.lu.solve(y)


INTERFACES = {
    "0.4": {"cholesky": Factor4},
    "0.5": {"cho_factor": Factor5, "cholesky": lambda S: (S, None)},
    "none": None,
}


@pytest.fixture(params=INTERFACES)
def interface(request, monkeypatch):
    members = INTERFACES[request.param]
    module = None
    if members is not None:
        module = types.ModuleType("sksparse")
        module.cholmod = types.SimpleNamespace(**members)
    monkeypatch.setitem(sys.modules, "sksparse", module)  # None makes the import fail
    return request.param


def test_every_interface_solves(system, interface):
    S, y = system
    assert (cholmod_factor(S) is None) == (interface == "none")
    assert np.allclose(S @ positive_definite_solver(S)(y), y)


def test_smac_is_the_same_with_every_interface(interface):
    K = np.random.default_rng(1).random((36, 36))
    assert gm.gm_solve(K, "smac").value == pytest.approx(20.21435644274209)


def test_the_real_cholmod_agrees_with_superlu(system, monkeypatch):
    pytest.importorskip("sksparse.cholmod")
    S, y = system
    with_cholmod = positive_definite_solver(S)(y)
    monkeypatch.setattr("gmtoolbox.engine.linalg.cholmod_factor", lambda S: None)
    assert np.allclose(with_cholmod, positive_definite_solver(S)(y), rtol=1e-12, atol=1e-12)


def with_conflicts(rng):
    """Edges between any two candidates, conflicting ones too; some costs 0."""
    a, b = np.nonzero(np.triu(rng.random((12, 12)) < 0.5, 1))
    cost, edge_cost = (np.where(rng.random(n) < 0.2, 0.0, rng.normal(size=n)) for n in (12, len(a)))
    return Problem(
        (3, 4), np.tile(np.arange(3), 4), np.repeat(np.arange(4), 3), cost, a, b, edge_cost
    )


def test_affinity_multiplies_like_the_matrix():
    rng = np.random.default_rng(4)
    for _ in range(20):
        problem, x = with_conflicts(rng), rng.normal(size=12)
        W, K = affinity(problem), problem.reducedK
        assert (W @ x).tolist() == (
            -K @ x
        ).tolist()  # to the last bit: the order of the additions is the same
        assert (
            W.sum() == pytest.approx(-K.sum(), rel=1e-12)
            and W.row_sums().tolist() == (-K @ np.ones(12)).tolist()
        )
        W *= 0.3
        assert (W @ x).tolist() == ((-K * 0.3) @ x).tolist()


def test_affinity_without_conflicts():
    problem = with_conflicts(np.random.default_rng(5))
    same = (problem.left[:, None] == problem.left) | (problem.right[:, None] == problem.right)
    K = problem.reducedK.toarray()
    K[same & ~np.eye(12, dtype=bool)] = 0.0
    x = np.random.default_rng(6).normal(size=12)
    assert np.allclose(Affinity(problem, compatible=True) @ x, -K @ x, rtol=1e-14)
    assert not np.allclose(Affinity(problem) @ x, -K @ x)


def test_largest_matching():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, *rng.integers(1, 7, 2).tolist(), density=0.25, edges=0.0)
        most = max(sum(s >= 0 for s in labels) for labels in matchings(problem))
        assert linalg.largest_matching(problem) == most


def test_eigenpairs_are_the_same_every_time():
    """The start is an eigenvector itself: ARPACK goes on with vectors of its own choice."""
    n = 60
    i = np.arange(n)
    cycle = (abs(i[:, None] - i) % (n - 2) == 1).astype(float)
    first, second = (eigenpairs(cycle, np.ones(n), k=3, which="LA", ncv=6)[1] for _ in range(2))
    if "rng" in inspect.signature(eigsh).parameters:  # older ones go on from call to call
        assert np.array_equal(first, second)
    assert np.abs(first[:, -1]) == pytest.approx(1 / np.sqrt(n))


def test_filled_up_keeps_labels_where_it_can():
    everything = gm.Problem.from_matrix(np.zeros((12, 12)), shape=(3, 4))
    assert linalg.fill_up(everything, [-1, 0, -1]).tolist() == [1, 0, 2]
    assert linalg.fill_up(everything, [3, 0, 1]).tolist() == [3, 0, 1]
    tall = gm.Problem.from_matrix(np.zeros((12, 12)), shape=(4, 3))
    assert sorted(linalg.fill_up(tall, [-1, 2, -1, -1]).tolist()) == [-1, 0, 1, 2]
    left, right = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2]
    some = gm.Problem((3, 3), left, right, np.zeros(5), complete=True)
    assert linalg.fill_up(some, [0, -1, -1]).tolist() == [0, 1, 2]  # node 0 keeps its label
    assert linalg.fill_up(some, [1, -1, -1]).tolist() == [0, 1, 2]  # here it cannot


def test_an_assignment_ends_with_the_budget():
    start, col = np.arange(0, 60, 10), np.tile(np.arange(10), 5)
    lap, cost = linalg.Lap(5, 10, start, col), np.random.default_rng(0).normal(size=50)
    free = lap.solve(cost)
    with pytest.raises(OutOfTime):
        over = Budget()
        over.stop.set()
        linalg.Lap(500, 500, np.arange(0, 250_001, 500), np.tile(np.arange(500), 500)).solve(
            np.random.default_rng(0).normal(size=250_000), budget=over
        )
    assert over.stopped == "interrupted"
    assert lap.solve(cost, budget=Budget()).tolist() == free.tolist()
    assert lap.solve(cost).tolist() == free.tolist()  # without a budget no earlier one counts
