"""auto: the number that decides, and the choice."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.registry import Outcome
from gmtoolbox.solvers import auto
from gmtoolbox.solvers.auto import most_cells, table_cells


def counted(problem):
    """Entries of the first relaxation, link by link."""
    size = np.bincount(problem.left, minlength=problem.shape[0]) + (not problem.complete)
    links = {}
    for a, b, cost in zip(problem.a, problem.b, problem.edge_cost, strict=True):
        key = frozenset((int(problem.left[a]), int(problem.left[b])))
        links.setdefault(key, []).append(cost)
    total = 0
    for key, costs in links.items():
        i, j = (*key,) if len(key) == 2 else (*key, *key)
        full = len(key) == 2 and max(costs) > 0
        total += size[i] * size[j] if full else len(costs)
    return total


def test_cells_are_counted_link_by_link():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        signs = ["any", "nonpositive", "positive"][seed % 3]
        problem = random_problem(
            rng, 4, 5, density=0.7, edges=0.3, signs=signs, complete=seed % 2 == 0
        )
        assert table_cells(problem) == counted(problem)


def test_the_size_decides_and_the_choice_is_told():
    problem = random_problem(np.random.default_rng(0), 4, 4)
    small, large = gm.gm_solve(problem), gm.gm_solve(problem, cells=0, maxiter=5)
    assert small.options["run"] == "aj" and large.options["run"] == "fm-bca"
    assert table_cells(problem) <= small.extra["cells"] == most_cells(problem)
    again = gm.gm_solve(problem, "auto", **small.options)
    assert again.labels.tolist() == small.labels.tolist() and again.options == small.options


def test_only_a_time_limit_lifts_the_limit_of_iterations(monkeypatch):
    seen = []

    def watch(problem, budget, init, exact, maxiter, *_):
        seen.append(maxiter)
        return Outcome(labels=np.arange(9))

    monkeypatch.setattr(auto, "solve_products", watch)
    problem = gm.models.from_koopmans_beckmann(*np.random.default_rng(0).random((2, 9, 9)))
    for given in ({}, {"maxiter": 7}, {"time_limit": 9.0, "maxiter": 7}, {"time_limit": 9.0}):
        gm.gm_solve(problem, **given)
    assert seen == [auto.MAXITER, 7, 7, auto.MOST_ITERATIONS]


def copies(n, n_seeds, seed):
    """(problem of a random graph and a permuted copy with true seeds, its number of edges)"""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < 0.4, 1).astype(float)
    A, truth = A + A.T, rng.permutation(n)
    B = np.zeros((n, n))
    B[np.ix_(truth, truth)] = A
    seeds = [(int(i), int(truth[i])) for i in rng.permutation(n)[:n_seeds]]
    return gm.models.from_graphs(A, B, seeds=seeds or None), A.sum()


@pytest.mark.parametrize(
    ("n", "n_seeds"), [(6, 0), (6, 2), (6, 3), (6, 4), (6, 5), (6, 6), (20, 2), (20, 17), (20, 18)]
)
def test_true_seeds_lose_nothing(n, n_seeds):
    for seed in range(20):
        problem, edges = copies(n, n_seeds, seed)
        r = gm.gm_solve(problem)
        assert r.status == "optimal" and r.value == problem.energy(r.labels) == edges
