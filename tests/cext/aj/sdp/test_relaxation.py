"""aj/sdp: the ascent comes close to the optimum where the linear relaxation stays away."""

import numpy as np
from small import random_problem

import gmtoolbox as gm


def test_the_semidefinite_root_is_above_the_linear_one():
    better = 0
    for seed in range(5):
        p = random_problem(np.random.default_rng(seed), 7, 7, edges=1.0, complete=True)
        options = {"fix": False, "branch": False}
        linear = gm.gm_solve(p, "aj", sdp="off", **options)
        root = gm.gm_solve(p, "aj", sdp="at once", **options)
        better += root.bound >= linear.bound - 1e-6 * abs(linear.bound)
    assert better >= 4
