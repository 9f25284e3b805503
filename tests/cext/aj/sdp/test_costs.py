"""aj/sdp_costs: changed costs are valid at every magnitude, and scale with the costs."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("scale", [1e-200, 1e-12, 1.0, 1e9, 1e150])
@pytest.mark.parametrize("complete", [False, True])
def test_bounds_at_any_scale(scale, complete):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        p = random_problem(rng, 4, 4, edges=0.9, complete=complete, scale=scale)
        r = gm.gm_solve(p, "aj", sdp="at once", fix=False, branch=False)
        best = brute_force(p)
        assert r.bound <= best + 1e-9 * abs(best)
