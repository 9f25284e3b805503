"""faq: every step a doubly stochastic point, no value worse than the start's rounding."""

import numpy as np
import pytest
from products import random_products
from small import brute_force

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers.faq import Best, Pairs, descend


@pytest.mark.parametrize("complete", [True, False])
def test_points_stay_doubly_stochastic(complete):
    problem = random_products(np.random.default_rng(0), 5, 5, complete=complete).as_costs()
    space = Pairs(problem)
    labels, vertex = space.vertex(np.arange(problem.n_candidates, dtype=float) - 12.0)
    assert np.array_equal(vertex, space.indicator(labels))
    for point in (space.centre(), vertex):
        rows = np.bincount(problem.left, point, minlength=5)
        columns = np.bincount(problem.right, point, minlength=5)
        assert np.all(point >= 0) and np.all(rows <= 1 + 1e-9) and np.all(columns <= 1 + 1e-9)
        assert not complete or np.allclose(rows, 1.0)


def test_the_product_is_half_of_the_gradient():
    problem = random_products(np.random.default_rng(1), 4, 4, symmetric=False).as_costs()
    space, rng = Pairs(problem), np.random.default_rng(2)
    x, y = rng.random((2, problem.n_candidates))

    def energy(z):
        return float(z @ space.product(z))

    middle = energy(0.5 * (x + y))
    parallelogram = 0.5 * energy(x) + 0.5 * energy(y) - 0.25 * energy(x - y)
    assert middle == pytest.approx(parallelogram)
    labels = np.array([2, 0, 3, 1])
    z = space.indicator(labels)
    assert energy(z) + problem.cost @ z + problem.offset == pytest.approx(problem.energy(labels))


def test_a_descent_never_ends_above_its_start():
    for seed in range(5):
        problem = random_products(np.random.default_rng(seed), 6, 6, "affinity").as_costs()
        space, budget = Pairs(problem), Budget(time_limit=5.0)
        best = Best(problem, budget)
        start = np.roll(np.arange(6), seed)
        best.offer(start)
        descend(space, space.indicator(start), budget, best, "assignment", 20, 1e-6)
        assert problem.total_cost(best.labels) <= problem.total_cost(start)


def test_small_problems():
    reached = 0
    for seed in range(8):
        problem = random_products(np.random.default_rng(seed), 5, 5, "affinity")
        r = gm.gm_solve(problem, "faq", seed=0)
        cost, optimum = problem.signed(r.value), brute_force(problem.as_costs())
        assert cost >= optimum - 1e-9
        reached += cost == pytest.approx(optimum)
    assert reached >= 4
