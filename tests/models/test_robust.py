"""Homographies and fundamental matrices from matches of which some are wrong."""

import numpy as np
import pytest

from gmtoolbox.core.errors import InputError
from gmtoolbox.models.robust import fit_model, line_distance, move_points

H = np.array([[0.9, -0.2, 30], [0.25, 1.1, -20], [2e-4, -1e-4, 1.0]])


def test_a_homography_is_found_among_wrong_matches():
    rng = np.random.default_rng(0)
    P = rng.uniform(0, 600, (80, 2))
    Q = move_points(H, P) + rng.normal(0, 0.5, P.shape)
    Q[:30] = rng.uniform(0, 600, (30, 2))
    found, spread = fit_model("homography", P, Q, np.ones(80), 1.0)
    assert np.linalg.norm(move_points(found, P[30:]) - move_points(H, P[30:]), axis=1).max() < 1.5
    assert 0.2 < spread < 1.5


def test_a_fundamental_matrix_is_found_among_wrong_matches():
    rng = np.random.default_rng(1)
    space = np.column_stack([rng.uniform(-2, 2, (90, 2)), rng.uniform(4, 9, 90)])
    turn = np.array([[np.cos(0.1), 0, np.sin(0.1)], [0, 1, 0], [-np.sin(0.1), 0, np.cos(0.1)]])
    moved = space @ turn.T + [0.8, 0.1, 0.0]
    P, Q = (500 * X[:, :2] / X[:, 2:] + 300 for X in (space, moved))
    Q += rng.normal(0, 0.3, Q.shape)
    Q[:25] = rng.uniform(0, 600, (25, 2))
    F, spread = fit_model("epipolar", P, Q, np.ones(90), 1.0)
    off = line_distance(F, P, Q)
    assert np.median(off[25:]) < 1 and np.median(off[:25]) > 5 and 0.1 < spread < 2
    assert abs(np.linalg.det(F)) < 1e-12


@pytest.mark.parametrize("kind", ["homography", "epipolar"])
def test_too_few_matches_are_named(kind):
    with pytest.raises(InputError, match=f"geometry='{kind}' needs"):
        fit_model(kind, np.eye(3)[:, :2], np.eye(3)[:, :2], np.ones(3), 1.0)
