"""Candidates: sorted pairs, found again, and refused where they are no pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

from gmtoolbox.core import candidates
from gmtoolbox.core.candidates import ranges, sort_candidates
from gmtoolbox.core.errors import InputError


def some_pairs(rng, n1, n2, density=0.6):
    left, right = np.nonzero(rng.random((n1, n2)) < density)
    order = rng.permutation(len(left))
    return (left[order], right[order]) if len(left) else (np.array([0]), np.array([0]))


@settings(max_examples=times(60), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6))
def test_index_finds_every_pair_and_only_those(seed, n1, n2):
    left, right = some_pairs(np.random.default_rng(seed), n1, n2)
    candidates, order = sort_candidates((n1, n2), left, right)
    given_order = np.arange(len(left)) if order is None else order
    assert np.array_equal(candidates.left, left[given_order])
    assert np.array_equal(candidates.right, right[given_order])
    assert np.all(np.diff(candidates.key) > 0)
    nodes, labels = np.indices((n1, n2)).reshape(2, -1)
    known = {pair: k for k, pair in enumerate(zip(candidates.left, candidates.right, strict=True))}
    expected = [known.get((i, s), -1) for i, s in zip(nodes, labels, strict=True)]
    assert candidates.index(nodes, labels).tolist() == expected
    assert candidates.allows(nodes, labels).tolist() == [k >= 0 for k in expected]


def test_the_candidates_of_nodes_come_node_by_node():
    candidates, _ = sort_candidates((3, 3), [0, 2, 0, 2, 2], [1, 0, 2, 1, 2])
    position, index = candidates.at([2, 0, 1])
    assert position.tolist() == [0, 0, 0, 1, 1]
    assert candidates.right[index].tolist() == [0, 1, 2, 1, 2]


def test_scatter_leaves_forbidden_pairs_at_zero():
    candidates, _ = sort_candidates((2, 2), [0, 1], [1, 0])
    assert candidates.scatter([3.0, 5.0]).tolist() == [[0, 5], [3, 0]]


def test_labels_become_candidates_in_node_order():
    candidates, _ = sort_candidates((3, 2), [0, 1, 2, 2], [1, 1, 0, 1])
    chosen = candidates.of(np.array([1, -1, 0]))
    assert candidates.left[chosen].tolist() == [0, 2]
    assert candidates.right[chosen].tolist() == [1, 0]
    assert len(candidates.of(np.array([-1, -1, -1]))) == 0
    with pytest.raises(InputError, match="forbidden pair \\(0, 0\\)"):
        candidates.of(np.array([0, -1, -1]))


def test_lengths_must_agree():
    with pytest.raises(InputError, match="one length"):
        sort_candidates((2, 2), [0, 1], [0])


def test_ranges():
    assert ranges(np.array([3, 7, 1]), np.array([5, 7, 2])).tolist() == [3, 4, 1]


def test_pairs_and_values_of_a_mask():
    rng = np.random.default_rng(0)
    M = rng.random((3, 4))
    for allowed in (np.ones((3, 4), bool), rng.random((3, 4)) < 0.6):
        left, right = candidates.pairs_where(allowed)
        assert left.dtype == right.dtype == np.int32
        expected = [(i, s) for s in range(4) for i in range(3) if allowed[i, s]]
        assert list(zip(left.tolist(), right.tolist(), strict=True)) == expected
        assert candidates.values_at(M, left, right).tolist() == [M[pair] for pair in expected]
        assert not candidates.values_at(np.zeros((3, 4)), left, right).any()


def test_all_pairs_out_of_order_are_sorted():
    left, right = candidates.pairs_where(np.ones((3, 4), bool))
    assert sort_candidates((3, 4), left, right)[1] is None
    shuffled = np.random.default_rng(0).permutation(12)
    made, order = sort_candidates((3, 4), left[shuffled], right[shuffled])
    assert np.array_equal(made.left, left) and np.array_equal(shuffled[order], np.arange(12))
    with pytest.raises(InputError, match="repeat"):
        sort_candidates((2, 2), [0, 0, 1, 1], [0, 0, 1, 1])
