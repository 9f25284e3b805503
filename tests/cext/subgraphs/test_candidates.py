"""candidates: no image of a map is filtered away, and what has no neighbours is."""

from itertools import permutations

import networkx as nx
import pytest
from c_internals import internals
from subgraph_kernels import inner_pair
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/candidates.h")


def domains(P, G, **options):
    """[set of nodes] that each node of the pattern may become, or None."""
    pair, kept = inner_pair(P, G, ffi)
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    c = ffi.new("sub_candidates *")
    chosen = ffi.new("gm_contained_options *", options)
    assert lib.sub_candidates_take(c, pool, pair, chosen) == 0 and kept
    assert lib.sub_candidates_filter(c, pool) == 0
    if c.infeasible:
        return None
    degrees = [len(set(nx.all_neighbors(G, c.image[s]))) for s in range(c.n_values)]
    assert degrees == sorted(degrees, reverse=True)
    found = [
        {c.image[s] for s in range(c.n_values) if c.domain[x * c.words + s // 64] >> (s % 64) & 1}
        for x in range(len(P))
    ]
    assert [len(d) for d in found] == [c.size[x] for x in range(len(P))]
    assert set().union(*found) == {c.image[s] for s in range(c.n_values)}
    return found


@pytest.mark.parametrize("induced", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
def test_images_of_maps_are_kept(induced, directed):
    cut = 0
    for seed in range(25):
        P, G = (random_graph(seeded(seed, n), n, 0.4, directed=directed) for n in (4, 7))
        images = [set() for _ in P]
        for m in permutations(range(7), 4):
            pairs = [(u, v) for u in P for v in P if u != v]
            edges = [(P.has_edge(u, v), G.has_edge(m[u], m[v])) for u, v in pairs]
            if all(b or not a for a, b in edges) and not (induced and any(b > a for a, b in edges)):
                for u in P:
                    images[u].add(m[u])
        found = domains(P, G, induced=induced)
        if found is None:
            assert not any(images)
        else:
            assert all(image <= domain for image, domain in zip(images, found, strict=True))
            cut += sum(7 - len(domain) for domain in found)
    assert cut > 20


def test_degrees_of_neighbours_and_fixed_images():
    spider = nx.Graph([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
    G = nx.disjoint_union(spider, nx.star_graph(3))
    assert domains(spider, G)[0] == {0}
    assert domains(nx.path_graph(2), nx.path_graph(4), fixed=ffi.new("int32_t[]", [2, -1])) == [
        {2}, {1, 3}
    ]  # fmt: skip
    assert domains(nx.star_graph(3), nx.cycle_graph(6)) is None
