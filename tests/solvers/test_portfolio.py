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
from gmtoolbox.solvers import _cheap_starts
from gmtoolbox.solvers._exact import Exact
from gmtoolbox.solvers._portfolio import Portfolio, solve_products


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


@pytest.mark.long
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


def groups(n, seed):
    """(A, B, truth): dense groups of 20 nodes with few links between them; B lacks a twentieth."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, n, (2, 12 * n))
    near = i // 20 * 20 + rng.integers(0, 20, len(i))
    j = np.where(rng.random(len(i)) < 0.95, near, j)
    once = np.unique(np.sort([i, j], axis=0)[:, (i != j) & (j < n)], axis=1)
    truth = rng.permutation(n)
    copy = truth[once[:, rng.random(once.shape[1]) < 0.95]]
    A, B = (sparse.coo_array((np.ones(ends.shape[1]), ends), shape=(n, n)) for ends in (once, copy))
    return sparse.csr_array(A + A.T), sparse.csr_array(B + B.T), truth


def names_of(r):
    """The steps of a portfolio, without bounds."""
    return [name for name, *_ in r.extra["ran"] if not name.startswith("bound")]


@pytest.mark.parametrize("kept_sparse", [False, True])
def test_seeds_begin_with_neighbourhoods_where_spectra_take_too_long(kept_sparse, monkeypatch):
    """Spectra would say less and take longer: with 1 % of the nodes known, nothing else runs."""
    if kept_sparse:
        monkeypatch.setattr(sys.modules["gmtoolbox.solvers.faq"], "SPARSE_PAIRS", 1000)
    monkeypatch.setattr(_cheap_starts, "grampa_seconds", lambda factors: 1e9)
    A, B, truth = groups(300, 1)
    p = gm.models.from_graphs(A, B, seeds=[(i, int(truth[i])) for i in (0, 100, 200)])
    r = gm.gm_solve(p, time_limit=1e6)  # finite: else every step can be afforded
    assert r.value == p.energy(truth) and r.labels[100] == truth[100]
    names = names_of(r)
    assert not any("grampa" in name or name == "faq" for name in names)
    assert names[1] == ("neighbours + faq" if kept_sparse else "local search (align)")


def test_noise_is_improved_by_swaps_before_its_nodes_are_matched_again(monkeypatch):
    """Almost all labels are wrong without a start: other nodes cannot be matched by them."""
    monkeypatch.setattr(_cheap_starts, "grampa_seconds", lambda factors: 1e9)
    monkeypatch.setattr(_cheap_starts, "affords_neighbours", lambda *given: False)
    A, B, _ = groups(300, 2)
    r = gm.gm_solve(gm.models.from_graphs(A, B), time_limit=1e6, maxiter=5000)
    assert names_of(r)[:2] == ["order of sums", "local search (align)"]


def ring(n, seed):
    """A dense QAP that is not proven: flows of a wide range, places around a cycle."""
    rng, at = np.random.default_rng(seed), np.arange(n)
    flow = np.triu(np.floor(10.0 ** (3 * rng.random((n, n)))), 1)
    steps = (at[:, None] - at) % n
    apart = np.minimum(steps, n - steps).astype(float)
    return gm.models.from_koopmans_beckmann(flow + flow.T, apart)


@pytest.mark.long
def test_a_search_that_ended_by_itself_is_confirmed_by_another_one():
    p = ring(42, 1)
    r = gm.gm_solve(p, time_limit=100)
    searches = [cost for name, _, cost in r.extra["ran"] if name == "local search (qap)"]
    assert r.status == "converged" and len(searches) >= 2
    assert searches[-1] in searches[:-1] and r.value == min(searches)
    unlimited = gm.gm_solve(p)
    assert sum(row[0] == "local search (qap)" for row in unlimited.extra["ran"]) == 1


def test_searches_from_random_matchings_keep_to_maxiter():
    r = gm.gm_solve(ring(42, 2), time_limit=100, maxiter=4000)
    assert r.status == "iteration_limit"
    assert sum(row[0] == "local search (qap)" for row in r.extra["ran"]) == 1
