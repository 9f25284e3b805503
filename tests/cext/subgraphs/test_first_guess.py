"""sub_first_guess: maps that it finds are maps, and it finds one if it may try everything."""

import networkx as nx
import pytest
from c_internals import internals
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher
from subgraph_kernels import inner_pair

ffi, lib = internals("subgraphs/first_guess.h")


def guess(pattern, G, steps=10**6, **options):
    """The map, or None."""
    pair, kept = inner_pair(pattern, G, ffi)
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    c = ffi.new("sub_candidates *")
    chosen = ffi.new("gm_contained_options *", {"limit": 1, **options})
    assert lib.sub_candidates_take(c, pool, pair, chosen) == 0 and kept
    found = ffi.new("int32_t[]", max(len(pattern), 1))
    status = lib.sub_first_guess(c, steps, found)
    assert status in (0, 1)
    return [found[k] for k in range(len(pattern))] if status else None


def is_map(pattern, G, found, induced):
    if len(set(found)) < len(found):
        return False
    return all(
        G.has_edge(found[u], found[v]) if pattern.has_edge(u, v)
        else not (induced and G.has_edge(found[u], found[v]))
        for u in pattern for v in pattern if u != v
    )  # fmt: skip


@pytest.mark.parametrize("induced", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
def test_finds_a_map_if_and_only_if_there_is_one(induced, directed):
    kind = DiGraphMatcher if directed else GraphMatcher
    answers = set()
    for seed in range(80):
        G = nx.gnp_random_graph(7, 0.4, seed=seed, directed=directed)
        P = nx.gnp_random_graph(4, 0.5, seed=seed + 1000, directed=directed)
        theirs = kind(G, P)
        there = theirs.subgraph_is_isomorphic() if induced else theirs.subgraph_is_monomorphic()
        found = guess(P, G, induced=induced)
        assert (found is not None) == there
        assert found is None or is_map(P, G, found, induced)
        answers.add(there)
    assert answers == {True, False}


def test_few_steps_are_not_exceeded():
    path, other = nx.path_graph(5), nx.path_graph(9)
    assert guess(path, other, steps=2) is None and guess(path, other) is not None


def test_fixed_images_are_kept():
    path, other = nx.path_graph(3), nx.path_graph(6)
    fixed = ffi.new("int32_t[]", [4, -1, 2])
    assert guess(path, other, fixed=fixed) == [4, 3, 2]
    assert guess(path, other, fixed=ffi.new("int32_t[]", [0, -1, 5])) is None


def test_the_empty_pattern_is_everywhere():
    assert guess(nx.Graph(), nx.path_graph(2)) == []
