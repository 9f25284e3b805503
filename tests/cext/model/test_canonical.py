"""Counting sorts of candidates and edges against numpy."""

import numpy as np

from gmtoolbox.core._ffi import check, ffi, lib, pointer


def sort_candidates(n1, n2, left, right, cost):
    left, right, cost = np.array(left, np.int32), np.array(right, np.int32), np.array(cost, float)
    rank, repeated = np.empty(len(left), np.int32), ffi.new("int32_t[2]")
    check(
        lib.gm_sort_candidates(
            n1, n2, len(left), pointer(left), pointer(right), pointer(cost), pointer(rank), repeated
        )
    )
    return left, right, cost, rank, list(repeated)


def test_candidates_are_sorted_by_label_then_node():
    rng = np.random.default_rng(0)
    for _ in range(30):
        n1, n2 = rng.integers(1, 9, 2)
        chosen = rng.permutation(n1 * n2)[: rng.integers(1, n1 * n2 + 1)]
        given = chosen % n1, chosen // n1, rng.random(len(chosen))
        left, right, cost, rank, repeated = sort_candidates(n1, n2, *given)
        order = np.lexsort(given[:2])
        for array, source in zip((left, right, cost), given, strict=True):
            assert array.tolist() == source[order].tolist()
        assert rank[order].tolist() == list(range(len(chosen))) and repeated == [-1, -1]


def test_a_repeated_pair_is_told_by_its_two_places():
    *_, repeated = sort_candidates(2, 2, [0, 1, 0], [1, 0, 1], [1.0, 2.0, 3.0])
    assert sorted(repeated) == [0, 2]


def test_edges_are_renumbered_sorted_and_added_up():
    rng = np.random.default_rng(1)
    for _ in range(30):
        n = int(rng.integers(2, 10))
        a, b = rng.integers(0, n, (2, 40)).astype(np.int32)
        a, b = (ends[a != b].copy() for ends in (a, b))
        cost = rng.integers(-5, 6, len(a)).astype(float)
        rank = rng.permutation(n).astype(np.int32)
        expected = {}
        for x, y, c in zip(rank[a], rank[b], cost, strict=True):
            key = (min(x, y), max(x, y))
            expected[key] = expected.get(key, 0.0) + c
        distinct = ffi.new("int64_t *")
        check(
            lib.gm_sort_edges(
                n, len(a), pointer(rank), pointer(a), pointer(b), pointer(cost), distinct
            )
        )
        m = distinct[0]
        found = list(zip(a[:m], b[:m], strict=True))
        assert found == sorted(expected)
        assert cost[:m].tolist() == [expected[key] for key in found]
