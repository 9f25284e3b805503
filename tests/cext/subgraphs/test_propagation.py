"""propagation: domains lose what no map has, and are restored."""

import networkx as nx
import pytest
from c_internals import internals
from subgraph_kernels import inner_pair
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/propagation.h")


class Search:
    """A sub_contained whose root has not been propagated."""

    def __init__(self, P, G, restarts=0, **options):
        self.pair, self.kept = inner_pair(P, G, ffi)
        self.pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
        self.candidates = ffi.new("sub_candidates *")
        chosen = ffi.new("gm_contained_options *", options)
        assert lib.sub_candidates_take(self.candidates, self.pool, self.pair, chosen) == 0
        assert lib.sub_candidates_filter(self.candidates, self.pool) == 0
        assert not self.candidates.infeasible
        self.s = ffi.new("sub_contained *")
        assert lib.sub_contained_take(self.s, self.pool, self.candidates, restarts) == 0

    def domain(self, x):
        s, c = self.s, self.candidates
        return {
            c.image[k] for k in range(c.n_values) if s.domain[x * s.words + k // 64] >> k % 64 & 1
        }

    def only(self, x, v):
        """Cut the domain of x to node v."""
        value = self.candidates.value[v]
        mask = ffi.new("uint64_t[]", self.s.words)
        mask[value // 64] = 1 << value % 64
        return lib.sub_cut(self.s, x, mask)


def test_a_value_cuts_the_domains_of_neighbours():
    made = Search(nx.path_graph(3), nx.cycle_graph(70))
    assert lib.sub_propagate(made.s) == 1 and made.s.n_given == 0
    assert made.only(1, 10) == 1 and lib.sub_propagate(made.s) == 1
    assert made.domain(0) == made.domain(2) == {9, 11} and made.s.n_given == 1
    trail = made.s.n_trail
    assert made.only(0, 11) and lib.sub_propagate(made.s)
    assert made.domain(2) == {9} and made.s.n_given == 3
    lib.sub_restore(made.s, trail, 1)
    assert made.domain(0) == made.domain(2) == {9, 11} and made.s.n_given == 1
    lib.sub_restore(made.s, 0, 0)
    assert made.domain(1) == set(range(70)) and made.s.size[1] == 70


def test_too_few_values_together():
    made = Search(nx.empty_graph(3), nx.empty_graph(5))
    assert lib.sub_propagate(made.s) == 1
    mask = ffi.new("uint64_t[]", [0b11])
    assert lib.sub_cut(made.s, 0, mask) and lib.sub_cut(made.s, 1, mask)
    assert lib.sub_propagate(made.s) == 1
    assert len(made.domain(2)) == 3  # the two values belong to the other two variables
    assert lib.sub_cut(made.s, 2, ffi.new("uint64_t[]", [0b100]))
    assert lib.sub_propagate(made.s) == 1
    made = Search(nx.empty_graph(3), nx.empty_graph(5))
    assert all(lib.sub_cut(made.s, x, mask) for x in range(3))
    assert lib.sub_propagate(made.s) == 0


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("induced", [0, 1])
def test_images_of_maps_survive(deep, induced):
    """Whatever is given first, the domains keep the images of all maps that agree with it."""
    for seed in range(12):
        G = random_graph(seeded(seed), 8, 0.5)
        P = nx.convert_node_labels_to_integers(G.subgraph([1, 3, 4, 6, 7]).copy())
        matcher = nx.isomorphism.GraphMatcher(G, P)
        maps = matcher.subgraph_isomorphisms_iter() if induced else (
            matcher.subgraph_monomorphisms_iter()
        )  # fmt: skip
        maps = [{p: v for v, p in m.items()} for m in maps]
        made = Search(P, G, induced=induced)
        made.s.vain = 10**6 if deep else 0
        if deep:
            lib.sub_distance2_fill(ffi.addressof(made.s, "distance2"), made.candidates)
        assert lib.sub_propagate(made.s) == 1
        marks = made.s.n_trail, made.s.n_given
        for v in made.domain(0):
            agree = [m for m in maps if m[0] == v]
            fits = made.only(0, v) and lib.sub_propagate(made.s)
            assert fits or not agree
            for m in agree:
                assert all(m[x] in made.domain(x) for x in range(5))
            lib.sub_restore(made.s, *marks)
