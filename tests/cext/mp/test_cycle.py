"""Odd cycles: frustrated rings without triangles are tightened all the same."""

import numpy as np
import pytest
from small import brute_force

import gmtoolbox as gm


def ring(n):
    """n nodes in a ring with two private labels each: neighbours want to differ, one pair to
    agree; for odd n no labelling pleases all.
    """
    left = np.repeat(np.arange(n), 2)
    right = np.arange(2 * n)
    a, b, cost = [], [], []
    for i in range(n):
        j = (i + 1) % n
        for x in range(2):
            a.append(2 * i + x)
            b.append(2 * j + x)
            cost.append(1.0)
    return gm.Problem((n, 2 * n), left, right, np.zeros(2 * n), a, b, cost, complete=True)


@pytest.mark.parametrize("n", [5, 7])
def test_a_ring_is_proven_with_cycles_only(n):
    problem = ring(n)
    optimum = brute_force(problem)
    assert optimum == 1.0
    plain, tight = (gm.gm_solve(problem, name, maxiter=2000) for name in ("mp", "mp-mcf"))
    assert plain.bound <= 0.5 and tight.bound == pytest.approx(1.0, abs=1e-3)


def test_an_even_ring_needs_none():
    assert gm.gm_solve(ring(6), "mp", maxiter=500).bound == pytest.approx(0.0, abs=1e-6)
