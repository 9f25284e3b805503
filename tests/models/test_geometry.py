"""Graphs over points."""

import itertools

import numpy as np

from gmtoolbox.models.geometry import delaunay_edges, full_edges, knn_edges


def as_set(edges):
    return {tuple(pair) for pair in np.asarray(edges).tolist()}


def test_knn_by_brute_force():
    for seed in range(5):
        points = np.random.default_rng(seed).random((12, 2))
        D = np.linalg.norm(points[:, None] - points, axis=2)
        np.fill_diagonal(D, np.inf)
        near = np.argsort(D, axis=1)[:, :3]
        expected = {tuple(sorted((i, int(j)))) for i in range(12) for j in near[i]}
        assert as_set(knn_edges(points, 3)) == expected


def test_delaunay_triangles_have_empty_circles():
    """Two points whose midpoint circle holds no third one are always joined."""
    for seed in range(5):
        points = np.random.default_rng(seed).random((12, 2))
        edges = as_set(delaunay_edges(points))
        for i, j in itertools.combinations(range(12), 2):
            middle, radius = (points[i] + points[j]) / 2, np.linalg.norm(points[i] - points[j]) / 2
            others = np.delete(points, [i, j], axis=0)
            if np.all(np.linalg.norm(others - middle, axis=1) > radius):
                assert (i, j) in edges
        assert all(i < j for i, j in edges) and len(edges) <= 3 * 12 - 6


def test_points_on_a_line_are_neighbours_in_order():
    points = np.column_stack([[3.0, 0, 1, 7], [6.0, 0, 2, 14]])
    assert as_set(delaunay_edges(points)) == {(1, 2), (0, 2), (0, 3)}


def test_full():
    assert as_set(full_edges(4)) == set(itertools.combinations(range(4), 2))
