"""aj/semidefinite: the phase begins at once or not at all; deletions and branching keep the
optimum.
"""

import numpy as np
import pytest
from aj_pieces import State, run_piece
from aj_reference import draw, optimum, slack
from cext.aj.test_open import hard

import gmtoolbox as gm
from gmtoolbox.core._ffi import check, lib
from gmtoolbox.core.errors import InfeasibleError


@pytest.mark.long
def test_a_root_with_a_long_tree_branches_when_others_wait():
    """Its children could not be given away before the tree was given up."""
    problem = hard(14, np.random.default_rng(1))
    best, plain, early = gm.gm_solve(problem, "aj").value, [], []

    def look(run):
        plain.append(len(State(run).parts))

    def branch_now(run):
        check(lib.gm_aj_branch_now(run))
        early.append(len(State(run).parts))

    for between in (look, branch_now):
        r = run_piece(problem, 10**6, slices=10, between=between, sdp=2)
        assert r.finished and r.value == r.bound == best
    first_plain, first_early = (next(k for k, n in enumerate(x) if n > 1) for x in (plain, early))
    assert first_early < first_plain


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
