"""Distances of descriptors, against the plain formulas."""

import warnings

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models import descriptors


def plain(F1, F2, metric):
    if metric == "cosine":
        unit = [F / np.linalg.norm(F, axis=1, keepdims=True) for F in (F1, F2)]
        return 1 - unit[0] @ unit[1].T
    if metric == "hamming":
        return (F1[:, None] != F2).sum(axis=2)
    return np.linalg.norm(F1[:, None] - F2, axis=2)


def drawn(metric, seed=0):
    rng = np.random.default_rng(seed)
    if metric == "hamming":
        return rng.integers(0, 2, (7, 16)), rng.integers(0, 2, (9, 16))
    return rng.normal(size=(7, 5)), rng.normal(size=(9, 5))


@pytest.mark.parametrize("metric", descriptors.METRICS)
@pytest.mark.parametrize("rows", [1, 2**22])  # one row at a time, and all at once
def test_the_nearest(monkeypatch, metric, rows):
    monkeypatch.setattr(descriptors, "ROWS", rows)
    F1, F2 = drawn(metric)
    D = plain(F1, F2, metric)
    label, distance, back = descriptors.nearest(F1, F2, 3, metric)
    assert np.allclose(distance, np.sort(D, axis=1)[:, :3], atol=1e-3)
    assert np.allclose(np.take_along_axis(D, label, axis=1), distance, atol=1e-3)
    assert np.allclose(D[back, np.arange(9)], D.min(axis=0), atol=1e-3)


@pytest.mark.parametrize("metric", descriptors.METRICS)
def test_distances_of_pairs(metric):
    F1, F2 = drawn(metric, 1)
    left, right = np.indices((7, 9)).reshape(2, -1)
    found = descriptors.pair_distances(F1, F2, left, right, metric)
    assert np.allclose(found, plain(F1, F2, metric).ravel(), atol=1e-3)


def test_unknown_metrics_and_numbers_that_are_no_bits():
    with pytest.raises(InputError, match="metric must be one of"):
        descriptors.check_metric("manhattan", np.ones((1, 2)), np.ones((1, 2)))
    with pytest.raises(InputError, match="must hold bits"):
        descriptors.prepare(np.full((1, 2), 0.5), np.ones((1, 2)), "hamming")


def orb(rng, n, width=32):
    """Packed bits of n binary descriptors, as OpenCV has them."""
    return rng.integers(0, 256, (n, width), dtype=np.uint8)


def test_bytes_of_binary_descriptors_are_compared_bit_by_bit():
    """ORB's bytes were compared as numbers: flipped high bits look far away."""
    rng = np.random.default_rng(0)
    F2 = orb(rng, 40)
    F1 = F2.copy()
    F1 ^= np.uint8(0x80) * (rng.random(F1.shape) < 0.3)  # the highest bit of some bytes
    order = rng.permutation(40)
    P = rng.random((40, 2))
    for width in (16, 32, 61, 64):
        F = orb(rng, 5, width)
        assert descriptors.check_metric(None, F, F) == "hamming"
    plain = gm.models.from_points(P, P[order], F1, F2[order])
    asked = gm.models.from_points(P, P[order], F1, F2[order], metric="hamming")
    other = gm.models.from_points(P, P[order], F1, F2[order], metric="euclidean")
    assert plain == asked and plain != other
    pairs = gm.models.nearest_candidates(F1, F2[order], 1)
    assert np.array_equal(order[pairs[:, 1]], np.arange(40))
    assert not np.array_equal(
        pairs, gm.models.nearest_candidates(F1, F2[order], 1, metric="euclidean")
    )
    sets = gm.models.from_feature_sets([F1, F2[order], F2])
    assert sets == gm.models.from_feature_sets([F1, F2[order], F2], metric="hamming")
    assert sets != gm.models.from_feature_sets([F1, F2[order], F2], metric="euclidean")


def test_which_bytes_are_bits():
    rng = np.random.default_rng(1)
    sift, colours, flags = orb(rng, 5, 128), orb(rng, 5, 3), rng.random((5, 9)) < 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert descriptors.check_metric(None, sift, sift) == "euclidean"
        assert descriptors.check_metric(None, sift.astype(float), sift) == "euclidean"
        assert descriptors.check_metric(None, flags, flags) == "hamming"
        assert descriptors.check_metric(None, *[flags.astype(np.uint8)] * 2) == "hamming"
        for metric in descriptors.METRICS:
            assert descriptors.check_metric(metric, colours, colours) == metric
    with pytest.warns(gm.GuessWarning, match="3 bytes a row .* metric='hamming' if .* packed"):
        assert descriptors.check_metric(None, colours, colours) == "euclidean"
