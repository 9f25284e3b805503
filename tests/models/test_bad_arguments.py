"""What the builders of problems refuse."""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox import models

BAD = [
    (lambda: models.from_points(np.zeros((3, 2)), np.zeros((3, 3))), "same dimension"),
    (
        lambda: models.from_points([[0, 0], [1, np.nan]], [[0, 0], [1, 1]]),
        "P must be finite points",
    ),
    (
        lambda: models.from_points(np.eye(2), np.eye(2), edges1=[[0, 2]], edges2=[[0, 1]]),
        "edges1 must join",
    ),
    (
        lambda: models.from_points(
            np.eye(2), np.eye(2), edges1=[[0, 1]], edges2=[[0, 1]], candidates=[[0, 5]]
        ),
        "lie in 2 x 2",
    ),
    (lambda: models.nearest_candidates(np.eye(2), np.eye(2), 3), "k must be in 1..2"),
    (lambda: models.from_distances(np.zeros((3, 3)), [[0, 0], [1, 1]]), "D must be 2 x 2"),
    (lambda: models.from_distances(np.full((1, 1), np.nan), [[0, 0]]), "NaN"),
    (lambda: models.from_distances(np.zeros((1, 1)), [[0.5, 0]]), "0-based indices"),
    (
        lambda: models.from_koopmans_beckmann(np.zeros((2, 3)), np.eye(2)),
        "A must be a finite square",
    ),
    (
        lambda: models.from_koopmans_beckmann(np.eye(2), np.full((2, 2), np.inf)),
        "B must be a finite square",
    ),
    (
        lambda: models.from_koopmans_beckmann(np.eye(2), np.eye(2), np.eye(3)),
        r"C must have shape \(n1, n2\) = \(2, 2\)",
    ),
    (lambda: models.from_koopmans_beckmann(np.eye(2), np.eye(2), sense="least"), "sense must be"),
    (
        lambda: models.from_graphs(sparse.csr_array(np.ones((2, 3))), np.eye(2)),
        "G1 must be a finite square",
    ),
    (
        lambda: models.from_factors(
            np.eye(2), np.ones((1, 1)), {"G": np.ones((2, 1)), "H": np.eye(2)}, {}
        ),
        "gph1.G must have 2 rows",
    ),
]


@pytest.mark.parametrize("build, message", BAD)
def test_bad_arguments(build, message):
    with pytest.raises(gm.InputError, match=message):
        build()
