"""qap/search: known optima, forbidden pairs, and one sequence for each seed."""

import numpy as np
import pytest
from products import random_products
from small import brute_force, same_in_slices

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _swaps
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._starts import first_labels


def run(problem, maxiter=800, seed=0, **rest):
    factors = QapFactors(problem)
    return _swaps.search(
        factors, Budget(time_limit=20.0, seed=seed), first_labels(factors), maxiter=maxiter, **rest
    )


@pytest.mark.parametrize("kind", ["cost", "affinity", "mixed"])
@pytest.mark.parametrize("rest", [{}, {"forbidden": 0.3}, {"symmetric": False, "unary": True}])
def test_small_problems(kind, rest):
    for seed in range(3):
        problem = random_products(np.random.default_rng(seed), 6, 6, kind, **rest).as_costs()
        found = run(problem, seed=seed)
        assert found.extra["kernel"] == "qap"
        assert problem.total_cost(found.labels) == pytest.approx(brute_force(problem))


def test_the_seed_decides_not_the_clock(monkeypatch):
    problem = random_products(np.random.default_rng(3), 14, 14).as_costs()
    same_in_slices(monkeypatch, lambda: run(problem, maxiter=30, seed=5))


def test_patience_ends_it():
    problem = random_products(np.random.default_rng(4), 5, 5).as_costs()
    found = run(problem, maxiter=100_000, patience=20)
    assert found.n_iter < 5000
    assert problem.total_cost(found.labels) == pytest.approx(brute_force(problem))


def test_rounding_is_not_success():
    """Sums of real numbers differ in their last digit from visit to visit of one matching: where
    that counted as a better one, nothing ended the search.
    """
    for n in (6, 7, 8):
        for seed in range(3):
            A, B = np.random.default_rng(seed).normal(size=(2, n, n))
            problem = gm.models.from_koopmans_beckmann(A, B).as_costs()
            found = run(problem, maxiter=100_000, patience=500)
            assert found.status == "converged" and found.n_iter < 30_000
            assert problem.total_cost(found.labels) == pytest.approx(
                gm.gm_solve(problem, "aj").value
            )


def test_costs_that_cancel():
    """All matchings cost 0 up to rounding."""
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, 8, 8))
    problem = gm.models.from_koopmans_beckmann(A - A.T, B + B.T).as_costs()
    found = run(problem, maxiter=100_000, patience=20)
    assert found.status == "converged" and found.n_iter < 5000


def grid(rows, columns, seed):
    """Flows between the neighbours of a grid, distance 1 between its neighbours and more elsewhere:
    the optimum is the sum of the flows, which few swaps lead to.
    """
    rng, n = np.random.default_rng(seed), rows * columns
    row, column = np.divmod(np.arange(n), columns)
    near = np.abs(row[:, None] - row) + np.abs(column[:, None] - column) == 1
    flow, distance = (np.triu(rng.integers(2, 11, (n, n)), 1) for _ in range(2))
    flow, distance = np.where(near, flow + flow.T, 0), np.where(near, 1, distance + distance.T)
    hidden = rng.permutation(n)
    return flow[np.ix_(hidden, hidden)], distance, flow.sum()


@pytest.mark.parametrize("is_swapped", [False, True])
def test_grids(is_swapped):
    """Swaps alone end 50 % above the optimum here; beams find it."""
    for seed in range(2):
        flow, distance, best = grid(6, 7, seed)
        pair = (distance, flow) if is_swapped else (flow, distance)
        problem = gm.models.from_koopmans_beckmann(*pair).as_costs()
        found = run(problem, maxiter=20_000, seed=seed)
        assert problem.total_cost(found.labels) == best


def test_beams_do_not_follow_the_clock(monkeypatch):
    problem = gm.models.from_koopmans_beckmann(*grid(4, 5, 0)[:2]).as_costs()
    same_in_slices(monkeypatch, lambda: run(problem, maxiter=150, seed=5))
