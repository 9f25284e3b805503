"""aj/leaves: decisions are made again in a problem that knows more, and weights add up."""

import numpy as np
import pytest
from aj_proof import Proof
from small import random_problem

OPEN, EMPTY = 1, 0


@pytest.fixture
def proof():
    """A whole problem, 4 nodes and 5 labels, that may leave nodes unmatched."""
    return Proof(random_problem(np.random.default_rng(3), 4, 5), "aj/tree/node_stack.h")


def leaves_of(proof, *parts):
    """A list of leaves with these keys."""
    leaves = proof.ffi.gc(proof.ffi.new("aj_leaves *"), proof.lib.aj_leaves_clear)
    for keys in parts:
        proof.lib.aj_leaves_add(leaves, -1.0, 0.5)
        for key in keys:
            proof.lib.aj_leaves_add_decision(leaves, key)
    return leaves


def keys_of(leaves, k):
    return [leaves.key[x] for x in range(leaves.start[k], leaves.start[k + 1])]


def decide(proof, leaves, k, problem=None):
    """(what remains, the last candidate) of deciding what leaf k says."""
    problem, last = proof.P if problem is None else problem, proof.ffi.new("int32_t *")
    proof.lib.aj_scratch_keep_all(proof.scratch, problem)
    return (
        proof.lib.aj_leaves_decide(leaves, k, proof.index, problem, proof.scratch, last),
        last[0],
    )


def test_many_leaves_keep_their_decisions(proof):
    parts = [[k, -1 - k % 4] for k in range(100)] + [[]]
    leaves = leaves_of(proof, *parts)
    assert leaves.n == 101 and [keys_of(leaves, k) for k in range(101)] == parts
    copied = leaves_of(proof)
    leaves.first = 98
    proof.lib.aj_leaves_add_open(copied, leaves)
    assert [keys_of(copied, k) for k in range(copied.n)] == parts[98:]
    proof.lib.aj_leaves_empty(copied)
    assert copied.n == 0 and not copied.failed


def test_a_decision_leaves_one_candidate_of_its_node(proof):
    key = proof.lib.aj_candidate_key(proof.index, proof.P, proof.first_of(2))
    rest, last = decide(proof, leaves_of(proof, [key, -1]), 0)  # and node 0 stays unmatched
    candidates = np.frombuffer(proof.masks()[0], np.uint8)
    nodes = np.array([proof.P.node[p] for p in range(proof.P.n)])
    assert rest == OPEN and last == proof.lib.aj_candidate_find(proof.index, proof.P, -1)
    assert [int(candidates[nodes == i].sum()) for i in range(4)] == [1, 6, 1, 6]


def test_decisions_of_a_smaller_problem_are_known(proof):
    """Where a node is decided already, the same decision is kept and another one is empty."""
    ffi, lib = proof.ffi, proof.lib
    chosen, other = (
        lib.aj_candidate_key(proof.index, proof.P, proof.first_of(1) + k) for k in range(2)
    )
    decide(proof, leaves_of(proof, [chosen, -1 - 3]), 0)
    assert lib.aj_scratch_propagate(proof.scratch, proof.P) == OPEN
    maps = ffi.new("int32_t **"), ffi.new("int64_t **")
    smaller = ffi.gc(
        lib.aj_problem_shrink(
            proof.P, proof.scratch.candidates, proof.scratch.entries, *maps
        ),
        lib.aj_problem_free,
    )  # fmt: skip
    listed = leaves_of(proof, [])
    lib.aj_leaves_add_chosen(listed, proof.index, smaller)
    assert keys_of(listed, 0) == [chosen, -1 - 3]
    for keys, rest in (
        ([chosen, -1 - 3], OPEN), ([other], EMPTY), ([-1 - 1], EMPTY), ([-1], OPEN),
    ):  # fmt: skip
        assert decide(proof, leaves_of(proof, keys), 0, smaller)[0] == rest
    taken = proof.index.slot_label[chosen]  # no other node has this label any more
    lost = [p for p in range(proof.P.n) if proof.P.node[p] == 0 and proof.P.label[p] == taken]
    key = lib.aj_candidate_key(proof.index, proof.P, lost[0])
    assert decide(proof, leaves_of(proof, [key]), 0, smaller)[0] == EMPTY


@pytest.mark.parametrize("own, cutoff", [(0.0, 2.0), (-np.inf, 2.0), (0.0, np.inf), (2.0, 2.0)])
def test_shares_add_up_and_fall_with_the_bound(proof, own, cutoff):
    lower = np.array([0.0, 0.5, 1.5, 2.0])
    share = np.zeros(4)
    arrays = [proof.ffi.cast("double *", x.ctypes.data) for x in (lower, share)]
    proof.lib.aj_share_weight(0.25, own, cutoff, 4, *arrays)
    assert share.sum() == pytest.approx(0.25) and (np.diff(share) <= 0).all() and share[-1] > 0
