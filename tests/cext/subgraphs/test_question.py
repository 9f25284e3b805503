"""question: classes at the root by labels, levels of weights."""

import networkx as nx
import numpy as np
from c_internals import internals
from subgraph_kernels import ONE, Question, listed

from gmtoolbox.core._ffi import pointer
from gmtoolbox.subgraphs.labelled import GraphPair

ffi, lib = internals("subgraphs/classes.h")


def typed(G, types, kinds=None):
    graph = listed(G)
    graph.type = np.array(types)
    if kinds is not None:
        graph.kind = np.array(kinds)
    return graph


def test_classes_are_the_labels_that_both_graphs_have():
    fit = np.eye(3, dtype=bool)
    P = nx.path_graph(4)
    pair = GraphPair(typed(P, [0, 1, 1, 2]), typed(P, [1, 1, 0, 0]), False, fit, ONE)
    asked = Question(pair)
    found = [asked.members(k) for k in range(asked.q.n_classes)]
    assert sorted(found, key=repr) == [({0}, {2, 3}), ({1, 2}, {0, 1})]
    assert not asked.q.overlaps


def test_classes_of_edges_look_at_ends_kinds_and_loops():
    G, H = nx.Graph([(0, 1), (1, 2), (2, 2)]), nx.Graph([(0, 1), (2, 1), (0, 0)])
    pair = GraphPair(
        typed(G, [0, 1, 0], [0, 1, 0]),
        typed(H, [1, 0, 1], [0, 0, 0]),
        False,
        np.eye(2, dtype=bool),
        np.array([[True], [False]]),
    )
    edges = [tuple(e) for e in G.edges]
    asked = Question(pair, by_edges=1)
    assert [asked.members(k) for k in range(asked.q.n_classes)] == [({edges.index((0, 1))}, {0, 2})]
    assert [tuple(e) for e in H.edges] == [(0, 1), (0, 0), (1, 2)]


def test_levels_bound_a_class_by_sorted_weights():
    """sum of min(a_i, b_i) over both sides sorted by weight."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        n1, n2 = rng.integers(1, 6, 2)
        one, two = rng.integers(0, 4, n1), rng.integers(0, 4, n2)
        weight = np.minimum.outer(np.arange(4.0), np.arange(4.0)).reshape(-1)
        pair = GraphPair(
            typed(nx.empty_graph(n1), one),
            typed(nx.empty_graph(n2), two),
            False,
            np.ones((4, 4), bool),
            ONE,
        )
        asked = Question(pair, weight=ffi.cast("double *", pointer(weight)))
        reach = [np.minimum(one, two.max()), np.minimum(two, one.max())]
        ordered = [np.sort(side)[::-1][: min(n1, n2)] for side in reach]
        assert asked.most(0, 1) == np.minimum(*ordered).sum()
