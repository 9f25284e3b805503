"""The swap kernels: what they believe a matching costs is what it costs, whatever the number of
steps, and they find the optima of small problems.
"""

import math

import numpy as np
import pytest
from products import KINDS, random_products
from small import brute_force, same_in_slices

from gmtoolbox.engine.progress import Budget
from gmtoolbox.models import from_koopmans_beckmann
from gmtoolbox.solvers import _swaps
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._starts import first_labels


@pytest.fixture(params=["qap", "align"])
def kernel(request, monkeypatch):
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: request.param)
    return request.param


def search(problem, maxiter, seed=0, **rest):
    factors = QapFactors(problem)
    with Budget(60.0, seed) as budget:
        return _swaps.search(
            factors, budget, first_labels(factors), maxiter=maxiter, **rest
        ), budget


def draw(seed, **rest):
    rng = np.random.default_rng(seed)
    n1 = int(rng.integers(1, 8))
    n2 = n1 + int(rng.integers(0, 4))
    return random_products(
        rng, n1, n2, KINDS[seed % 3], symmetric=bool(rng.integers(2)), unary=bool(rng.integers(2)),
        density=rng.choice([1.0, 0.4]), sparse=bool(rng.integers(2)), **rest,
    )  # fmt: skip


@pytest.mark.parametrize("rest", [{}, {"forbidden": 0.4}, {"complete": False}])
def test_costs_of_swaps_add_up(kernel, rest):
    for seed in range(18):
        problem = draw(seed, **rest)
        before = math.inf
        for steps in (1, 3, 10, 100):
            outcome, budget = search(problem.as_costs(), steps, seed)
            cost = problem.signed(problem.energy(outcome.labels))
            assert not problem.complete or problem.is_complete_matching(outcome.labels)
            assert cost == pytest.approx(budget.cost, abs=1e-9)
            assert cost <= before + 1e-9
            before = cost


def test_finds_the_optimum_of_small_problems(kernel):
    """Where costs are positive the sparse search, which looks at linked nodes only, may miss it."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = random_products(rng, 6, 6, "affinity", symmetric=seed % 2 == 0, unary=True)
        outcome, _ = search(problem.as_costs(), 3000, seed)
        assert -problem.energy(outcome.labels) == pytest.approx(brute_force(problem))


@pytest.mark.long
@pytest.mark.parametrize("forbidden", [0.0, 0.3])
def test_chains_where_large_entries_dominate(forbidden, monkeypatch):
    """Entries over five magnitudes: stuck chains give way to others, and the optimum is found."""
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: "qap")
    for seed in range(6):
        rng = np.random.default_rng(seed)
        A, B = (10.0 ** rng.uniform(-2, 3, (7, 7)) * (1 - np.eye(7)) for _ in range(2))
        C = np.where(rng.random((7, 7)) < forbidden, np.inf, 0.0)
        np.fill_diagonal(C, 0.0)
        problem = from_koopmans_beckmann(A, B, C)
        outcome, budget = search(problem, 30_000, seed)
        cost = problem.energy(outcome.labels)
        assert cost == pytest.approx(brute_force(problem)) == pytest.approx(budget.cost)


def test_patience_grows_with_the_time_that_success_took(monkeypatch):
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: "qap")
    problem = random_products(np.random.default_rng(2), 25, 25).as_costs()
    outcome, budget = search(problem, 10**9, patience=1)
    assert outcome.status == "converged"
    again, _ = search(problem, outcome.n_iter // 10, patience=1)
    assert again.n_iter == outcome.n_iter // 10  # it had not given up by then
    assert problem.total_cost(again.labels) == budget.cost


def test_a_bound_that_is_met_ends_the_search(kernel):
    problem = random_products(np.random.default_rng(0), 6, 6, "affinity").as_costs()
    outcome, _ = search(problem, 10**9, bound=brute_force(problem))
    assert outcome.status in ("converged", "optimal") and outcome.n_iter < 10**6


def test_same_seed_same_steps_whatever_the_slices(kernel, monkeypatch):
    problem = random_products(np.random.default_rng(1), 30, 30, "affinity", density=0.2).as_costs()
    same_in_slices(monkeypatch, lambda: search(problem, 400, seed=3)[0])
