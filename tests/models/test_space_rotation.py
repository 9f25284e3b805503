"""Points in space: the common rotation, and frames matched without arguments."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.geometry import numbers_of_points, quotient, similarity_edges
from gmtoolbox.models.inliers import closest_rotation, inlier_chances, picture_area, predict, vote
from gmtoolbox.models.patterns import compared_pairs, neighbour_vectors, pattern_matches
from gmtoolbox.models.space_rotation import ballots_in_space, rotation_in_space, triangles

TUBE, BALL = np.array([1.0, 0.3, 0.3]), np.array([0.45, 0.45, 0.45])


def frames(seed, d=2, n=70, sides=TUBE, turn=None, missing=0.15, clutter=7):
    """(points, true tracks): nuclei that keep apart, bent, turned by turn or by any rotation."""
    rng = np.random.default_rng(seed)
    scene = rng.uniform(0, 1, (6 * n, 3)) * sides
    far = np.linalg.norm(scene[:, None] - scene, axis=2)
    scene = scene[[i for i in range(6 * n) if (far[i, :i] > 0.06).all()][:n]]
    points, truth = [], []
    for _ in range(d):
        own = np.flatnonzero(rng.random(len(scene)) > missing)
        moved = scene[own] + 0.02 * np.sin(4 * scene[own][:, [1, 2, 0]] + rng.uniform(0, 6, 3))
        moved += rng.normal(0, 0.002, moved.shape)
        stray = rng.uniform(moved.min(axis=0), moved.max(axis=0), (clutter, 3))
        R = Rotation.from_quat(rng.normal(size=4)) if turn is None else Rotation.from_rotvec(turn)
        points.append(100 * R.apply(np.concatenate([moved, stray])) + rng.normal(0, 9, 3))
        truth.append(np.concatenate([own, np.full(clutter, -1)]))
    return points, truth


@pytest.mark.parametrize("sides", [TUBE, pytest.param(BALL, marks=pytest.mark.long)])
def test_frames_in_space_are_matched_without_arguments(sides):
    points, truth = frames(0, d=4, sides=sides)
    m = gm.models.multi_from_points(points)
    r = gm.gm_solve_multi(m, time_limit=1)
    assert gm.track_f1(r.tracks, truth) > 0.9


@pytest.mark.parametrize("turn", [None, pytest.param([0.1, 0.2, 0.0], marks=pytest.mark.long)])
def test_two_sets_in_space_are_matched_by_pattern(turn):
    (P, Q), (one, other) = frames(1, turn=turn)
    found = pattern_matches(P, Q)
    assert (one[found[:, 0]] == other[found[:, 1]]).mean() > 0.9 and len(found) > 40
    assert np.array_equal(found, pattern_matches(P, Q))
    label = {t: s for s, t in enumerate(other.tolist()) if t >= 0}
    r = gm.gm_solve(gm.models.from_points(P, Q, geometry="local"), time_limit=5)
    assert gm.evaluate(r, np.array([label.get(t, -1) for t in one.tolist()])).f1 > 0.9


def test_patterns_know_no_units():
    P, Q = frames(2)[0]
    assert np.array_equal(pattern_matches(P, Q), pattern_matches(P / 64, 256 * Q))


def test_mirrored_sets_do_not_match():
    P = np.random.default_rng(0).uniform(0, 1, (60, 3))
    assert len(pattern_matches(P, P)) == 60
    found = pattern_matches(P, P * [1, 1, -1])
    assert (found[:, 0] == found[:, 1]).sum() < 20


def test_the_rotation_is_found():
    rng = np.random.default_rng(4)
    P, R = rng.uniform(0, 1, (50, 3)), Rotation.from_quat(rng.normal(size=4)).as_matrix()
    across1, across2 = (neighbour_vectors(X, 10)[1] for X in (P, P @ R.T))
    found = rotation_in_space(*ballots_in_space(*compared_pairs(P, P), across1, across2)[2:])
    assert np.allclose(found, R, atol=0.02)
    axes = triangles(across1)[2]
    assert np.allclose(np.swapaxes(axes, -1, -2) @ axes, np.eye(3), atol=1e-6)


def test_two_sets_in_space_of_different_sizes_lead_to_the_local_geometry():
    P = np.random.default_rng(1).uniform(0, 1, (12, 3))
    with pytest.warns(gm.GuessWarning, match="give geometry='local' if"):
        gm.models.from_points(P, P[1:])
    r = gm.gm_solve(gm.models.from_points(P, P[1:], geometry="local"))
    assert r.labels.tolist() == [-1, *range(11)]


def test_sets_without_triangles_are_not_matched():
    line = np.outer(np.arange(12.0), [1, 2, 3])
    assert len(pattern_matches(line, line)) <= 12  # no triangle has an angle
    assert pattern_matches(np.zeros((9, 3)), np.zeros((9, 3))).shape == (0, 2)
    few = np.random.default_rng(0).random((3, 3))
    assert pattern_matches(few, few).shape == (0, 2)
    flat = np.random.default_rng(0).random((40, 3)) * [1, 1, 0]
    assert len(pattern_matches(flat, flat)) == 40
    four = np.random.default_rng(0).random((12, 4))
    with pytest.raises(InputError, match="needs plane points, got 4"):
        gm.models.from_points(four, four, geometry="local")
    assert gm.models.multi_from_points([four, four]).sizes == (12, 12)


def test_quotients_in_space_have_the_length_and_the_angle():
    x, y = (
        np.array([[1.0, 0, 0], [0, 0, 0], [0, 2.0, 0]]),
        np.array([[0, 3.0, 0], [1, 0, 0], [0, 1.0, 0]]),
    )
    z, known = quotient(y, x)
    assert np.allclose(z[[0, 2]], [3j, 0.5]) and known.tolist() == [True, False, True]
    plane = np.random.default_rng(0).normal(size=(2, 9, 2))
    one = quotient(*(numbers_of_points(side) for side in plane))[0]
    other = quotient(*(np.column_stack([side, np.zeros(9)]) for side in plane))[0]
    assert np.allclose(one.real, other.real) and np.allclose(np.abs(one.imag), other.imag)


def test_neighbours_that_keep_their_differences_gain_one():
    P = np.random.default_rng(1).uniform(0, 1, (6, 3))
    own, edges = np.arange(6), np.array([[0, 1], [2, 5]])
    a, b, cost = similarity_edges(P, P + 4, own, own, edges, 0j, (0.2, 0.2))
    assert np.allclose(cost, -1) and np.array_equal(np.column_stack([a, b]), edges)


def test_affinities_in_space_predict_places():
    rng = np.random.default_rng(5)
    P, X = rng.uniform(0, 9, (60, 3)), rng.uniform(2, 7, (6, 3))
    M = 2 * Rotation.from_quat(rng.normal(size=4)).as_matrix() + 0.1 * rng.normal(size=(3, 3))
    found = predict(P, P @ M.T + 3, np.ones(60), X, rounds=1)
    assert np.allclose(found.place, X @ M.T + 3, atol=0.4)  # SHEAR draws to a similarity
    assert np.allclose(found.turn.real, np.log(2), atol=0.15)
    wrong = rng.random(60) < 0.3
    Q = P @ M.T + rng.normal(0, 0.02, P.shape)
    Q[wrong] = rng.uniform(0, 20, (wrong.sum(), 3))
    chance = inlier_chances(P, Q)[0]
    assert ((chance > 0.5) == ~wrong).mean() > 0.9
    same = np.zeros((12, 3))
    assert np.isfinite(vote(same, same)).all() and picture_area(same) > 0
    assert np.isfinite(inlier_chances(same, same)[0]).all()


def test_the_closest_rotation_is_no_mirror():
    M = np.diag([3.0, 2.0, -1.0])[None]
    R, gain = closest_rotation(M)
    assert np.allclose(R, np.eye(3)) and gain == pytest.approx(4.0)
    assert np.trace(R[0].T @ M[0]) == pytest.approx(gain[0])
