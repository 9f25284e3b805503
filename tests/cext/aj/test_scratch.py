"""aj/scratch: masks of what may stay, and room that only grows."""

import numpy as np
import pytest
from aj_proof import Proof
from small import random_problem


def test_a_decision_leaves_one_candidate_of_its_node():
    proof = Proof(random_problem(np.random.default_rng(0), 4, 5))
    assert (
        set(proof.masks()[0]) == {1}
        and proof.lib.aj_scratch_kept_part(proof.scratch, proof.P) == 1.0
    )
    p = proof.first_of(2) + 1
    proof.lib.aj_scratch_decide(proof.scratch, proof.P, p)
    candidates, _ = proof.masks()
    for q, alive in enumerate(candidates):
        assert alive == (proof.P.node[q] != 2 or q == p)
    gone = proof.P.n - sum(candidates)
    kept = proof.lib.aj_scratch_kept_part(proof.scratch, proof.P)
    assert gone > 0 and kept == pytest.approx(1 - gone / proof.P.n)


def test_the_smaller_part_of_candidates_and_entries_counts():
    proof = Proof(random_problem(np.random.default_rng(1), 3, 4, edges=1.0))
    for e in range(proof.P.m // 2):
        proof.scratch.entries[e] = 0
    kept = 1 - (proof.P.m // 2) / proof.P.m
    assert proof.lib.aj_scratch_kept_part(proof.scratch, proof.P) == pytest.approx(kept)


def test_it_never_shrinks():
    large, small = (Proof(random_problem(np.random.default_rng(2), n, n)) for n in (6, 3))
    before = large.scratch.n, large.scratch.m, large.scratch.n_mu, large.scratch.n_nu
    assert large.lib.aj_scratch_fit(large.scratch, large.ffi.cast("aj_problem *", small.P)) == 0
    assert before == (large.scratch.n, large.scratch.m, large.scratch.n_mu, large.scratch.n_nu)
