"""neighbours: every edge in the lists of both its ends, sorted."""

import pytest
from c_internals import internals
from subgraph_kernels import labelled_graph
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/neighbours.h")


def taken(G, joined):
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    graph, kept = labelled_graph(G, ffi)
    near = ffi.new("sub_neighbours *")
    assert lib.sub_neighbours_take(near, pool, graph, G.is_directed(), joined) == 0
    return near, (pool, kept)


def kind(G, a, b):
    return G.edges[a, b]["label"] + 1 if G.has_edge(a, b) else 0


def shuffled(G, rng):
    """The same graph, edges in another order."""
    edges = list(G.edges(data=True))
    made = G.__class__()
    made.add_nodes_from(G.nodes(data=True))
    made.add_edges_from(edges[k] for k in rng.permutation(len(edges)))
    return made


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("joined", [0, 1])
def test_lists(directed, joined):
    for seed in range(20):
        G = random_graph(seeded(seed), 7, 0.4, directed=directed, kinds=3)
        G = shuffled(G, seeded(seed)) if seed % 2 else G
        near, _kept = taken(G, joined)
        for u in G:
            found = [
                (near.node[k], near.there[k], near.back[k])
                for k in range(near.start[u], near.start[u + 1])
            ]
            both = [(v, kind(G, u, v), kind(G, v, u) if directed else 0) for v in G]
            expected = [entry for entry in both if any(entry[1:])]
            if not joined:
                apart = [((v, t, 0), (v, 0, b)) for v, t, b in expected]
                expected = [e for pair in apart for e in pair if any(e[1:])]
            assert found == sorted(expected)
            for v in G:
                place = lib.sub_find_neighbour(near, u, v)
                assert (place >= 0) == any(entry[0] == v for entry in expected)
                assert place < 0 or near.node[place] == v
