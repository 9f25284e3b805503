"""aj/proposals: a subproblem's matching in slots of the model."""

import numpy as np
from aj_proof import Proof
from small import random_problem


def test_picks_and_chosen_candidates_become_slots():
    problem = random_problem(np.random.default_rng(4), 4, 4)
    proof = Proof(problem)
    ffi, lib, P = proof.ffi, proof.lib, proof.P
    pool, proposals = proof.pool(), ffi.new("aj_proposals *")
    lib.aj_proposals_take(proposals, pool, proof.index)
    # node 1 is decided for its first candidate, the others take their dummies
    lib.aj_scratch_decide(proof.scratch, P, proof.first_of(1))
    assert lib.aj_propagate(P, proof.scratch.candidates, proof.scratch.entries) == 1
    maps = ffi.new("int32_t **"), ffi.new("int64_t **")
    rest = ffi.gc(
        lib.aj_problem_shrink(P, proof.scratch.candidates, proof.scratch.entries, *maps),
        lib.aj_problem_free,
    )
    assert rest.n_nodes == 3 and rest.n_chosen == 1
    dummies = ffi.new("int32_t[]", [rest.node_start[i + 1] - 1 for i in range(3)])
    lib.aj_propose(proposals, rest, dummies, -2.5)
    assert proposals.n == 1 and proposals.lower[0] == -2.5
    labels = proof.labels(proposals.slots[0])
    assert labels.tolist() == [-1, P.label[proof.first_of(1)], -1, -1]
