"""lsm: the multiplicative update, told once more in dense numpy."""

import numpy as np
import pytest
from baseline_reference import affinities

import gmtoolbox as gm


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("steps", [1, 7])
def test_updates_are_the_papers(seed, steps):
    problem, W = affinities(seed)
    n = problem.shape[0]
    x = np.full(problem.n_candidates, 1.0 / n)
    for _ in range(steps):
        y = W @ x
        label_sum = np.array([x[problem.right == s].sum() for s in range(n)])
        x = x * np.sqrt(y / label_sum[problem.right] / (x @ y))
    r = gm.gm_solve(problem, "lsm", maxiter=steps, tol=0.0)
    assert np.allclose(r.scores[problem.left, problem.right], x)


def test_the_objective_never_falls():
    problem, W = affinities(5)
    values = []
    for steps in range(1, 12):
        X = gm.gm_solve(problem, "lsm", maxiter=steps, tol=0.0).scores
        x = X[problem.left, problem.right]
        values.append(x @ W @ x)
    assert np.all(np.diff(values) >= -1e-12)
