"""Triplets: a frustrated triangle is proven with them and not without."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def triangle():
    """Three nodes with two labels of their own; each two of them must not take the same number."""
    left = np.repeat(np.arange(3), 2)
    a, b = zip(*[(2 * i + x, 2 * j + x) for i, j in ((0, 1), (1, 2), (0, 2)) for x in (0, 1)],
               strict=True)  # fmt: skip
    return gm.Problem((3, 6), left, np.arange(6), np.zeros(6), a, b, np.ones(6), complete=True)


def test_a_frustrated_triangle():
    assert brute_force(triangle()) == 1.0
    assert gm.gm_solve(triangle(), "mp", maxiter=1000).bound <= 0.01
    r = gm.gm_solve(triangle(), "mp-mcf", maxiter=1000)
    assert r.bound == pytest.approx(1.0, abs=1e-4)


def test_triplets_never_loosen():
    for seed in range(8):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.6, complete=True)
        plain, tight = (gm.gm_solve(problem, m, maxiter=600).bound for m in ("mp", "mp-mcf"))
        assert tight >= plain - 1e-4 * (1 + abs(plain)) and tight <= brute_force(problem) + 1e-9
