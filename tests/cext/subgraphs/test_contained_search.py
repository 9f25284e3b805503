"""contained_search: every leaf once; restarts lose no answer."""

import networkx as nx
import pytest
from c_internals import internals
from subgraph_kernels import inner_pair
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/contained_search.h")


def search(P, G, restarts):
    pair, kept = inner_pair(P, G, ffi)
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    c, s = ffi.new("sub_candidates *"), ffi.new("sub_contained *")
    assert lib.sub_candidates_take(c, pool, pair, ffi.new("gm_contained_options *")) == 0
    assert lib.sub_candidates_filter(c, pool) == 0
    if c.infeasible:
        return None
    assert lib.sub_contained_take(s, pool, c, restarts) == 0
    return s, c, (pool, pair, kept)


def test_leaves_are_counted_with_one_variable_open():
    P, G = nx.path_graph(4), nx.gnp_random_graph(9, 0.4, seed=2)
    found = sum(1 for _ in nx.isomorphism.GraphMatcher(G, P).subgraph_monomorphisms_iter())
    for leave_one in (0, 1):
        s, _, _kept = search(P, G, 0)
        n = 0
        while not s.over:
            if lib.sub_contained_next(s, 5, 1e300, leave_one):
                open_one = lib.sub_contained_open(s)
                n += 1 if open_one < 0 else s.size[open_one]
        assert n == found


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_restarts_lose_no_answer(start):
    restarted = 0
    for seed in range(start, start + 10):
        rng = seeded(seed, 3)
        P, G = random_graph(rng, 11, 0.5), random_graph(rng, 26, 0.42)
        found = []
        for restarts in (0, 1):
            made = search(P, G, restarts)
            if made is None:
                found.append(0)
                continue
            s, c, _kept = made
            s.restart_at = 20 if restarts else s.restart_at  # soon, and then as usual
            leaf = 0
            while not s.over and not leaf:
                leaf = lib.sub_contained_next(s, 10**9, 1e300, 0)
            if leaf:
                m = [c.image[s.given[x]] for x in range(len(P))]
                assert all(G.has_edge(m[u], m[v]) for u, v in P.edges)
                assert len(set(m)) == len(m)
            found.append(leaf)
            restarted += s.n_restarts
        assert found[0] == found[1]
    assert restarted > 0
