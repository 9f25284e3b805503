"""aj/dense: trees of dual ascent on dense complete problems prove what brute force finds."""

import numpy as np
from small import brute_force, random_problem

import gmtoolbox as gm


def test_dense_complete_problems_are_proven():
    for seed in range(6):
        p = random_problem(
            np.random.default_rng(seed), 6, 6, edges=1.0, signs="positive", complete=True
        )
        r = gm.gm_solve(p, "aj", sdp="at once")
        best = brute_force(p)
        assert r.status == "optimal" and abs(r.value - best) <= 1e-6 * abs(best)
