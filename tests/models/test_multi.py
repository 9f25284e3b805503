"""Builders of problems of many graphs."""

import numpy as np
import pytest

import gmtoolbox as gm


def test_builders():
    rng = np.random.default_rng(0)
    base = rng.uniform(0, 100, (8, 2))
    frames = [base + 5 * t + rng.normal(0, 0.3, base.shape) for t in range(4)]
    m = gm.models.multi_from_points(frames, both=True, width=20.0, unary=0.2)
    assert m.d == 4 and not m[0, 1].complete and m[0, 1].cost.max() == pytest.approx(0.2)
    r = gm.gm_solve_multi(m)
    assert gm.track_f1(r.tracks, [np.arange(8)] * 4) == 1.0
    descriptors = rng.normal(size=(8, 6))
    images = [descriptors[rng.permutation(8)] for _ in range(3)]
    f = gm.models.from_feature_sets(images, points=frames[:3])
    assert f.n_edges > 0 and gm.models.from_feature_sets(images).n_edges == 0
    truth = [np.argmin(np.linalg.norm(x[:, None] - descriptors, axis=2), axis=1) for x in images]
    plain = gm.models.from_feature_sets(images, truth=truth)
    assert gm.track_f1(gm.gm_solve_multi(plain).tracks, truth) == 1.0
    for wrong in ([frames[0]], [frames[0], frames[1][:, :1], frames[2] * np.nan]):
        with pytest.raises(gm.InputError):
            gm.models.multi_from_points(wrong)


def test_worms_multi_is_seeded_and_matches_its_truth(scene):
    assert gm.synth.worms_multi(d=4, m=12, seed=2) == scene
    assert gm.synth.worms_multi(d=4, m=12, seed=3) != scene
    m = gm.synth.worms_multi(d=4, m=40)
    r = gm.gm_solve_multi(m, maxiter=300)
    assert gm.track_f1(r.tracks, m.truth) > 0.9
    with pytest.raises(gm.InputError, match="d must be"):
        gm.synth.worms_multi(d=1)
