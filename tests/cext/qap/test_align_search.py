"""qap/align_search: sparse graphs are aligned; seeds and slices change nothing else."""

import numpy as np
import pytest
import scipy.sparse as sp
from products import random_products
from small import brute_force, same_in_slices

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _swaps
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._starts import first_labels


def run(problem, monkeypatch, maxiter=2000, seed=0):
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: "align")
    factors = QapFactors(problem)
    budget = Budget(time_limit=20.0, seed=seed)
    return _swaps.search(factors, budget, first_labels(factors), maxiter=maxiter)


@pytest.mark.parametrize("rest", [{}, {"forbidden": 0.3}, {"unary": True}, {"complete": False}])
def test_small_problems(rest, monkeypatch):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        problem = random_products(rng, 5, 6, "affinity", sparse=True, **rest).as_costs()
        found = run(problem, monkeypatch)
        assert problem.total_cost(found.labels) == pytest.approx(brute_force(problem))


def test_a_permuted_tree_is_recognised(monkeypatch):
    n = 15
    tree = np.zeros((n, n))
    for i in range(1, n):
        tree[i, (i - 1) // 2] = tree[(i - 1) // 2, i] = 1.0
    order = np.random.default_rng(0).permutation(n)
    other = np.zeros((n, n))
    other[np.ix_(order, order)] = tree
    problem = gm.models.from_graphs(tree, other).as_costs()
    found = run(problem, monkeypatch, maxiter=20_000)
    assert problem.total_cost(found.labels) == problem.total_cost(order)


def test_the_seed_decides_not_the_clock(monkeypatch):
    problem = random_products(np.random.default_rng(3), 12, 12, "affinity", density=0.3).as_costs()
    same_in_slices(monkeypatch, lambda: run(problem, monkeypatch, maxiter=500, seed=5))


def test_rounding_errors_of_swaps_do_not_add_up(monkeypatch):
    monkeypatch.setattr(_swaps, "kernel_for", lambda factors, memory: "align")
    for seed in range(3):
        rng, n = np.random.default_rng(seed), 30

        def matrix(rng=rng, n=n):
            M = sp.random_array((n, n), density=0.1, rng=rng, format="csr")
            M.data *= 10.0 ** rng.uniform(-3, 3, len(M.data))
            return M + M.T

        problem = gm.models.from_koopmans_beckmann(matrix(), matrix(), sense="max").as_costs()
        budget = Budget(time_limit=20.0)
        _swaps.search(QapFactors(problem), budget, np.arange(n), maxiter=5000)
        exact = problem.total_cost(budget.incumbent.labels)
        assert budget.incumbent.cost == pytest.approx(exact, rel=1e-15, abs=0)


def test_fixed_nodes_keep_their_labels():
    """The others find the best matching that has these labels."""
    for seed in range(5):
        rng, n = np.random.default_rng(seed), 6
        problem = random_products(rng, n, n, "affinity", sparse=True).as_costs()
        init, fixed = rng.permutation(n), np.arange(n) < 2
        found = _swaps.search(
            QapFactors(problem), Budget(time_limit=20.0), init, maxiter=2000, fixed=fixed
        )
        assert np.array_equal(found.labels[fixed], init[fixed])
        pairs = [(i, int(init[i])) for i in range(2)]
        assert problem.total_cost(found.labels) == pytest.approx(
            brute_force(problem.fix(pairs).problem)
        )
    found = _swaps.search(
        QapFactors(problem), Budget(time_limit=20.0), init, maxiter=50, fixed=np.ones(n, bool)
    )
    assert found.labels.tolist() == init.tolist()
