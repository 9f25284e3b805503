"""sides: items by degree, parts by how they touch a node, twins by exchange."""

from itertools import combinations

import networkx as nx
import pytest
from c_internals import internals
from subgraph_kernels import plain_pair
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/sides.h")


class Side:
    """The side of a graph whose nodes are 0, 1, ..."""

    def __init__(self, G, by_edges):
        struct, self.kept = plain_pair(G, G, G.is_directed()).borrowing()
        self.graph = ffi.new("gm_labelled_graph *")
        ffi.memmove(self.graph, struct, ffi.sizeof("gm_labelled_graph"))
        self.pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
        self.side = ffi.new("sub_side *")
        status = lib.sub_side_take(
            self.side, self.pool, self.graph, self.graph, G.is_directed(), by_edges
        )
        assert status == 0

    def members(self, sets, k):
        words = self.side.words
        return {
            self.side.original[b]
            for b in range(self.side.n_items)
            if sets[k * words + b // 64] >> (b % 64) & 1
        }


def exchanged(G, u, v):
    """Whether exchanging two nodes leaves the graph as it is."""
    swap = {u: v, v: u}
    keyed = lambda a, b: (a, b) if G.is_directed() else (min(a, b), max(a, b))
    edges = sorted(keyed(*edge[:2]) for edge in G.edges)
    return edges == sorted(keyed(swap.get(a, a), swap.get(b, b)) for a, b in edges)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("by_edges", [0, 1])
def test_parts_hold_what_touches_a_node(directed, by_edges):
    G = random_graph(seeded(1), 70, 0.1, directed=directed)
    made, edges = Side(G, by_edges), list(G.edges)
    side = made.side
    for u in G:
        found = {}
        for k in range(side.parts.start[u], side.parts.start[u + 1]):
            found[side.parts.there[k], side.parts.back[k]] = made.members(side.parts.set, k)
        if by_edges:
            there = {e for e, (a, b) in enumerate(edges) if a == u or (b == u and not directed)}
            back = {e for e, (_, b) in enumerate(edges) if b == u and directed}
            assert found == {(1, 0): there, **({(0, 1): back} if directed else {})}
        else:
            both = {v: (int(G.has_edge(u, v)), int(G.has_edge(v, u) and directed)) for v in G}
            for key in {*both.values()} - {(0, 0)}:
                assert found.pop(key) == {v for v in G if both[v] == key}
            assert not found
        touched = set().union(
            *(
                made.members(side.parts.set, k)
                for k in range(side.parts.start[u], side.parts.start[u + 1])
            )
        )
        assert made.members(side.parts.touch, u) == touched
        assert made.members(side.cover, u) == touched | (set() if by_edges else {u})


@pytest.mark.parametrize("by_edges", [0, 1])
def test_twins_are_what_exchanges_say(by_edges):
    found = 0
    for seed in range(60):
        directed, loops = bool(seed % 2), by_edges == 1
        G = random_graph(seeded(seed), 6, 0.3, directed=directed, loops=loops)
        made = Side(G, by_edges)
        for u, v in combinations(G, 2):
            same = exchanged(G, u, v)
            assert bool(lib.sub_side_are_twins(made.side, u, v)) == same
            assert (made.side.twin[u] == made.side.twin[v]) == same
            found += same
    assert found > 20


def test_items_come_by_degree_the_largest_first_unless_the_other_graph_is_dense():
    for G, sign in ((nx.star_graph(5), -1), (nx.complete_graph(6), 1)):
        G = nx.Graph(G.edges)
        G.remove_edge(0, 1)
        side = Side(G, 0).side
        degrees = [sign * G.degree(side.original[k]) for k in range(side.n_items)]
        assert degrees == sorted(degrees)
