"""Local search by swaps: what it believes is what the problem says, in both kernels."""

import numpy as np
import pytest
from products import random_products
from small import brute_force

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _swaps
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._starts import first_labels


@pytest.mark.parametrize("kernel", ["qap", "align"])
@pytest.mark.parametrize("complete", [True, False])
def test_small_problems_are_solved(kernel, complete, monkeypatch):
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: kernel)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = random_products(
            rng, 4, 5, "affinity", complete=complete, unary=bool(seed % 2), sparse=True
        ).as_costs()
        factors = QapFactors(problem)
        budget = Budget(time_limit=5.0, seed=seed)
        outcome = _swaps.search(factors, budget, first_labels(factors), maxiter=3000)
        assert outcome.extra == {"kernel": kernel}
        assert problem.total_cost(outcome.labels) == pytest.approx(brute_force(problem))


def test_a_bound_that_is_met_ends_it():
    problem = random_products(np.random.default_rng(1), 5, 5).as_costs()
    factors, optimum = QapFactors(problem), brute_force(problem)
    outcome = _swaps.search(
        factors, Budget(time_limit=5.0), first_labels(factors), bound=optimum, maxiter=100_000
    )
    assert outcome.bound == pytest.approx(optimum) and outcome.n_iter < 100_000


def test_which_kernel():
    small = QapFactors(random_products(np.random.default_rng(2), 5, 5).as_costs())
    assert _swaps.kernel_for(small) == "qap"
    ring = np.roll(np.eye(300), 1, axis=1)
    sparse = QapFactors(gm.models.from_graphs(ring + ring.T, ring + ring.T).as_costs())
    assert _swaps.kernel_for(sparse) == "align"
    dense = QapFactors(random_products(np.random.default_rng(3), 120, 120).as_costs())
    assert _swaps.kernel_for(dense) == "qap" and _swaps.kernel_for(dense, memory=1e-6) == "align"
