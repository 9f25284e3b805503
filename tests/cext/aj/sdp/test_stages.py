"""aj/stages: proofs by deletions of several stages, each of which can be checked."""

import numpy as np
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.proofs.verify import verify


def test_proofs_of_several_stages():
    """Partial problems of six nodes: what one evaluation cannot prove, deletions do."""
    most = 0
    for seed in (17, 29, 41, 47, 53):
        problem = random_problem(np.random.default_rng(seed), 6, 7, edges=0.8, signs="nonpositive")
        r = gm.gm_solve(problem, "aj", sdp="at once", certify=True, branch=False)
        certificate = r.extra["certificate"]
        if "stages" not in certificate:
            continue
        sizes = [len(stage["variable"]) for stage in certificate["stages"]]
        assert sizes == sorted(sizes, reverse=True)
        assert verify(problem, r.labels, r.value, r.bound, certificate).proven, seed
        most = max(most, len(sizes))
    assert most > 1


def test_no_stages_where_the_proof_has_branched_or_was_not_asked_for():
    problem = random_problem(np.random.default_rng(17), 6, 7, edges=0.8, signs="any")
    r = gm.gm_solve(problem, "aj", sdp="off", certify=True)
    assert "stages" not in r.extra["certificate"]
