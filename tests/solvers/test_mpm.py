"""mpm: max-pooling, told once more in dense numpy."""

import numpy as np
import pytest
from baseline_reference import affinities

import gmtoolbox as gm


def pooled(problem, W, s):
    """q_p = sum over nodes of the squared largest W_pq s_q among compatible q on that node."""
    left, right = problem.left, problem.right
    q = np.zeros(len(s))
    for p in range(len(s)):
        for node in set(left.tolist()) - {int(left[p])}:
            fitting = (left == node) & (right != right[p])
            q[p] += max((W[p, fitting] * s[fitting]).max(initial=0.0), 0.0) ** 2
    return q / np.linalg.norm(q)


@pytest.mark.parametrize("seed", range(4))
def test_iterations_are_the_papers(seed):
    problem, W = affinities(seed)
    s = np.full(problem.n_candidates, 1.0 / problem.n_candidates)
    for steps in (1, 2, 3):
        s = pooled(problem, W, s)
        r = gm.gm_solve(problem, "mpm", maxiter=steps, tol=0.0)
        assert np.allclose(r.scores[problem.left, problem.right], s)


def test_unary_costs_have_no_influence():
    problem, _ = affinities(3)
    other = gm.Problem(
        problem.shape, problem.left, problem.right, problem.cost - 5.0,
        problem.a, problem.b, problem.edge_cost, complete=True,
    )  # fmt: skip
    first, second = (gm.gm_solve(p, "mpm").scores for p in (problem, other))
    assert np.allclose(first, second)
