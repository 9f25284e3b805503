"""Sinkhorn scaling: lines sum to one."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.solvers._matrices import Parts


@pytest.mark.parametrize("density", [1.0, 0.7])
def test_scaling_converges_to_line_sums_of_one(density):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 6, 6, density=density, complete=True)
        parts = Parts(problem, forbidden=False)
        parts.x[:] = rng.random(problem.n_candidates) + 0.1
        parts.sinkhorn(1e-24, 20_000)
        X = problem.scatter(parts.x)
        assert np.allclose(X.sum(axis=0), 1, atol=1e-9) and np.allclose(X.sum(axis=1), 1, atol=1e-3)
