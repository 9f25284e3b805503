"""Layouts: distances follow shortest paths, matched nodes share a place."""

import networkx as nx
import numpy as np
import pytest

from gmtoolbox.plot.layouts import EXACT, joint_layout, layout


@pytest.mark.parametrize("graph", [nx.path_graph(30), nx.grid_2d_graph(20, 20)])
def test_distances_follow_shortest_paths(graph):
    """Up to EXACT nodes by all paths, beyond by those from pivots."""
    points = layout(nx.to_scipy_sparse_array(graph))
    assert points.shape == (len(graph), 2) and np.isfinite(points).all()
    paths = np.array(nx.floyd_warshall_numpy(graph))
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    upper = np.triu_indices(len(graph), 1)
    assert np.corrcoef(paths[upper], apart[upper])[0, 1] > 0.9


@pytest.mark.parametrize("n", [0, 1, 2, EXACT + 5])
def test_graphs_without_edges_are_spread(n):
    points = layout(np.zeros((n, n)))
    assert points.shape == (n, 2) and len({tuple(p) for p in points.round(9).tolist()}) == n


def test_matched_nodes_share_a_place():
    edges = [np.array([[0, 1], [1, 2]]), np.array([[0, 1], [2, 3]])]
    left, right = joint_layout((3, 4), edges, [2, -1, 0])
    assert np.array_equal(left[0], right[2]) and np.array_equal(left[2], right[0])
    others = [left[1], right[1], right[3]]
    assert len({tuple(p) for p in [*left.tolist(), *(p.tolist() for p in others[1:])]}) == 5
