"""ga: softassign makes doubly stochastic matrices that harden as the temperature falls."""

import numpy as np
import pytest
from baseline_reference import affinities, line_sums
from small import random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("seed", range(4))
def test_iterates_are_doubly_stochastic(seed):
    problem, _ = affinities(seed)
    for maxiter in (1, 5, 10_000):
        X = gm.gm_solve(problem, "ga", maxiter=maxiter, tolC=1e-9).scores
        assert np.all(X >= 0)
        assert np.allclose(line_sums(problem, X[problem.left, problem.right]), 1.0, atol=1e-6)


def test_lower_temperatures_decide_more():
    problem, _ = affinities(2, n=5)
    entropy = []
    for bMax in (1.0, 10.0, 100.0):
        X = gm.gm_solve(problem, "ga", bMax=bMax).scores
        entropy.append(-(X * np.log(np.maximum(X, 1e-300))).sum())
    assert entropy == sorted(entropy, reverse=True) and entropy[-1] < 0.5 * entropy[0]


PROBLEM = random_problem(np.random.default_rng(3), 12, 15, density=0.7)


def test_ga_rounds_without_dummies_when_time_is_over(monkeypatch):
    whole = gm.gm_solve(PROBLEM, "ga", time_limit=100.0)
    monkeypatch.setattr("gmtoolbox.solvers.ga.rounding_seconds", lambda problem, n_candidates: 1e9)
    fast = gm.gm_solve(PROBLEM, "ga", time_limit=100.0)
    assert np.array_equal(fast.scores, whole.scores) and fast.n_iter == whole.n_iter
    assert fast.value == PROBLEM.energy(fast.labels)
