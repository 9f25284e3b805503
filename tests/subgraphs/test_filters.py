"""GraphCollection: what is read once, and when there is no filter."""

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.models.attributed import as_attributed
from gmtoolbox.subgraphs.filters import GraphCollection, as_collection, filter_of

PATH = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])


def query(graph):
    return as_attributed("query", graph)


def test_labels_of_matrices_are_compared():
    kept = GraphCollection([(PATH, ["C", "C", "O"]), (PATH, ["C", "N", "O"])])
    known = filter_of(query((PATH, ["C", "C", "O"])), kept)
    assert known.edit_bounds((1, 1, 1, 1)).tolist() == [0.0, 1.0]
    assert len(kept) == 2 and repr(kept) == "<GraphCollection of 2 graphs, 6 nodes, 4 edges>"


def test_numbers_are_kept():
    kept = GraphCollection([PATH, PATH])
    filter_of(query(PATH), kept)
    first = dict(kept.numbered)
    filter_of(query((PATH, [5, 6, 7])), kept)  # labels that the collection does not have
    assert kept.numbered == first and len(first) == 1


def test_graphs_that_are_not_compared_by_labels():
    plain = GraphCollection([nx.path_graph(3)])
    assert filter_of(query((PATH, ["a", "b", "c"])), plain).edit_bounds((1, 1, 1, 1)) == [0.0]
    assert filter_of(query(nx.path_graph(3)), GraphCollection([PATH])) is None
    mixed = GraphCollection([nx.path_graph(3), PATH])
    assert filter_of(query(nx.path_graph(3)), mixed) is None


def test_labels_that_cannot_be_hashed():
    graph = gm.Graph([0], [], [{"label": [1]}], node_label=("label",))
    assert filter_of(query(graph), GraphCollection([graph])) is not None  # lists by their content
    odd = query(nx.path_graph(1))
    odd.node_data[0]["x"], odd.labelled = {}, True
    kept = GraphCollection([odd])
    assert filter_of(odd, kept) is None


def test_wrong_collections():
    for wrong in ("CCO", 3):
        with pytest.raises(gm.InputError, match="collection must be a sequence of graphs"):
            as_collection(wrong)
    with pytest.raises(gm.InputError, match="collection\\[1\\] must be a networkx graph"):
        GraphCollection([nx.path_graph(2), object()])
