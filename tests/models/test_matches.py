"""Candidates of a matcher in every form, and the geometry that judges them."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.matches import as_distances, best_of_each, list_matches, mutual_best

P = np.array([[0.0, 0], [9, 0], [0, 9], [9, 9], [4, 5]])
PAIRS = [[0, 0], [1, 1], [2, 2], [3, 3], [4, 0], [4, 4]]


def test_geometry_decides_between_candidates():
    p = gm.models.from_matches(P, P + 3.0, PAIRS)
    assert gm.gm_solve(p, "aj").labels.tolist() == [0, 1, 2, 3, 4]
    plain = gm.models.from_matches(P, P + 3.0, PAIRS, geometry="none")
    assert plain.n_edges == 0 and plain.n_candidates == 6


def test_every_form_gives_the_same_candidates():
    shape, scores = (3, 4), np.array([0.5, 0.25, 1.0])
    pairs = np.array([[0, 2], [1, 0], [2, 3]])
    table = np.zeros(shape)
    table[pairs[:, 0], pairs[:, 1]] = scores
    opencv = [
        SimpleNamespace(queryIdx=i, trainIdx=s, distance=1 / v)
        for (i, s), v in zip(pairs.tolist(), scores, strict=True)
    ]
    forms = [
        list_matches(pairs, scores, None, shape, 10),
        list_matches(np.array([2, 0, 3]), scores, None, shape, 10),
        list_matches(table, None, None, shape, 10),
        list_matches(sp.coo_array(table), None, None, shape, 10),
        list_matches(opencv, None, None, shape, 10),
        list_matches([opencv[:2], [], opencv[2:]], None, None, shape, 10),
    ]
    for left, right, distance in forms:
        order = np.argsort(left)
        assert left[order].tolist() == [0, 1, 2] and right[order].tolist() == [2, 0, 3]
        assert np.allclose(distance[order], 1 / scores)


def test_unmatched_keypoints_of_lightglue():
    left, right, distance = list_matches(
        np.array([1, -1, 0]), np.array([0.5, 0.0, 1.0]), None, (3, 2), 10
    )
    assert left.tolist() == [0, 2] and right.tolist() == [1, 0] and distance.tolist() == [2.0, 1.0]


def test_the_best_of_each_are_kept_once():
    left, right = np.array([0, 0, 0, 1, 0]), np.array([2, 1, 0, 1, 2])
    distance = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    kept = best_of_each(left, right, distance, 2)
    assert [column.tolist() for column in kept] == [[0, 0, 1], [0, 1, 1], [2.0, 1.0, 5.0]]
    assert mutual_best(left, right, distance).tolist() == [[0, 1]]


@pytest.mark.parametrize(
    "matches, rest, said",
    [
        ([[0, 9]], {}, r"must point to kpts1 0\.\.4, got 9"),
        ([[0, 1]], {"scores": [1.0], "distances": [1.0]}, "not both"),
        ([[0, 1]], {"scores": [1.0, 2.0]}, "one number for each of 1 matches, got 2"),
        ([[0, 1]], {"distances": [-1.0]}, "finite and not negative"),
        (np.zeros((5, 5)), {}, "must have positive entries"),
        (np.ones((5, 5)), {"scores": [1.0]}, "brings its own"),
        (np.ones(3), {}, "matches must be integer pairs"),
        ([[0, 1]], {"k": 0}, "k must be a positive number"),
        ([[0, 1]], {"geometry": "projective"}, "geometry must be one of"),
    ],
)
def test_bad_matches_are_named(matches, rest, said):
    with pytest.raises(InputError, match=said):
        gm.models.from_matches(P, P, matches, **rest)


def test_scores_become_distances():
    assert as_distances(None, None, 3).tolist() == [1.0, 1.0, 1.0]
    assert np.all(np.isfinite(as_distances(np.array([0.0, 2.0]), None, 2)))
