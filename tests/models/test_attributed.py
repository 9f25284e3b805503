"""Graphs with attributes, from whatever people have."""

import networkx
import numpy as np
import pytest
from scipy import sparse

from gmtoolbox.core.errors import InputError
from gmtoolbox.models.attributed import as_attributed, as_directed


def test_networkx_keeps_names_and_attributes():
    G = networkx.Graph()
    G.add_node("a", colour=1)
    G.add_edge("a", "b", weight=2)
    graph = as_attributed("G1", G)
    assert graph.nodes == ["a", "b"] and graph.node_data == [{"colour": 1}, {}]
    assert graph.edges == [("a", "b")] and graph.edge_data == [{"weight": 2}]
    assert (graph.tail, graph.head, graph.directed) == ([0], [1], False)
    assert as_attributed("G1", graph) is graph and len(graph) == 2


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, np.ndarray.tolist])
def test_matrices_have_an_edge_per_entry(form):
    A = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    graph = as_attributed("G1", form(A))
    pairs = {frozenset(pair) for pair in zip(graph.tail, graph.head, strict=True)}
    assert pairs == {frozenset({0, 1}), frozenset({1, 2})} and graph.symmetric


def test_direction_makes_two_edges_of_one():
    graph = as_attributed("G1", networkx.path_graph(3))
    both = as_directed(graph)
    assert both.directed and len(both.edges) == 2 * len(graph.edges)
    assert set(zip(both.tail, both.head, strict=True)) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_anything_else_is_refused_by_name():
    with pytest.raises(InputError, match="G2 must be a networkx graph.*got dict"):
        as_attributed("G2", {})
