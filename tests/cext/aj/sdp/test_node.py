"""aj/sdp_node: deletions of a node never lose the optimum, and save steps; what a unit says."""

import numpy as np
import pytest
from c_internals import internals
from small import brute_force, random_problem

import gmtoolbox as gm


def test_what_propagation_leaves_decides_what_the_node_does():
    _, lib = internals("aj/sdp/node.h")
    assert lib.aj_node_verdict(lib.AJ_OPEN) == lib.AJ_NODE_STAYS
    assert lib.aj_node_verdict(lib.AJ_EMPTY) == lib.AJ_NODE_DONE
    assert lib.aj_node_verdict(lib.GM_ENOMEM) == lib.AJ_NODE_FAILED


@pytest.mark.parametrize("complete", [False, True])
def test_deletions_save_iterations_and_change_no_answer(complete):
    fewer = 0
    for seed in range(3):
        p = random_problem(np.random.default_rng(seed), 6, 6, edges=0.9, complete=complete)
        kept, deleted = (
            gm.gm_solve(p, "aj", sdp="at once", branch=False, fix=fix) for fix in (False, True)
        )
        best = brute_force(p)
        for r in (kept, deleted):
            assert r.bound <= best + 1e-9 * abs(best)
        assert deleted.bound >= kept.bound - 1e-6 * abs(best)
        fewer += deleted.n_iter < kept.n_iter
    assert fewer >= 1
