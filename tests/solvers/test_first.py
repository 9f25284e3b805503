"""A first matching before any table is made: of every kind of problem, and told at once."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from small import gallery, random_problem

import gmtoolbox as gm
from gmtoolbox.solvers import _first
from gmtoolbox.solvers._matrices import Affinity


@pytest.mark.parametrize("name", gallery())
def test_is_a_matching(name):
    problem = gallery()[name][0].as_costs()
    if problem.shape[0] > problem.shape[1]:
        return  # auto sees the smaller side on the left
    for labels in _first.first_matchings(problem):
        assert not problem.complete or problem.is_complete_matching(labels)
        cost = problem.total_cost(labels)  # also checks one-to-one and allowed pairs
        assert problem.complete or cost <= problem.offset


def test_looks_at_edges():
    """Unary costs that say nothing: the edges alone lead to the truth."""
    n = 30
    left, right = np.divmod(np.arange(n * n), n)
    truth = np.arange(n) * n + np.arange(n)
    problem = gm.Problem(
        (n, n), left, right, np.zeros(n * n), a=truth[:-1], b=truth[1:], edge_cost=-np.ones(n - 1)
    )
    *_, by_edges = _first.first_matchings(problem)
    assert np.array_equal(by_edges, np.arange(n))


def test_the_last_is_the_cheapest_assignment_on_the_gradient_at_the_centre():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 5, 6, density=1.0, edges=0.4, complete=True).as_costs()
        x = 1.0 / np.bincount(problem.left, minlength=5)[problem.left]
        gradient = problem.scatter(problem.cost + 2.0 * problem.edges.product(x))
        *_, labels = _first.first_matchings(problem)
        rows, columns = linear_sum_assignment(gradient)
        least = gradient[rows, columns].sum()
        assert gradient[np.arange(5), labels].sum() == pytest.approx(least)


def test_auto_tells_it_first(monkeypatch):
    monkeypatch.setattr(_first, "LARGE", 0)
    problem = random_problem(np.random.default_rng(0), 8, 8, density=0.6, edges=0.2)
    first, *others = map(problem.total_cost, _first.first_matchings(problem))
    r = gm.gm_solve(problem, time_limit=10.0)
    assert r.trace["value"][0] == pytest.approx(first) and r.value <= min(others)
    assert r.status == "optimal"


def test_pairs_that_do_not_pay_are_left_out():
    """Every node saves 1 by itself; two of them lose 5 together."""
    k = np.arange(6)
    problem = gm.Problem((6, 6), k, k, -np.ones(6), a=[0], b=[1], edge_cost=[5.0])
    labels = _first.prune_labels(problem, k.astype(np.int32), Affinity(problem).start)
    assert problem.total_cost(labels) == -5.0
