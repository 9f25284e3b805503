"""Fixing and propagation: they make the search shorter and change no answer."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def test_fixing_changes_no_answer():
    for seed in range(10):
        problem = random_problem(
            np.random.default_rng(seed), 5, 5, density=0.7, edges=0.5, complete=seed % 2 == 0
        )
        with_it, without = (gm.gm_solve(problem, "aj", fix=fix) for fix in (True, False))
        optimum = brute_force(problem)
        for r in (with_it, without):
            assert r.status == "optimal" and r.value == pytest.approx(optimum, abs=1e-6)


def test_forced_chains_are_followed():
    """Every node but the first has its label taken by the one before: a single matching remains."""
    n = 6
    left = np.concatenate([np.arange(n), np.arange(1, n)])
    right = np.concatenate([np.arange(n), np.arange(n - 1)])
    problem = gm.Problem((n, n), left, right, np.random.default_rng(0).normal(size=2 * n - 1),
                         complete=True)  # fmt: skip
    r = gm.gm_solve(problem, "aj")
    assert r.status == "optimal" and r.labels.tolist() == list(range(n))
