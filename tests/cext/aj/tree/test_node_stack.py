"""aj/path: without memory for the path the search rebuilds it, and comes to the same end."""

import numpy as np
from small import random_problem

import gmtoolbox as gm


def test_problems_put_aside_are_made_again():
    for seed in range(4):
        p = random_problem(np.random.default_rng(seed), 9, 9, edges=0.5, complete=True)
        kept, rebuilt = (
            gm.gm_solve(p, "aj", sdp="off", lift=0, memory=memory) for memory in (200, 0)
        )
        assert kept.status == rebuilt.status == "optimal" and kept.value == rebuilt.value
