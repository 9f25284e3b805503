"""aj/semidefinite: the phase begins at once or not at all; deletions and branching keep the
optimum.
"""

import numpy as np
from aj_reference import draw, optimum, slack

import gmtoolbox as gm
from gmtoolbox.core.errors import InfeasibleError


def test_no_wrong_proof_with_the_phase_at_once():
    for seed in range(5000, 5150):
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        try:
            r = gm.gm_solve(problem, "aj", sdp="at once", seed=seed, maxiter=20000)
        except InfeasibleError:
            continue
        assert r.bound <= best + slack(problem), seed
        assert r.value >= best - slack(problem), seed
