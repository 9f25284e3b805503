"""contained: maps one by one, counted, limited, fixed; cells of refined graphs."""

from itertools import permutations

import networkx as nx
import pytest
from subgraph_kernels import plain_pair

from gmtoolbox.core._ffi import ffi, lib

ALL = 2**62


def begin(P, G, **options):
    """(run, objects that it borrows)"""
    borrowing = plain_pair(P, G, P.is_directed()).borrowing()
    chosen = ffi.new("gm_contained_options *", options)
    return ffi.gc(lib.gm_contained_new(borrowing[0], chosen), lib.gm_contained_free), borrowing


def maps_of(run, nodes=ALL):
    found = []
    while True:
        assert lib.gm_contained_step(run, nodes, 10.0) == 0
        buffer = ffi.new("int32_t[]", 7 * run.n1)
        while n := lib.gm_contained_take(run, buffer, 7):
            found += [tuple(buffer[k * run.n1 : (k + 1) * run.n1]) for k in range(n)]
        if run.finished:
            return found


def keeps(P, G, m, induced):
    pairs = [(u, v) for u in P for v in P if u != v]
    return all(G.has_edge(m[u], m[v]) or (not P.has_edge(u, v)) for u, v in pairs) and not (
        induced and any(G.has_edge(m[u], m[v]) > P.has_edge(u, v) for u, v in pairs)
    )


@pytest.mark.parametrize("induced", [0, 1])
@pytest.mark.parametrize("nodes", [1, ALL])
def test_all_maps_in_any_portions(induced, nodes):
    P, G = nx.path_graph(4), nx.gnp_random_graph(7, 0.5, seed=3)
    expected = {m for m in permutations(range(7), 4) if keeps(P, G, m, induced)}
    run, _kept = begin(P, G, induced=induced)
    found = maps_of(run, nodes)
    assert len(found) == len(expected) and set(found) == expected
    assert run.value == -len(expected) == -lib.gm_contained_count(run)
    counted, _kept = begin(P, G, induced=induced, count_only=1)
    assert maps_of(counted, nodes) == [] and lib.gm_contained_count(counted) == len(expected)


def test_limit_and_fixed():
    P, G = nx.path_graph(3), nx.cycle_graph(8)
    run, _kept = begin(P, G, limit=3)
    assert len(maps_of(run)) == 3 == lib.gm_contained_count(run)
    fixed = ffi.new("int32_t[]", [-1, 5, -1])
    run, _kept = begin(P, G, fixed=fixed)
    assert sorted(maps_of(run)) == [(4, 5, 6), (6, 5, 4)]
    fixed = ffi.new("int32_t[]", [2] + [-1] * 7)
    run, _kept = begin(G, G, induced=1, isomorphic=1, fixed=fixed)
    assert sorted(maps_of(run)) == [
        tuple((2 - k) % 8 for k in range(8)), tuple((2 + k) % 8 for k in range(8))
    ]  # fmt: skip


def test_iterations_end_a_step():
    G = nx.complete_graph(12)
    for options in ({}, {"induced": 1, "isomorphic": 1}):
        run, _kept = begin(G, G, count_only=1, **options)
        for k in range(1, 5):
            lib.gm_contained_step(run, 9, 10.0)
            assert run.iteration == 9 * k and not run.finished


def test_refined_cells():
    P = nx.path_graph(5)
    struct, _kept = plain_pair(P, P).borrowing()
    cell = ffi.new("int32_t[]", 5)
    assert lib.gm_refined_cells(struct, ffi.NULL, cell) == 1
    assert cell[0] == cell[4] != cell[1] == cell[3] and len(set(cell)) == 3
    fixed = ffi.new("int32_t[]", [0, -1, -1, -1, -1])
    assert lib.gm_refined_cells(struct, fixed, cell) == 1 and len(set(cell)) == 5
    fixed[0] = 1
    assert lib.gm_refined_cells(struct, fixed, cell) == 0


def test_memory():
    small, large = (
        lib.gm_contained_memory(
            plain_pair(nx.path_graph(20), nx.path_graph(n)).borrowing()[0],
            ffi.new("gm_contained_options *"),
        )
        for n in (100, 10000)
    )
    assert 1e3 < small < large < 1e6
