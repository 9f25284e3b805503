"""fm-bca: bounds that only rise, and that the problem's optimum holds."""

import numpy as np
from small import brute_force, random_problem

import gmtoolbox as gm


def test_bounds_rise_and_stay_below_the_optimum():
    for seed in range(6):
        problem = random_problem(
            np.random.default_rng(seed), 4, 5, density=0.8, complete=seed % 2 == 0
        )
        optimum = brute_force(problem)
        r = gm.gm_solve(problem, "fm-bca", maxiter=60)
        for worse, better in zip(r.trace, r.trace[1:], strict=False):
            assert better["bound"] >= worse["bound"] and better["value"] <= worse["value"]
        assert r.trace["bound"].max() <= optimum + 1e-9 and r.value >= optimum - 1e-9


def test_a_sweep_is_an_iteration():
    problem = random_problem(np.random.default_rng(1), 6, 6)
    for maxiter in (1, 3):
        r = gm.gm_solve(problem, "fm-bca", maxiter=maxiter, patience=10**6)
        assert r.n_iter <= maxiter
        assert r.status in ("iteration_limit", "optimal")


def test_without_proposals_the_bound_is_the_same():
    problem = random_problem(np.random.default_rng(2), 5, 5, complete=True)
    bounds = {
        gm.gm_solve(problem, "fm-bca", maxiter=1, primal_share=share).bound for share in (0.5, 4.0)
    }
    assert len(bounds) == 1
