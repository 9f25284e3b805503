"""Two graphs as types, kinds and what fits."""

import networkx as nx
import numpy as np
import pytest

from gmtoolbox.core._ffi import ffi
from gmtoolbox.models.edits import EditModel
from gmtoolbox.subgraphs.labelled import (
    all_fit,
    distinct,
    match_costs,
    merge_table,
    pair_by_edges,
    pair_by_nodes,
)

same = lambda a, b: a.get("label") == b.get("label")
near = lambda a, b: abs(a["label"] - b["label"]) <= 1


def model_of(G, H, node_match=None, edge_match=None):
    return EditModel.of(match_costs(node_match, edge_match), G, H)


def labelled_path(labels, kinds):
    G = nx.path_graph(len(labels))
    for u, label in enumerate(labels):
        G.nodes[u]["label"] = label
    for u, kind in enumerate(kinds):
        G.edges[u, u + 1]["label"] = kind
    return G


def test_labels_that_fit_the_same_become_one_type():
    G, H = labelled_path("aabc", [1, 2, 3]), labelled_path("acd", [1, 1])
    pair = pair_by_nodes(model_of(G, H, same, same))
    fit = pair.types_fit[pair.first.type][:, pair.second.type]
    assert fit.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert pair.types_fit.shape == (3, 3) and pair.kinds_fit.tolist() == [[1], [0]]


def test_relations_that_are_no_equality_are_kept():
    G, H = labelled_path([0, 1, 2], [0, 2]), labelled_path([1, 3], [1])
    pair = pair_by_nodes(model_of(G, H, near, near))
    fit = pair.types_fit[pair.first.type][:, pair.second.type]
    assert fit.tolist() == [[1, 0], [1, 0], [1, 1]]
    assert pair.kinds_fit.tolist() == [[1]]


def test_loops_and_parallel_edges_are_types_and_kinds_of_induced_subgraphs():
    G = nx.MultiGraph([(0, 0), (0, 1), (0, 1), (1, 2)])
    H = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    pair = pair_by_nodes(model_of(G, H))
    fit = pair.types_fit[pair.first.type][:, pair.second.type]
    assert fit.tolist() == [[0, 0, 1], [1, 1, 0], [1, 1, 0]]
    kinds = pair.kinds_fit[pair.first.kind][:, pair.second.kind]
    assert kinds.tolist() == [[1, 0], [0, 1]]
    by_edges = pair_by_edges(model_of(G, H))
    assert len(by_edges.first.tail) == 4 and by_edges.types_fit.tolist() == [[1]]


def test_bundles_fit_if_their_edges_can_be_paired():
    assert all_fit(np.array([[1, 1], [1, 0]], bool)) and all_fit(np.zeros((0, 0), bool))
    assert not all_fit(np.array([[1, 1], [0, 0]], bool))


def test_equal_rows_and_columns_are_joined():
    table = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 0]], bool)
    smaller, row, column = merge_table(table)
    assert smaller.tolist() == [[1, 0], [0, 1]]
    assert row.tolist() == [0, 1, 0] and column.tolist() == [0, 0, 1]
    smaller, row, column = merge_table(np.zeros((0, 2), bool))
    assert smaller.shape == (0, 1) and column.tolist() == [0, 0]


def test_the_struct_holds_both_graphs():
    G, H = labelled_path("ab", [1]), labelled_path("bab", [1, 2])
    pair = pair_by_nodes(model_of(G, H, same, same))
    struct, kept = pair.swap_sides().borrowing()
    assert (struct.first.n_nodes, struct.second.n_nodes) == (3, 2) and kept
    assert ffi.unpack(struct.first.tail, 2) == [0, 1]
    assert ffi.unpack(struct.types_fit, 4) == pair.types_fit.T.reshape(-1).tolist()


@pytest.mark.parametrize("numbers", [[], [7], [3, 0, 3, 9], [2**40, 5, 2**40]])
def test_distinct_numbers_and_their_places(numbers):
    found, place = distinct(numbers)
    assert found == sorted(set(numbers)) and [found[k] for k in place] == numbers
