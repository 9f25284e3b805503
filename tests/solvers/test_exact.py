"""The exact method within the portfolio: when it runs, how long, and that it proves what it can."""

import math

import numpy as np
import pytest
from products import random_products

import gmtoolbox as gm
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._exact import FIRST_SHARE, FIRST_WORK, GRAPH_WORK, LAST_WORK, Exact, share_of
from gmtoolbox.solvers._portfolio import Portfolio

SMALL = random_products(np.random.default_rng(0), 5, 5).as_costs()


class Calls:
    """An exact method that proves nothing and notes what it is given."""

    def __init__(self, problem, cells, maxiter=10**7, most=10**7):
        self.exact = Exact(problem, self, lambda problem: cells, most, maxiter)
        self.steps, self.seconds = [], []

    def __call__(self, budget, init, maxiter):
        self.steps.append(maxiter)
        self.seconds.append(budget.remaining())
        return Outcome(labels=init, n_iter=maxiter, status="iteration_limit")


def state_of(problem, time_limit=None):
    state = Portfolio(problem, Budget(time_limit))
    state.offer(np.arange(problem.shape[0]), "someone")
    return state


def test_the_first_attempt_is_work_not_time():
    calls = Calls(SMALL, 10_000)
    assert not calls.exact.attempt_first(state_of(SMALL))
    assert calls.steps == [FIRST_WORK / 10_000]
    graphs = gm.models.from_graphs(*noisy_graphs(6, 3, 0.1, seed=0)).as_costs()
    calls = Calls(graphs, 10_000)
    calls.exact.attempt_first(state_of(graphs))
    assert calls.steps == [GRAPH_WORK / 10_000]
    calls = Calls(SMALL, 10_000, maxiter=7)
    calls.exact.attempt_first(state_of(SMALL, 10.0))
    assert calls.steps == [7] and calls.seconds[0] <= 10.0 * FIRST_SHARE


@pytest.mark.parametrize(("cells", "most"), [(FIRST_WORK, math.inf), (100, 99)])
def test_no_first_attempt_on_large_tables(cells, most):
    calls = Calls(SMALL, cells, most=most)
    assert not calls.exact.attempt_first(state_of(SMALL)) and not calls.steps


def test_what_has_ended_is_not_begun_again():
    ended = Exact(
        SMALL, lambda *given: Outcome(labels=given[1], status="converged"), lambda _: 1, 9, 9
    )
    assert ended.attempt_first(state_of(SMALL))


def test_a_large_problem_without_a_limit_ends():
    A = np.triu(np.random.default_rng(0).random((50, 50)) < 0.05, 1).astype(float)
    wide = gm.models.from_graphs(A + A.T, A + A.T).as_costs()
    for problem, limit, steps in (
        (wide, None, LAST_WORK / 1000),
        (wide, 10.0, 10**9),
        (SMALL, None, 10**9),
    ):
        calls = Calls(problem, 1000, maxiter=10**9)
        status = calls.exact.attempt_last(state_of(problem, limit))
        assert calls.steps == [steps]
        assert status == ("iteration_limit" if steps == 10**9 else "converged")


def test_products_that_are_too_many_are_not_counted():
    A = np.ones((60, 60))
    wide = gm.models.from_koopmans_beckmann(A, A).as_costs()
    exact = Exact(wide, None, lambda problem: pytest.fail("written out"), math.inf, 1)
    assert exact.cells == math.inf and not exact.fits


def test_a_share_passes_on_matchings_with_their_labels_only():
    budget = Budget(time_limit=100.0)
    budget.tolerance, budget.offset = 1e-3, 7.0
    part = share_of(budget, 0.5)
    assert (part.tolerance, part.offset) == (1e-3, 7.0) and part.seed == budget.seed
    assert 40 < part.time_limit <= 50
    part.record(cost=3.0, labels=np.array([1, 0]), bound=1.0)
    part.record(cost=2.0)
    assert (budget.incumbent.cost, budget.bound) == (3.0, 1.0)
    assert budget.incumbent.labels.tolist() == [1, 0] and budget.cost == 3.0


def noisy_graphs(n, degree, noise, seed):
    """Two sparse graphs, one a permuted copy of the other of which some edges were exchanged."""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < degree / n, 1)
    B = (A & (rng.random((n, n)) > noise)) | np.triu(rng.random((n, n)) < noise * degree / n, 1)
    order = rng.permutation(n)
    permuted = np.zeros((n, n))
    permuted[np.ix_(order, order)] = B | B.T
    return (A | A.T).astype(float), permuted


@pytest.mark.parametrize(("n", "degree"), [(45, 4), (60, 3), (110, 2)])
def test_sparse_graphs_of_any_size_are_proven(n, degree):
    problem = gm.models.from_graphs(*noisy_graphs(n, degree, 0.05, seed=1))
    r = gm.gm_solve(problem)
    exact = gm.gm_solve(problem, "aj")
    assert r.status == exact.status == "optimal" and r.value == exact.value


def test_tiny_problems_with_real_entries_are_proven():
    for n in (2, 4, 5, 6, 7, 8):
        for seed in range(5):
            A, B = np.random.default_rng(seed).normal(size=(2, n, n))
            problem = gm.models.from_koopmans_beckmann(A, B)
            r, exact = gm.gm_solve(problem), gm.gm_solve(problem, "aj")
            assert r.status == exact.status == "optimal"
            assert r.value == pytest.approx(exact.value, rel=1e-12)
            assert r.n_iter <= 3000 + 2 * exact.n_iter
