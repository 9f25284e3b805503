"""multi/multi: the kernel, its bounds and its limits."""

from fractions import Fraction

import pytest
from multi_cases import brute_force, random_multi

import gmtoolbox as gm


@pytest.mark.parametrize("bound", ["pairs", "auto", "cycles", "none"])
def test_every_kind_of_bound(bound):
    for seed in range(4):
        m = random_multi(60 + seed, (2, 3, 2))
        optimum = brute_force(m)
        r = gm.gm_solve_multi(m, bound=bound, maxiter=300, seed=seed)
        assert r.bound <= r.value and r.bound <= optimum + 1e-9 * max(1.0, abs(optimum))
        assert r.value == pytest.approx(optimum)
        assert bound != "none" or r.bound == -float("inf")


def test_the_sum_of_pair_bounds_is_rounded_down():
    """Pairs whose bounds are exact: their sum in floating point must not pass the exact one."""
    for factor in (0.1, 1 / 3, 0.7):
        pairs = {}
        for k, key in enumerate([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]):
            pairs[key] = gm.Problem((1, 1), [0], [0], [-factor * (k + 1)])
        m = gm.MultiProblem(pairs)
        r = gm.gm_solve_multi(m, bound="pairs", maxiter=200)
        exact = sum(Fraction(float(p.cost[0])) for p in pairs.values())
        assert Fraction(r.bound) <= exact and r.status == "optimal"


def test_iterations_are_counted_and_kept():
    m = random_multi(70, (3, 3, 3))
    r = gm.gm_solve_multi(m, maxiter=5)
    assert r.n_iter <= 5 and r.status in ("iteration_limit", "optimal")
