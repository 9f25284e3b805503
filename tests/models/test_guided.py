"""Costs of candidates where a motion expects them, by hand."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.guided import (
    MATCH,
    OFF,
    TURN,
    Motion,
    candidate_chances,
    descriptor_gain,
    estimate_motion,
    graph_over_candidates,
    guided_costs,
    position_gain,
)
from gmtoolbox.models.inliers import Prediction
from gmtoolbox.models.turns import turn_gain

RNG = np.random.default_rng(0)


def still(n, spread=2.0, chance=0.9, **more):
    """The Motion of points that stay where they are."""
    P = RNG.uniform(0, 100, (n, 2))
    matches = np.column_stack([np.arange(n), np.arange(n)])
    prediction = Prediction(P, np.full(n, spread), np.full(n, 9.0), np.zeros(n, complex))
    return P, Motion(prediction, 10_000.0, matches, np.full(n, chance), **more)


def test_the_gain_of_a_place_is_a_likelihood_ratio():
    P, motion = still(4)
    Q = P + np.array([[0, 0], [2, 0], [0, 4], [90, 0]])
    own = np.arange(4)
    off = np.array([0, 2, 4, 90]) / 2.0
    density = np.exp(-0.5 * off**2) / (2 * np.pi * 4)
    expected = np.log(10_000 * (1 - OFF) * density + OFF)
    assert np.allclose(position_gain(motion, P, Q, own, own), expected)


def test_epipolar_lines_are_a_background():
    F = np.array([[0, 0, 0], [0, 0, -1], [0, 1, 0.0]])  # the second y is the first
    P, motion = still(3, kind="epipolar", model=F, model_spread=1.0)
    along, across = P + [60.0, 0], P + [0, 60.0]
    own = np.arange(3)
    gain = [position_gain(motion, P, Q, own, own) for Q in (along, across)]
    assert (gain[0] > gain[1] + 5).all()


def test_the_gain_of_descriptors_is_learnt_from_reliable_matches():
    _, motion = still(50, chance=1.0)
    left, right = np.repeat(np.arange(50), 2), np.column_stack([np.arange(50)] * 2)
    right[:, 1] = (right[:, 1] + 1) % 50
    right = right.ravel()
    distance = np.where(left == right, RNG.normal(10, 1, 100), RNG.normal(30, 2, 100))
    gain = descriptor_gain(distance, left, right, motion)
    assert gain[left == right].min() > 0 > gain[left != right].max()
    assert (descriptor_gain(np.ones(100), left, right, motion) == 0).all()
    chance = candidate_chances(left, right, motion)
    assert (chance == (left == right)).all()


def test_costs_are_the_sum():
    P, motion = still(20, chance=1.0)
    own = np.arange(20)
    cost = guided_costs(P, P, own, own, np.ones(20), None, motion, 0.5)
    assert np.allclose(cost, MATCH - position_gain(motion, P, P, own, own))
    turns = np.linspace(-0.05, 0.05, 20) * (1 + 1j)
    turned = guided_costs(P, P, own, own, np.ones(20), turns, motion, 0.5)
    assert np.allclose(cost - turned, TURN * turn_gain(turns, np.ones(20)))


def test_no_motion_from_few_or_random_matches():
    P, Q = RNG.uniform(0, 1, (2, 40, 2))
    pairs = np.column_stack([np.arange(40), np.arange(40)])
    assert estimate_motion(P, Q, pairs[:7]) is None and estimate_motion(P, Q, pairs) is None
    with pytest.raises(InputError, match="geometry='homography' needs at least 8"):
        gm.models.from_matches(P, Q, pairs, geometry="homography")


def test_neighbours_have_candidates():
    P = np.arange(20.0)[:, None] * [1.0, 0.0]
    graph = graph_over_candidates("edges", "knn", P, np.array([0, 9, 19]))
    assert set(graph.ravel().tolist()) == {0, 9, 19}
    assert graph_over_candidates("edges", [[3, 1]], P, np.array([0])).tolist() == [[1, 3]]


def test_keypoints_without_candidates_change_nothing():
    """A thousand keypoints that no match names left most correct matches without neighbours."""
    rng = np.random.default_rng(5)
    P = rng.uniform(0, 500, (80, 2))
    Q = P @ [[0.9, 0.3], [-0.3, 0.9]] + rng.normal(0, 0.5, P.shape)
    Q[60:] = rng.uniform(0, 500, (20, 2))
    pairs = np.column_stack([np.arange(80), np.arange(80)])
    many = np.concatenate([P, rng.uniform(0, 500, (1000, 2))])
    labels = gm.gm_solve(gm.models.from_matches(many, Q, pairs)).labels[:80]
    assert (labels[:60] >= 0).sum() >= 58 and (labels[60:] >= 0).sum() <= 1


@pytest.mark.parametrize("geometry", ["homography", "epipolar"])
def test_models_of_the_camera_match_a_flat_scene(geometry):
    rng = np.random.default_rng(7)
    P, F1 = rng.uniform(0, 500, (120, 2)), rng.normal(size=(120, 16))
    depth = 1 + 2e-4 * P[:, :1]
    Q = (P @ [[0.9, 0.2], [-0.2, 1.0]] + 20) / depth + rng.normal(0, 0.4, P.shape)
    F2 = F1 + rng.normal(0, 0.7, F1.shape)
    Q[80:], F2[80:] = rng.uniform(0, 500, (40, 2)), rng.normal(size=(40, 16))
    r = gm.gm_solve(gm.models.from_points(P, Q, F1, F2, geometry=geometry))
    assert (r.labels[:80] == np.arange(80)).sum() >= 76 and (r.labels[80:] >= 0).sum() <= 3
