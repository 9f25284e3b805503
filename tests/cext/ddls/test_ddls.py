"""The kernel of dd-ls: matchings from votes, a split that can be read at any time."""

import numpy as np
import pytest
from ddls_splits import VARIANTS, problems, split_after
from small import brute_force

import gmtoolbox as gm


@pytest.mark.parametrize("method", VARIANTS)
def test_matchings_are_nearly_always_optimal_on_small_problems(method):
    hits = 0
    for problem in problems():
        r = gm.gm_solve(problem, method, maxiter=400)
        optimum = brute_force(problem)
        assert r.value >= optimum - 1e-9
        hits += r.value <= optimum + 1e-9
    assert hits >= 5


def test_reading_the_split_changes_nothing():
    for problem in problems():
        first, second = split_after(problem, 3, 60), split_after(problem, 3, 60)
        assert all(np.array_equal(first[name], second[name]) for name in first)
