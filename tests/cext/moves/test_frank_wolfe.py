"""One Frank-Wolfe descent: from anywhere, downhill, with matchings on the way."""

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("complete", [False, True])
def test_a_descent_never_ends_above_its_start(complete):
    for seed in range(15):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 5, density=0.9, complete=complete)
        known = list(matchings(problem))
        start = np.array(known[rng.integers(len(known))])
        r = gm.gm_solve(problem, "fw", init=start, restarts=1)
        assert r.value <= problem.energy(start) + 1e-9


def test_a_linear_problem_is_solved_in_one_step():
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 5, 6, edges=0.0)
        r = gm.gm_solve(problem, "fw", maxiter=1)
        assert r.value == pytest.approx(gm.gm_solve(problem, "ilp").value)


def test_a_convex_problem_ends_at_its_tolerance():
    """Positive pair costs over nodes that share no label conflict: few steps, a tight gap."""
    problem = random_problem(np.random.default_rng(3), 6, 6, signs="positive", complete=True)
    loose, tight = (gm.gm_solve(problem, "fw", tol=tol, restarts=1) for tol in (0.5, 1e-6))
    assert loose.n_iter <= tight.n_iter and loose.value >= tight.value - 1e-9
