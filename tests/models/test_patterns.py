"""Matches of points without descriptors, by the pattern of their neighbours."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.patterns import (
    ALL_PAIRS,
    common_rotation,
    compared_pairs,
    mutual,
    pattern_matches,
    positions,
)


def two_sets(seed, n=80, turn=2.0, missing=0.15, clutter=8, bend=0.015):
    """(P, Q, truth): points that turn, bend, vanish and appear."""
    rng = np.random.default_rng(seed)
    scene = rng.uniform(0, 1, (3 * n, 2))
    far = np.linalg.norm(scene[:, None] - scene, axis=2) + np.eye(3 * n)
    kept = [i for i in range(3 * n) if (far[i, :i] > 0.05).all()][:n]  # they keep apart
    scene = scene[kept]
    sets, tracks = [], []
    for angle in (0.0, turn):
        own = np.flatnonzero(rng.random(len(scene)) > missing)
        moved = scene[own] + bend * np.sin(4 * scene[own, ::-1] + rng.uniform(0, 6, 2))
        R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        sets.append(np.concatenate([moved, rng.uniform(0, 1, (clutter, 2))]) @ R.T)
        tracks.append(np.concatenate([own, np.full(clutter, -1)]))
    label = {t: s for s, t in enumerate(tracks[1]) if t >= 0}
    return *sets, np.array([label.get(t, -1) if t >= 0 else -1 for t in tracks[0]])


@pytest.mark.parametrize("turn", [0.0, 1.0, 3.1])
def test_points_are_matched_whatever_the_rotation(turn):
    P, Q, truth = two_sets(0, turn=turn)
    found = pattern_matches(P, Q)
    assert (truth[found[:, 0]] == found[:, 1]).mean() > 0.85 and len(found) > 40
    r = gm.gm_solve(gm.models.from_points(P, Q, geometry="local"), time_limit=5)
    assert gm.evaluate(r, truth).f1 > 0.9


def test_the_rotation_is_found():
    P, Q, truth = two_sets(1, turn=-1.2)
    seeds = [(int(i), int(truth[i])) for i in np.flatnonzero(truth >= 0)[:3]]
    p = gm.models.from_points(P, Q, geometry="local", seeds=seeds)
    labels = gm.gm_solve(p, time_limit=5).labels
    assert [labels[i] for i, _ in seeds] == [s for _, s in seeds]


def test_unrelated_sets_have_no_motion():
    rng = np.random.default_rng(2)
    P, Q = rng.uniform(0, 1, (2, 9, 2))
    with pytest.raises(InputError, match="needs at least 8 reliable matches"):
        gm.models.from_points(P, Q, geometry="local")
    assert pattern_matches(P[:3], Q).shape == (0, 2)
    assert pattern_matches(np.zeros((9, 2)), Q).shape == (0, 2)


def test_large_sets_are_compared_in_place():
    rng = np.random.default_rng(3)
    P = rng.uniform(0, 1, (600, 2))
    left, right = compared_pairs(P, P)
    assert len(P) ** 2 > ALL_PAIRS and len(left) == 60_000
    assert np.array_equal(np.lexsort((right, left)), np.arange(len(left)))


def test_small_parts():
    left, right = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    weight = np.array([0.9, 0.8, 0.95, 0.1])
    assert mutual(left, right, weight).tolist() == [[1, 0]]
    assert positions(left, right, np.array([1, 1]), np.array([0, 5]), 6).tolist() == [2, -1]
    assert positions(left, right, np.array([1]), np.array([0]), 2).tolist() == [2]
    angle = np.full(6, 0.5)
    assert common_rotation(np.zeros(6, int), np.ones(6), angle, 2) == pytest.approx(0.5, abs=0.1)
