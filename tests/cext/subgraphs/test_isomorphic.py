"""isomorphic: the tree of pairings finds every isomorphism once."""

import math

import networkx as nx
import pytest
from c_internals import internals
from subgraph_kernels import inner_pair

ffi, lib = internals("subgraphs/isomorphic.h")


class Search:
    def __init__(self, G, H, fixed=None):
        self.pair, self.kept = inner_pair(G, H, ffi)
        self.pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
        self.search = ffi.new("sub_isomorphic *")
        given = ffi.NULL if fixed is None else ffi.new("int32_t[]", fixed)
        assert lib.sub_labels_are_equal(self.pair) == 1
        assert lib.sub_isomorphic_take(self.search, self.pool, self.pair, given) == 0
        self.n = len(G)

    def maps(self):
        while True:
            if lib.sub_isomorphic_next(self.search, 3, 1e300):
                m = ffi.new("int32_t[]", self.n)
                lib.sub_isomorphic_map(self.search, m)
                yield tuple(m)
                if self.search.depth == 0:
                    return
            elif self.search.over:
                return


@pytest.mark.parametrize(
    "G, order",
    [
        (nx.complete_graph(5), 120),
        (nx.cycle_graph(7), 14),
        (nx.petersen_graph(), 120),
        (nx.empty_graph(4), 24),
        (nx.path_graph(1), 1),
        (nx.star_graph(5), math.factorial(5)),
    ],
)
def test_every_isomorphism_once(G, order):
    found = list(Search(G, G).maps())
    assert len(found) == len(set(found)) == order
    for m in found:
        assert all(G.has_edge(m[u], m[v]) for u, v in G.edges)


def test_fixed_images():
    C = nx.cycle_graph(5)
    assert len(list(Search(C, C, [3, -1, -1, -1, -1]).maps())) == 2
    assert list(Search(C, C, [3, 1, -1, -1, -1]).maps()) == []


def test_different_graphs():
    two = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    assert list(Search(nx.cycle_graph(6), two).maps()) == []
