"""Rotation and scale of matches from the angles and sizes of keypoints."""

from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.models.turns import match_turns, turn_gain, weighted_median, wrap


def test_the_turn_of_a_pair():
    first, second = np.array([0.0, 1.0 + 1j]), np.array([0.5 + 2j, 0.0])
    assert match_turns(None, [0], [0]) is None
    assert np.allclose(match_turns((first, second), np.array([1]), np.array([0])), -0.5 + 1j)


def test_turns_like_those_of_correct_matches_gain_and_others_lose():
    rng = np.random.default_rng(0)
    right = rng.normal(0, 0.1, 50) + 1j * rng.normal(0, 0.1, 50)
    wrong = rng.normal(0, 0.7, 500) + 1j * rng.uniform(-np.pi, np.pi, 500)
    chance = np.r_[np.ones(50), np.zeros(500)]
    gain = turn_gain(np.r_[right, wrong], chance)
    assert np.median(gain[:50]) > 2 and np.median(gain[50:]) < -2
    assert gain.min() >= np.log(0.02) - 1e-9
    # an offset of all correct ones, such as that of another detector, is estimated
    assert np.allclose(gain, turn_gain(np.r_[right, wrong] + 0.3 + 3j, chance), atol=1e-6)


def test_without_enough_correct_matches_nothing_is_gained():
    off = np.zeros(10, complex)
    assert not turn_gain(off, np.r_[np.ones(5), np.full(5, np.nan)]).any()
    assert np.isfinite(turn_gain(np.zeros(20, complex), np.ones(20))).all()


def test_parts():
    assert weighted_median(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0])) == 2
    assert np.allclose(wrap(np.array([np.pi + 0.1, -7.0])), [-np.pi + 0.1, -7 + 2 * np.pi])


@pytest.mark.parametrize("build", ["from_points", "from_matches"])
def test_the_angle_decides_between_places_that_are_alike(build):
    """Half of the points have two labels near one place, with equal descriptors and two angles."""
    rng = np.random.default_rng(1)
    n, turn = 60, np.deg2rad(40)
    P, F, angle = rng.uniform(0, 300, (n, 2)), rng.normal(size=(n, 8)), rng.uniform(0, 360, n)
    point = np.r_[
        np.arange(n), np.arange(0, n, 2)
    ]  # of each label; the last ones are turned wrongly
    is_correct = np.arange(len(point)) < n
    order = rng.permutation(len(point))
    point, is_correct = point[order], is_correct[order]
    R = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    Q = P[point] @ R + rng.normal(0, 0.5, (len(point), 2))
    F2 = F[point] + rng.normal(0, 1e-3, (len(point), 8))
    angle2 = angle[point] + np.where(is_correct, 40, 180) + rng.normal(0, 3, len(point))
    keys = [
        [SimpleNamespace(pt=tuple(p), size=5.0, angle=a % 360) for p, a in zip(X, A, strict=True)]
        for X, A in ((P, angle), (Q, angle2))
    ]

    def share(first, second):
        if build == "from_points":
            p = gm.models.from_points(first, second, F, F2)
        else:
            pairs = np.argwhere(np.arange(n)[:, None] == point)
            p = gm.models.from_matches(first, second, pairs)
        labels = gm.gm_solve(p).labels[::2]
        return np.mean(is_correct[labels[labels >= 0]])

    assert share(P, Q) < 0.75 < 0.95 < share(*keys)
