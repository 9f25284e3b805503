"""Restrictions around a matching: true costs, better matchings, and no bounds from them."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from products import random_products

import gmtoolbox as gm
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _portfolio, _restriction
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._portfolio import Portfolio, exactly, solve_products
from gmtoolbox.solvers._restriction import Restrictions, least_of_rows, restrict_around


def sparse_pair(n, degree, kept, seed):
    """(problem, truth) of two sparse graphs that keep a share of the same edges."""
    rng = np.random.default_rng(seed)
    i, j = np.nonzero(np.triu(rng.random((n, n)) < degree / n, 1))
    truth, sides = rng.permutation(n), []
    for place in (np.arange(n), truth):
        stays = rng.random(len(i)) < kept
        M = sp.csr_array((np.ones(stays.sum()), (place[i[stays]], place[j[stays]])), shape=(n, n))
        sides.append(sp.csr_array(M + M.T))
    return gm.models.from_graphs(*sides).as_costs(), truth.astype(np.int32)


def with_exchanges(labels, k, rng):
    """Labels after k exchanges of two nodes."""
    labels = labels.copy()
    for _ in range(k):
        i, j = rng.choice(len(labels), 2, replace=False)
        labels[[i, j]] = labels[[j, i]]
    return labels


@pytest.mark.parametrize("complete", [True, False])
def test_matchings_cost_what_they_cost_in_the_whole_problem(complete):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        problem = random_products(
            rng, 5, 6, "mixed", complete=complete, unary=bool(seed % 2),
            forbidden=0.2 * (seed % 3), symmetric=seed % 4 > 0,
        ).as_costs()  # fmt: skip
        factors = QapFactors(problem)
        factors.A, factors.B = sp.csr_array(factors.A), sp.csr_array(factors.B)
        labels = gm.gm_solve(problem, "fm", maxiter=3).labels
        part = restrict_around(factors, labels, 3, np.random.default_rng(0))
        assert part.total_cost(labels) == pytest.approx(problem.total_cost(labels))
        found = gm.gm_solve(part, "fm", maxiter=50).labels
        assert part.total_cost(found) == pytest.approx(problem.total_cost(found))


def test_least_of_rows_takes_any_of_equal_ones():
    M = sp.csr_array(np.array([[3.0, 1.0, 2.0, 0.0], [5.0, 5.0, 5.0, 5.0]]))
    seen = set()
    for seed in range(40):
        row, column = least_of_rows(M, 2, np.random.default_rng(seed))
        assert row.tolist() == [0, 0, 1, 1] and sorted(column[:2]) == [1, 2]
        seen.update(column[2:].tolist())
    assert seen == {0, 1, 2, 3}


def test_what_was_exchanged_is_put_right_at_once():
    """Twelve exchanges away from the best matching, of which none shares an edge with another."""
    problem, truth = sparse_pair(120, 8, 0.95, 0)
    start = with_exchanges(truth, 12, np.random.default_rng(1))
    budget = Budget(time_limit=60.0, seed=0)
    state = Portfolio(problem, budget)
    state.offer(start, "start")
    assert Restrictions(state, exactly).improve()
    assert state.cost <= problem.total_cost(truth) < problem.total_cost(start)
    assert state.bound == budget.bound == -math.inf  # what a restriction proves holds in it only


def test_what_is_too_large_is_left_alone(monkeypatch):
    problem, truth = sparse_pair(60, 6, 0.9, 2)
    for name in ("MOST_PAIRS", "MOST_EDGES"):
        with monkeypatch.context() as patch:
            patch.setattr(_restriction, name, 0)
            assert restrict_around(QapFactors(problem), truth, 4, np.random.default_rng(0)) is None
            state = Portfolio(problem, Budget(time_limit=5.0))
            state.offer(truth, "start")
            assert not Restrictions(state, exactly).improve() and len(state.ran) == 1


@pytest.mark.long
def test_another_start_where_the_first_misleads(monkeypatch):
    """Without the spectral starts local search is stuck at two thirds of the common edges."""
    monkeypatch.setattr(_portfolio, "spectral_starts", lambda state, maxiter, memory: None)
    monkeypatch.setattr(_portfolio, "FIRST_PATIENCE", 2000)
    problem, truth = sparse_pair(150, 5, 0.85, 4)
    best = problem.total_cost(truth)
    outcome = solve_products(problem, Budget(time_limit=100.0, seed=0), None, None, 40_000)
    names = [name for name, *_ in outcome.extra["ran"]]
    restriction, other = (
        names.index("restriction to 4 labels a node"),
        names.index("grampa, bandwidth 0.5"),
    )
    stuck = min(cost for name, _, cost in outcome.extra["ran"][:other] if "bound" not in name)
    assert restriction < other and stuck > 0.8 * best  # costs are below 0
    assert problem.total_cost(outcome.labels) <= best and outcome.bound <= best


@pytest.mark.long
def test_the_seed_decides(monkeypatch):
    monkeypatch.setattr(_portfolio, "FIRST_PATIENCE", 500)
    monkeypatch.setattr(_portfolio, "START_PATIENCE", 300)
    problem, _ = sparse_pair(110, 4, 0.8, 1)
    budgets = [Budget(seed=3) for _ in range(2)]  # no clock
    runs = [solve_products(problem, budget, None, None, 12_000) for budget in budgets]
    for one, other in zip(*(run.extra["ran"] for run in runs), strict=True):
        assert (one[0], one[2]) == (other[0], other[2])
    assert any("restriction" in name for name, *_ in runs[0].extra["ran"])
    assert any("bandwidth" in name for name, *_ in runs[0].extra["ran"])


def test_what_was_found_stays_where_a_part_has_no_time_to_begin(monkeypatch):
    asked = []

    def without_time(*arguments):
        asked.append(arguments)
        raise OutOfTime

    monkeypatch.setattr(_portfolio, "wide_search", without_time)
    monkeypatch.setattr(_portfolio, "spectral_starts", lambda state, maxiter, memory: None)
    problem, _ = sparse_pair(110, 4, 0.8, 1)
    found = solve_products(problem, Budget(time_limit=60.0, seed=3), None, None, 12_000)
    assert asked and found.labels is not None and found.extra["ran"]
