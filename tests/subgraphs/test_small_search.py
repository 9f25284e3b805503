"""The search for common induced subgraphs of small sparse graphs: its rules and its start."""

from itertools import combinations, permutations

import networkx as nx
import pytest
from c_internals import internals
from subgraph_reference import random_graph, seeded

import gmtoolbox as gm

ffi, lib = internals(
    "subgraphs/whole.h", "subgraphs/stars.h", "subgraphs/known.h", "subgraphs/dual.h"
)


def small_graphs_of(G, H):
    """A small_search that knows the neighbours of two graphs."""
    small = ffi.new("small_search *")
    for side, graph in ((small.left, G), (small.right, H)):
        for u in graph:
            side.touch[u] = sum(1 << v for v in graph[u])
    return small


def classes_of(G, H, rng, n):
    """n classes of the nodes of both graphs: [(left, right)] as sets; none is empty."""
    drawn = [rng.integers(n, size=len(graph)) for graph in (G, H)]
    sides = [[{u for u in range(len(of)) if of[u] == k} for k in range(n)] for of in drawn]
    return [pair for pair in zip(*sides, strict=True) if all(pair)]


def most_pairs(G, H, classes):
    """The largest number of pairs of an induced common subgraph that keeps to the classes."""
    return max(map(len, common_subgraphs(G, H, classes)), default=0)


def common_subgraphs(G, H, classes):
    """All induced common subgraphs that keep to the classes, as lists of pairs."""
    place = {u: k for k, (left, _) in enumerate(classes) for u in left}
    back = {v: k for k, (_, right) in enumerate(classes) for v in right}
    for size in range(1, min(len(place), len(back)) + 1):
        for chosen in combinations(sorted(place), size):
            for images in permutations(sorted(back), size):
                pairs = list(zip(chosen, images, strict=True))
                if all(place[u] == back[v] for u, v in pairs) and all(
                    G.has_edge(u, x) == H.has_edge(v, y)
                    for (u, v), (x, y) in combinations(pairs, 2)
                ):
                    yield pairs


def small_cases(rng, n, chances, n_classes):
    """Yield n times two random graphs, classes of their nodes, and the same for C."""
    for _ in range(n):
        p = float(rng.choice(chances))
        G, H = (random_graph(rng, int(rng.integers(2, 6)), p) for _ in range(2))
        classes = classes_of(G, H, rng, int(rng.integers(1, n_classes + 1)))
        made = ffi.new("small_class[]", len(classes))
        for k, (left, right) in enumerate(classes):
            made[k].left, made[k].right = (sum(1 << u for u in side) for side in (left, right))
        if classes:
            yield G, H, classes, made


@pytest.mark.parametrize("seed", range(5))
def test_rules_refute_only_what_enumeration_refutes(seed):
    refuted = 0
    for G, H, classes, made in small_cases(seeded(seed, 31), 30, [0.2, 0.4, 0.6], 3):
        small, most = small_graphs_of(G, H), most_pairs(G, H, classes)
        whole = sum(min(len(left), len(right)) for left, right in classes)
        assert lib.small_may_be_whole(small, made, len(classes)) or most < whole
        for slack in range(3):
            lost = lib.small_loses_more(small, made, len(classes), slack)
            assert not lost or most < whole - slack
        refuted += not lib.small_may_be_whole(small, made, len(classes))
    assert refuted > 0  # the rule is not idle


def test_duals_bound_all_subgraphs_and_forbid_no_pair_of_a_large_one():
    closed = forbidden = 0
    for G, H, classes, made in small_cases(seeded(7, 31), 150, [0.3, 0.5, 0.8], 2):
        small, found = small_graphs_of(G, H), list(common_subgraphs(G, H, classes))
        dual, allowed = ffi.new("small_dual *"), ffi.new("dual_pairs *")
        near = [[small.left.touch[u] for u in range(64)], [small.right.touch[u] for u in range(64)]]
        small.left.near, small.right.near = codes = [ffi.new("uint64_t[]", one) for one in near]
        small.left.n_codes = small.right.n_codes = 1
        small.fits = fits = ffi.new("uint64_t[]", [1])
        lib.dual_begin(dual, small)
        most = max(map(len, found))
        for needed in range(most + 2, 0, -1):  # multipliers are kept
            allowed.of[0:64] = [2**64 - 1] * 64
            bound = lib.dual_most(dual, small, made, len(classes), needed, allowed)
            assert bound >= most
            closed += bound < needed
            for pairs in found:
                if len(pairs) >= needed:
                    assert all(allowed.of[u] >> v & 1 for u, v in pairs)
            forbidden += any(
                not allowed.of[u] >> v & 1 for left, right in classes for u in left for v in right
            )
        assert codes and fits
    assert closed > 150 and forbidden > 20  # neither is idle


def test_known_states_are_compared_word_by_word():
    table = ffi.new("known_entry[]", lib.KNOWN_STATES)
    state, other = ffi.new("known_state *"), ffi.new("known_state *")
    classes = ffi.new("small_class[]", [(6, 1), (1, 6)])
    assert lib.known_read(state, classes, 2)
    lib.known_keep(table, state, 2)
    turned = ffi.new("small_class[]", [(1, 6), (6, 1)])
    assert lib.known_read(other, turned, 2) and lib.known_most(table, other) == 2
    other.of[0].right ^= 8  # another state at the same place
    assert lib.known_most(table, other) > 64
    assert not lib.known_read(other, ffi.new("small_class[]", 5), 5)


@pytest.mark.parametrize(
    ("n", "seed"), [(20, 0), (20, 1), pytest.param(24, 1, marks=pytest.mark.long)]
)
def test_local_search_does_not_make_the_answer_depend_on_jobs(n, seed):
    """The largest pair uses both stages of the start."""
    G, H = (nx.random_regular_graph(3, n, seed=seed + k) for k in (0, 50))
    first, *rest = (gm.maximum_common_subgraph(G, H, "induced", n_jobs=k) for k in (1, 2))
    assert first.proven and all(r.nodes == first.nodes for r in rest)
    weighted = gm.maximum_common_subgraph(G, H, "induced", node_weight=lambda a, b: 1.0)
    assert weighted.proven and weighted.value == first.value  # by the search for all graphs
    at_most = gm.maximum_common_subgraph(G, H, "induced", maxiter=3000)
    assert at_most.n_iter <= 3000 and at_most.value <= first.value <= at_most.bound
