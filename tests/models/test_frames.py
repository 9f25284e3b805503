"""Many point sets without arguments: patterns of neighbours, and detours."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.tracks import labels_between
from gmtoolbox.models.frames import compose, frame_problem, matches_between, matches_of_frames


def frames(seed, d=5, n=60, missing=0.15, clutter=6, bend=0.015):
    """(points, true tracks) of one scene seen d times: turned, bent, with other points."""
    rng = np.random.default_rng(seed)
    scene = rng.uniform(0, 1, (4 * n, 2))
    far = np.linalg.norm(scene[:, None] - scene, axis=2)
    scene = scene[[i for i in range(4 * n) if (far[i, :i] > 0.06).all()][:n]]
    points, truth = [], []
    for _ in range(d):
        own = np.flatnonzero(rng.random(len(scene)) > missing)
        angle = rng.uniform(-np.pi, np.pi)
        R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        moved = scene[own] + bend * np.sin(4 * scene[own, ::-1] + rng.uniform(0, 6, 2))
        moved += rng.normal(0, 0.003, moved.shape)
        points.append(100 * np.concatenate([moved, rng.uniform(0, 1, (clutter, 2))]) @ R.T)
        truth.append(np.concatenate([own, np.full(clutter, -1)]))
    return points, truth


@pytest.mark.parametrize("seed", range(1))
def test_frames_are_matched_without_arguments(seed):
    points, truth = frames(seed)
    m = gm.models.multi_from_points(points, truth=truth)
    r = gm.gm_solve_multi(m, time_limit=1)
    assert gm.track_f1(r.tracks, truth) > 0.9
    judged = gm.evaluate(r, m)
    assert judged.f1 == pytest.approx(gm.track_f1(r.tracks, truth))
    assert gm.accuracy(r, truth) == judged.recall


def test_a_detour_replaces_a_bad_pair(monkeypatch):
    points, truth = frames(3, d=3)
    good = matches_of_frames(points)
    true = {pair: labels_between(truth, *pair) for pair in good}

    def spoilt(P, Q):
        found = good[next(p for p in good if P is points[p[0]] and Q is points[p[1]])]
        return found[:9] if P is points[0] and Q is points[2] else found

    monkeypatch.setattr("gmtoolbox.models.frames.pattern_matches", spoilt)
    found = matches_of_frames(points)[0, 2]
    assert len(found) > 20 and (true[0, 2][found[:, 0]] == found[:, 1]).mean() > 0.8


def test_matches_are_composed_and_turned():
    first, second = np.array([[0, 5], [1, 6], [2, 7]]), np.array([[6, 0], [7, 9]])
    assert compose(first, second).tolist() == [[1, 0], [2, 9]]
    assert matches_between({(0, 1): first}, 1, 0).tolist() == [[5, 0], [6, 1], [7, 2]]


def test_unrelated_sets_have_no_frame_problem():
    rng = np.random.default_rng(0)
    assert frame_problem(*rng.random((2, 12, 2)), np.empty((0, 2), int)) is None


def test_too_many_edges_are_refused_before_they_are_made():
    points = np.random.default_rng(0).uniform(0, 1, (10, 82, 2))
    with pytest.raises(InputError, match=r"10 sets of up to 82 points would make about .*e\+08 ed"):
        gm.models.multi_from_points(points, edges1="full", edges2="full")


def test_a_large_k_is_estimated_before_anything_is_built():
    frames = [np.random.default_rng(seed).random((300, 2)) for seed in range(30)]
    with pytest.raises(InputError, match=r"30 sets of up to 300 points would make about 7.*e\+08"):
        gm.models.multi_from_points(frames, k=300)
    few = gm.models.multi_from_points(frames[:3], k=3)
    assert few.sizes == (300, 300, 300)
