"""smac: what cannot be interrupted is not begun when too little time remains for it."""

import inspect

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers.smac import Constrained, normalised_affinity

PROBLEM = random_problem(np.random.default_rng(3), 12, 15, density=0.7)


class Steps(Budget):
    """Time is over at the n-th look at the clock."""

    def __init__(self, n):
        super().__init__(time_limit=1e6)
        self.n = n

    def elapsed(self):
        self.n -= 1
        return 0.0 if self.n > 0 else 2e6


def prepared(method):
    solver = gm.registry.get_solver(method)
    return solver, gm.transforms.prepare(PROBLEM, solver.needs).problem


@pytest.mark.parametrize("n", range(1, 40))
def test_smac_ends_wherever_time_is_over(n):
    solver, problem = prepared("smac")
    try:
        outcome = solver.function(problem, Steps(n), **solver.check({}))
    except OutOfTime:
        assert n <= 3  # nothing had been computed: the driver finds something greedy
        return
    assert outcome.status == "time_limit" and np.isfinite(outcome.scores).all()


def test_smac_begins_no_decomposition_that_would_end_too_late(monkeypatch):
    monkeypatch.setattr("gmtoolbox.solvers.smac.svd_seconds", lambda shape: 1e9)
    r = gm.gm_solve(PROBLEM, "smac", time_limit=100.0)
    assert r.status == "time_limit" and r.value == PROBLEM.energy(r.labels)
    # without a limit there is always time
    assert gm.gm_solve(PROBLEM, "smac").status == "converged"


def test_scores_of_a_full_problem_are_an_orthogonal_matrix():
    problem = random_problem(
        np.random.default_rng(1), 5, 5, signs="nonpositive", complete=True, edges=0.6
    )
    X = gm.gm_solve(problem, "smac", tol=0.0).scores
    assert np.allclose(X @ X.T, np.eye(5), atol=1e-8)


def test_the_eigenvector_keeps_the_constraints():
    """x is in the space whose row and column sums are all equal."""
    problem = random_problem(
        np.random.default_rng(2), 5, 5, signs="nonpositive", complete=True, density=0.8
    )
    budget = Budget()
    W, space = normalised_affinity(problem, 10, budget), Constrained(problem)
    x, _, _ = space.leading_eigenvector(W, 500, 0.0, budget)
    X = problem.scatter(space.take_stored(x))
    sums = np.concatenate([X.sum(axis=0), X.sum(axis=1)])
    assert np.allclose(sums, sums[0], atol=1e-6)


@pytest.mark.data
def test_a_start_in_an_invariant_subspace_gives_one_answer(data):
    """The grid of nug16a is symmetric: ARPACK goes on with random vectors (engine.linalg)."""
    problem = gm.load(data / "qaplib" / "nug16a.dd.xz")
    first, second = (gm.gm_solve(problem, "smac", maxiter=30) for _ in range(2))
    if "rng" in inspect.signature(eigsh).parameters:
        assert np.array_equal(first.labels, second.labels)
