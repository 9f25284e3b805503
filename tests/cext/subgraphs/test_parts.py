"""parts: the neighbours of a node by kind, only those with a place."""

from c_internals import internals
from subgraph_kernels import labelled_graph
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/parts.h")


def test_sets_hold_the_neighbours_with_a_place():
    G = random_graph(seeded(3), 90, 0.2, directed=True, kinds=2)
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    graph, _kept = labelled_graph(G, ffi)
    near, parts = ffi.new("sub_neighbours *"), ffi.new("sub_parts *")
    assert lib.sub_neighbours_take(near, pool, graph, 1, 1) == 0
    place = [u // 2 if u % 2 else -1 for u in G]
    assert lib.sub_parts_of_neighbours(parts, pool, near, ffi.new("int32_t[]", place), 2) == 0
    kind = lambda a, b: G.edges[a, b]["label"] + 1 if G.has_edge(a, b) else 0
    members = lambda sets, k: {b for b in range(90) if sets[2 * k + b // 64] >> (b % 64) & 1}
    for u in G:
        expected = {}
        for v in G:
            if min(place[u], place[v]) >= 0 and (kind(u, v) or kind(v, u)):
                expected.setdefault((kind(u, v), kind(v, u)), set()).add(place[v])
        found = {
            (parts.there[k], parts.back[k]): members(parts.set, k)
            for k in range(parts.start[u], parts.start[u + 1])
        }
        assert found == expected
        assert members(parts.touch, u) == set().union(*expected.values())
