"""Chances of matches by their neighbours, and predicted places."""

import numpy as np
import pytest

from gmtoolbox.models.inliers import inlier_chances, median_of_weighty, picture_area, predict, vote

RNG = np.random.default_rng(0)


def bent_scene(n=150, wrong=0.5, seed=0):
    """(P, Q, which matches are correct): a bent, turned picture, with wrong matches."""
    rng = np.random.default_rng(seed)
    P = rng.uniform(0, 500, (n, 2))
    turn = np.array([[0.8, -0.5], [0.5, 0.8]])
    Q = P @ turn.T + 15 * np.sin(P[:, ::-1] / 90) + rng.normal(0, 0.5, P.shape)
    correct = rng.random(n) >= wrong
    Q[~correct] = rng.uniform(0, 500, (int((~correct).sum()), 2))
    return P, Q, correct


@pytest.mark.parametrize("wrong", [0.0, 0.3, 0.6])
def test_bent_scenes_are_told_from_wrong_matches(wrong):
    P, Q, correct = bent_scene(wrong=wrong)
    chance, spread = inlier_chances(P, Q)
    found = chance > 0.5
    assert (found & correct).sum() > 0.95 * correct.sum()
    assert (found & ~correct).sum() <= 0.05 * len(P)
    assert 0.3 < spread < 3


def test_matches_by_chance_have_no_inliers():
    P, Q = RNG.uniform(0, 1, (2, 120, 2))
    assert (inlier_chances(P, Q)[0] > 0.5).sum() < 8


def test_known_matches_stay():
    P, Q, correct = bent_scene(seed=3)
    order = np.argsort(correct, kind="stable")  # wrong ones first
    assert (inlier_chances(P[order], Q[order], known=2)[0][:2] == 1).all()


def test_chances_know_no_units():
    P, Q, _ = bent_scene(seed=1)
    one, other = inlier_chances(P, Q)[0], inlier_chances(P / 7, 300 * Q + 5)[0]
    assert np.allclose(one, other, atol=1e-6)


def test_an_affinity_is_predicted_exactly():
    P, X = RNG.uniform(0, 9, (40, 2)), RNG.uniform(2, 7, (6, 2))
    M = np.array([[1.0, 0.2], [0.1, 0.9]])
    found = predict(P, P @ M.T + 3, np.ones(40), X, rounds=1)
    # SHEAR draws a little to a similarity, so the places are close and not equal
    assert np.allclose(found.place, X @ M.T + 3, atol=0.1)
    own = predict(P, P @ M.T + 3, np.ones(40), P, skip=np.arange(40))
    assert np.allclose(own.place, P @ M.T + 3, atol=0.4) and (own.support < 12.5).all()


def test_coinciding_points_are_no_votes():
    P = np.zeros((12, 2))
    assert np.isfinite(vote(P, P)).all() and np.isfinite(inlier_chances(P, P)[0]).all()
    assert vote(P[:2], P[:2]).tolist() == [0.5, 0.5]
    assert picture_area(P) > 0


def test_medians_ignore_what_has_no_weight():
    values, weight = np.array([[1.0, 2.0, 90.0, 3.0]]), np.array([[1.0, 1.0, 0.01, 1.0]])
    assert median_of_weighty(values, weight).tolist() == [2.0]
