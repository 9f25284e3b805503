"""What auto does with two matrices: who ran, what was proven, and that limits end it."""

import math
import sys

import numpy as np
import pytest
from products import random_products
from scipy import sparse
from small import brute_force

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import Outcome
from gmtoolbox.solvers._exact import Exact
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._forced import without_forced
from gmtoolbox.solvers._neighbours import neighbour_point
from gmtoolbox.solvers._portfolio import Portfolio, cheap_starts, solve_products
from gmtoolbox.solvers._starts import best_assignment


def test_offers_keep_the_best():
    problem = random_products(np.random.default_rng(0), 4, 4).as_costs()
    state = Portfolio(problem, Budget(time_limit=5.0))
    costs = []
    for labels in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]):
        state.offer(np.array(labels), "someone")
        costs.append(problem.total_cost(np.array(labels)))
        assert state.cost == min(costs) == problem.total_cost(state.labels)
    assert [name for name, *_ in state.outcome().extra["ran"]] == ["someone"] * 3


def test_outcomes_of_others_are_taken():
    problem = random_products(np.random.default_rng(0), 4, 4).as_costs()
    state = Portfolio(problem, Budget(time_limit=5.0))
    state.take(Outcome(labels=np.arange(4), bound=-3.0, n_iter=7), "one")
    state.take(Outcome(bound=-5.0, n_iter=2), "another")
    assert state.bound == -3.0 and state.n_iter == 9 and state.labels.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("complete", [True, False])
def test_small_problems_are_solved_without_the_exact_method(complete):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        problem = random_products(rng, 5, 5, "affinity", complete=complete).as_costs()
        outcome = solve_products(problem, Budget(time_limit=5.0, seed=0), None, None, 5000)
        optimum = brute_force(problem)
        assert problem.total_cost(outcome.labels) == pytest.approx(optimum)
        assert outcome.bound <= optimum + 1e-9
        ran = [name for name, *_ in outcome.extra["ran"]]
        assert ran[0] == "order of sums" and "short local search" in ran


@pytest.mark.parametrize("proves", [1, 2])
def test_the_exact_method_gets_the_best_so_far(proves):
    problem = random_products(np.random.default_rng(7), 5, 5).as_costs()
    given, optimum = [], brute_force(problem)

    def run(budget, init, maxiter):
        given.append(problem.total_cost(init))
        bound = optimum if len(given) == proves else -math.inf
        status = "iteration_limit" if len(given) < proves else "converged"
        return Outcome(labels=init, bound=bound, n_iter=1, status=status)

    exact = Exact(problem, run, lambda problem: 600, 1000, 10**6)
    outcome = solve_products(problem, Budget(time_limit=10.0, seed=0), None, exact, 10**6)
    assert given == [pytest.approx(optimum)] * proves and outcome.bound == optimum
    names = [name for name, *_ in outcome.extra["ran"]]
    assert names.index("short local search") < names.index("aj, first attempt")
    assert proves == 1 or names[-2:] == ["local search (qap)", "aj"]


def test_without_time_there_is_still_an_answer():
    problem = random_products(np.random.default_rng(8), 6, 6).as_costs()
    outcome = solve_products(problem, Budget(time_limit=1e-9), None, None, 100)
    assert problem.is_complete_matching(outcome.labels) and outcome.bound == -math.inf


def test_points_that_are_kept_sparse_leave_the_noise_too(monkeypatch):
    """The same steps at a size from which points are kept sparse, here made smaller."""
    monkeypatch.setattr(sys.modules["gmtoolbox.solvers.faq"], "SPARSE_PAIRS", 1000)
    rng = np.random.default_rng(2)
    n, p, e = 150, 0.1, 0.2
    W, N1, N2 = (np.triu(rng.random((n, n)) < q, 1) for q in (p, e, p * e / (1 - p)))
    truth, (i, j) = rng.permutation(n), np.nonzero((W & ~N1) | (~W & N2))
    A, B = (
        sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
        for i, j in (np.nonzero(W), (truth[i], truth[j]))
    )
    A, B = A + A.T, B + B.T
    r = gm.gm_solve(gm.models.from_graphs(A, B), maxiter=2000)
    names = [name for name, *_ in r.extra["ran"]]
    assert "faq" in names and any("convex" in name or "neighbours" in name for name in names)
    assert r.value >= A.multiply(B[truth][:, truth]).sum()


def test_seeds_join_the_start_that_a_search_without_them_has():
    """auto starts with the seeds, then as if none were given."""
    rng = np.random.default_rng(2)
    A = np.triu(rng.random((120, 120)) < 0.05, 1).astype(float)
    order = rng.permutation(120)
    A, seeds = A + A.T, [(0, int(np.flatnonzero(order == 0)[0]))]
    noisy = A * (1 - (lambda M: M + M.T)(np.triu(rng.random(A.shape) < 0.5, 1)))
    extra = np.triu(rng.random(A.shape) < 0.03, 1)
    noisy = np.maximum(noisy, extra + extra.T)  # else the seeds alone lead to the best matching
    p = gm.models.from_graphs(A, noisy[np.ix_(order, order)], seeds=seeds)
    r = gm.gm_solve(p, maxiter=100)
    assert "grampa + faq, without seeds" in [name for name, *_ in r.extra["ran"]]
    assert r.labels[0] == seeds[0][1] and r.value == p.energy(r.labels)


def test_seeds_lead_the_start_from_neighbourhoods():
    """Groups of 20 nodes look alike: two seeds distinguish theirs."""
    rng = np.random.default_rng(1)
    n, group = 240, np.arange(240) // 20
    i, j = rng.integers(0, n, (2, 12 * n))
    j = np.where(rng.random(len(i)) < 0.95, 20 * group[i] + rng.integers(0, 20, len(i)), j)
    A = sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    A = sparse.csr_array(((A + A.T) > 0).astype(float))
    A.setdiag(0)
    kept, truth = sparse.triu(A).tocoo(), rng.permutation(n)
    stays = rng.random(kept.nnz) < 0.9
    ends = np.column_stack([truth[kept.row[stays]], truth[kept.col[stays]]])
    ends = np.concatenate([ends, rng.integers(0, n, (np.count_nonzero(~stays), 2))])
    B = sparse.csr_array((np.ones(len(ends)), ends.T), shape=(n, n))
    B = sparse.csr_array(((B + B.T) > 0).astype(float))
    p = gm.models.from_graphs(A, B, seeds=[(i, int(truth[i])) for i in (0, 100)])
    with Budget() as budget:
        rest = without_forced(p, budget, None)
        state = Portfolio(rest.lifted.problem, rest, (), rest)
        starts = cheap_starts(state, memory=8.0)
        next(starts)
        seeded, factors = next(starts), QapFactors(rest.free)
        point = neighbour_point(factors, budget)
        free = rest.impose(best_assignment(factors, point))
    cost = rest.lifted.problem.total_cost
    assert cost(seeded) < cost(free)
