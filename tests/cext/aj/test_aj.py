"""The kernel of the exact method: statuses, limits, infeasible problems."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InfeasibleError


def test_it_ends_with_a_proof():
    for seed in range(12):
        problem = random_problem(
            np.random.default_rng(seed), 4, 5, density=0.8, complete=seed % 2 == 0
        )
        r = gm.gm_solve(problem, "aj")
        assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem), abs=1e-6)


def test_an_iteration_limit_is_kept_with_a_valid_bound():
    problem = random_problem(np.random.default_rng(0), 9, 9, edges=0.5, complete=True)
    whole = gm.gm_solve(problem, "aj")
    for maxiter in (1, 20, 200):
        r = gm.gm_solve(problem, "aj", maxiter=maxiter)
        assert r.n_iter <= maxiter or r.status == "optimal"
        assert r.bound <= whole.value + 1e-9 <= r.value + 2e-9


def test_what_has_no_complete_matching_is_refused():
    problem = gm.Problem((2, 2), [0, 1], [0, 0], [1.0, 2.0], complete=True)
    with pytest.raises(InfeasibleError):
        gm.gm_solve(problem, "aj")
