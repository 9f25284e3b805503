"""Shared costs in the offset: no digit is lost, no optimum changes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from small import brute_force, matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.transforms import HIDING, is_difference, without_shared_costs


def exact_cost(problem, labels):
    chosen = set(problem.candidates_of(np.array(labels)).tolist())
    pairs = zip(problem.a, problem.b, problem.edge_cost, strict=True)
    terms = [Fraction(problem.cost[k]) for k in chosen]
    terms += [Fraction(x) for a, b, x in pairs if int(a) in chosen and int(b) in chosen]
    return sum(terms) + Fraction(problem.offset)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_every_complete_matching_costs_the_same(shape):
    rng = np.random.default_rng(0)
    moved = 0
    for _ in range(20):
        problem = random_problem(rng, *shape, density=0.8, complete=True)
        n1, n2 = shape
        rows, columns = rng.integers(1, 9, n1) * 2.0**30, rng.integers(1, 9, n2) * 2.0**30
        shifted = problem.cost + rows[problem.left] * (n1 <= n2)
        shifted = shifted + columns[problem.right] * (n2 <= n1)
        problem = replace(problem, cost=shifted, offset=0.5)
        found = without_shared_costs(problem)
        moved += found is not problem
        above = {exact_cost(problem, m) - exact_cost(found, m) for m in matchings(problem)}
        assert len(above) == 1, "the same for all matchings, exactly"
        assert 0 <= above.pop() <= 2.0**-15, "the offset is rounded down"
        if found is not problem:
            assert np.abs(found.cost).max() < 2.0**30 or n1 == n2
    assert moved > 15


def test_a_reward_makes_a_partial_problem_complete():
    rng = np.random.default_rng(1)
    for _ in range(10):
        problem = random_problem(rng, 4, 3, edges=0.4)
        rewarded = replace(problem, cost=problem.cost - 2.0**30)
        found = without_shared_costs(rewarded)
        assert found.complete and np.abs(found.cost).max() < 100
        assert brute_force(found) == pytest.approx(brute_force(rewarded))
        r = gm.gm_solve(rewarded)
        assert r.status == "optimal" and r.value == rewarded.energy(r.labels)
        assert exact_cost(rewarded, r.labels) == min(
            exact_cost(rewarded, labels) for labels in matchings(rewarded)
        )
        assert r.bound <= r.value


def test_a_large_positive_edge_keeps_a_problem_partial():
    problem = random_problem(np.random.default_rng(2), 3, 3, edges=1.0)
    edges = np.array(problem.edge_cost)
    edges[0] = 2.0**31
    problem = replace(problem, cost=problem.cost - 2.0**30, edge_cost=edges)
    assert without_shared_costs(problem) is problem
    assert gm.gm_solve(problem).value == pytest.approx(brute_force(problem))


def test_usual_problems_stay_as_they_are():
    rng = np.random.default_rng(3)
    for complete in (False, True):
        problem = random_problem(rng, 5, 5, complete=complete)
        assert without_shared_costs(problem) is problem
    huge = np.array([[1.0, 2.0, 1e12], [3.0, 1.0, 2.0], [1.0, 2.5, 4.0]])
    left, right = np.indices((3, 3)).reshape(2, -1)
    problem = gm.Problem((3, 3), left, right, huge.ravel(), complete=True)
    assert without_shared_costs(problem) is problem, "one large cost is no constant"
    assert HIDING > 1


def test_rounded_differences_are_seen():
    x = np.array([1e16, 3.0, 0.1, 1e300])
    y = np.array([1.5, 1.0, 0.3, 1.0])
    exact = [Fraction(a) - Fraction(b) == Fraction(a - b) for a, b in zip(x, y, strict=True)]
    assert is_difference(x, y, x - y).tolist() == exact
