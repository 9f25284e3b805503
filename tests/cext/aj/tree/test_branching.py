"""aj/branching: children in order of their bounds, twins once, every candidate in some child."""

import numpy as np
from aj_proof import Proof
from small import random_problem

import gmtoolbox as gm


def branched(problem, cutoff=1e6):
    """The frame of a whole problem after aj_branching_choose, and its proof."""
    proof = Proof(problem, "aj/tree/branching.h")
    ffi, lib = proof.ffi, proof.lib
    frame, branching = ffi.new("aj_frame *"), ffi.new("aj_branching *")
    frame.problem = proof.P
    proof.pdhg = frame.pdhg = ffi.gc(lib.aj_pdhg_new(proof.P), lib.aj_pdhg_free)
    lib.aj_bound_evaluate(proof.scratch.bound, proof.P, frame.pdhg.wt)
    lib.aj_bound_force(proof.scratch.bound, proof.P, cutoff - proof.scratch.bound.value)
    assert lib.aj_branching_choose(branching, proof.index, frame, proof.scratch.bound, cutoff) == 0
    return proof, frame, branching


def children(frame):
    return [frame.children.child[k] for k in range(frame.children.n)]


def test_children_are_all_candidates_of_one_node_by_bound():
    for seed in range(5):
        proof, frame, _ = branched(random_problem(np.random.default_rng(seed), 4, 5))
        lowers = [frame.children.lower[k] for k in range(frame.children.n)]
        assert lowers == sorted(lowers)
        found = [proof.lib.aj_candidate_find(proof.index, proof.P, key) for key in children(frame)]
        node = proof.P.node[found[0]]
        assert sorted(found) == list(range(proof.first_of(node), proof.first_of(node + 1)))
        for p, key in zip(found, children(frame), strict=True):
            assert proof.lib.aj_candidate_key(proof.index, proof.P, p) == key


def test_of_twin_labels_one_is_tried():
    problem = gm.models.from_koopmans_beckmann(np.ones((4, 4)) - np.eye(4), np.zeros((4, 4)))
    _, frame, _ = branched(problem)
    assert frame.children.n == 1


def test_a_decision_excludes_what_twins_need_not_take():
    flow = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], float)  # all nodes are twins
    places = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]], float)  # no labels are
    proof, _, branching = branched(gm.models.from_koopmans_beckmann(flow, places))
    p = proof.first_of(1) + 1
    proof.lib.aj_branching_exclude(branching, proof.index, proof.P, p, proof.scratch.candidates)
    candidates, _ = proof.masks()
    label = [proof.P.label[q] for q in range(proof.P.n)]
    for q, alive in enumerate(candidates):
        node = proof.P.node[q]
        sorted_pair = node == 1 or (label[q] <= label[p] if node < 1 else label[q] >= label[p])
        assert alive == sorted_pair
