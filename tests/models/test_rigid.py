"""One motion of all points in space."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gmtoolbox as gm
from gmtoolbox.models.patterns import pattern_matches
from gmtoolbox.models.rigid import fit_motions, rigid_matches


def test_the_motion_of_weighted_matches_is_found():
    rng = np.random.default_rng(2)
    P, R = rng.normal(size=(7, 3)), Rotation.from_quat(rng.normal(size=4)).as_matrix()
    Q = 2.5 * P @ R.T + [1, 2, 3]
    weight = rng.random((2, 7))
    A, p0, q0 = fit_motions(P, np.stack([Q, Q]), weight)
    assert np.allclose(A, 2.5 * R)
    assert np.allclose((P - p0[:, None]) @ np.swapaxes(A, 1, 2) + q0[:, None], Q)


def test_the_heaviest_motion_gives_the_matches():
    rng = np.random.default_rng(3)
    P, R = rng.uniform(0, 1, (12, 3)), Rotation.from_quat(rng.normal(size=4)).as_matrix()
    order = rng.permutation(12)
    Q = (P @ R.T)[order]
    near = Rotation.from_rotvec([0.1, 0, 0.1]).as_matrix() @ R  # fitted to the exact one
    right = np.array([3, np.flatnonzero(order == 5)[0]])
    ballots = np.array([1, 5]), right, np.array([9.0, 2.0]), np.stack([np.eye(3), near])
    matches, share = rigid_matches(P, Q, ballots, 1.0)
    assert np.array_equal(order[matches[:, 1]], np.arange(12)) and share > 0.99
    assert rigid_matches(P, Q, (*ballots[:2], np.zeros(2), ballots[3]), 1.0)[1] == 0.0


@pytest.mark.parametrize(
    "n", [9, 15, *(pytest.param(n, marks=pytest.mark.long) for n in (12, 20, 30))]
)
@pytest.mark.parametrize("change", ["complete", "noisy", "mirrored", "missing"])
def test_small_sets_in_space(n, change):
    """Three frames, turned by any rotation."""
    rng = np.random.default_rng(n)
    scene, points, truth = rng.uniform(0, 1, (n, 3)), [], []
    noise = (0.06 if change == "noisy" else 0.02) / np.cbrt(n)
    for g in range(3):
        own = rng.permutation(n)[: n - (change == "missing") * (g % 2 + n // 10)]
        moved = Rotation.from_quat(rng.normal(size=4)).apply(scene[own])
        moved[:, 2] *= -1 if change == "mirrored" and g == 1 else 1
        points.append(moved + rng.normal(0, noise, moved.shape))
        truth.append(own)
    if change == "mirrored":  # their distances are compared
        assert pattern_matches(*points[:2]).shape == (0, 2)
        assert len(pattern_matches(points[0], points[2])) == n
        return
    r = gm.gm_solve_multi(gm.models.multi_from_points(points), time_limit=0.1 if n < 20 else 1)
    assert gm.track_f1(r.tracks, truth) > (0.7 if change == "noisy" else 0.95)
