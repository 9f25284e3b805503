"""aj/span: every matching is W r; a basis that missed one would let the bound pass its cost."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("density", [1.0, 0.7])
def test_bounds_hold_on_every_kind_of_span(shape, complete, density):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        p = random_problem(rng, *shape, density=density, edges=0.9, complete=complete)
        r = gm.gm_solve(p, "aj", sdp="at once", fix=False, branch=False)
        assert r.bound <= brute_force(p) + 1e-9
