"""Automorphism groups: order, generators and orbits."""

import math

import networkx as nx
import pytest
from networkx.algorithms.isomorphism import GraphMatcher
from subgraph_reference import by_label, small_graphs

import gmtoolbox as gm


def check_group(G, group):
    edges = {frozenset(e) for e in G.edges}
    for moved in group.generators:
        assert {frozenset(moved.get(u, u) for u in e) for e in edges} == edges
        assert set(moved) == set(moved.values()) and all(u != v for u, v in moved.items())


@pytest.mark.parametrize(
    "G, order",
    [
        (nx.petersen_graph(), 120),
        (nx.hypercube_graph(5), 2**5 * math.factorial(5)),
        (nx.complete_graph(12), math.factorial(12)),
        (nx.complete_bipartite_graph(4, 4), 2 * math.factorial(4) ** 2),
        (nx.star_graph(6), math.factorial(6)),
        (nx.grid_2d_graph(4, 4), 8),
        (nx.empty_graph(4), 24),
        (nx.Graph(), 1),
        (nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5)), 200),
        (nx.gnp_random_graph(60, 0.2, seed=1), 1),
    ],
)
def test_orders_of_known_groups(G, order):
    group = gm.automorphisms(G)
    assert group.order == order
    check_group(G, group)


def test_all_small_graphs():
    for G in small_graphs(5)[1:]:
        group = gm.automorphisms(G)
        every = list(GraphMatcher(G, G).isomorphisms_iter())
        assert group.order == len(every)
        assert {frozenset(o) for o in group.orbits} == {frozenset(m[u] for m in every) for u in G}
        check_group(G, group)


def test_labels_and_directions():
    G = nx.cycle_graph(4)
    nx.set_node_attributes(G, {0: "a", 1: "b", 2: "a", 3: "b"}, "label")
    assert gm.automorphisms(G).order == 8
    assert gm.automorphisms(G, node_match=by_label(lambda a, b: a == b)).order == 4
    assert gm.automorphisms(nx.DiGraph([(0, 1), (1, 2), (2, 0)])).order == 3
    assert repr(gm.automorphisms(G)) == "<Automorphisms order 8, 2 generators, 1 orbit>"


def test_what_is_refused():
    G = nx.path_graph(3)
    nx.set_node_attributes(G, {u: u for u in G}, "label")
    with pytest.raises(gm.InputError, match="must compare by equality"):
        gm.automorphisms(G, node_match=by_label(lambda a, b: a <= b))
    with pytest.raises(gm.InputError, match="G must be a networkx graph"):
        gm.automorphisms(3)
