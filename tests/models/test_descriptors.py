"""Distances of descriptors, against the plain formulas."""

import numpy as np
import pytest

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
        descriptors.prepare(np.ones((1, 2)), np.ones((1, 2)), "manhattan")
    with pytest.raises(InputError, match="must hold bits"):
        descriptors.prepare(np.full((1, 2), 0.5), np.ones((1, 2)), "hamming")
