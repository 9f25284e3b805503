"""distance2: sets of values by common neighbours."""

import networkx as nx
from c_internals import internals
from subgraph_kernels import inner_pair
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/distance2.h")


def test_counts_of_common_neighbours():
    P, G = nx.cycle_graph(4), random_graph(seeded(1), 80, 0.2)
    pair, _kept = inner_pair(P, G, ffi)
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    c, d = ffi.new("sub_candidates *"), ffi.new("sub_distance2 *")
    assert lib.sub_candidates_take(c, pool, pair, ffi.new("gm_contained_options *")) == 0
    assert lib.sub_candidates_filter(c, pool) == 0
    lib.sub_distance2_take(d, pool, c)
    assert d.is_there and not d.is_filled
    lib.sub_distance2_fill(d, c)
    for x in range(4):  # opposite nodes of the square
        found = {d.other[k]: d.common[k] for k in range(d.start[x], d.start[x + 1])}
        assert found == {(x + 2) % 4: 2}
    for s in range(c.n_values):
        for t in range(c.n_values):
            if s == t:
                continue
            common = len(list(nx.common_neighbors(G, c.image[s], c.image[t])))
            for k in range(3):
                word = d.set[(k * c.n_values + s) * d.words + t // 64]
                assert bool(word >> (t % 64) & 1) == (common > k)
