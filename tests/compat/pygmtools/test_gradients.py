"""Gradients of sm and rrwm to K: finite differences of the answers themselves."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.compat.pygmtools import classic

STEP = 1e-6


def answer(method, K, shape, options):
    """The soft answer of one K, and its number of iterations."""
    r = gm.gm_solve(K, method, shape=shape, **options)
    return (classic.unit_length if method == "sm" else classic.unit_sum)(r), r.n_iter


def differences(method, K, G, shape, options):
    """d <G, X> / dK by central differences."""
    found = np.empty_like(K)
    for place in np.ndindex(K.shape):
        ends = []
        for sign in (1, -1):
            moved = K.copy()
            moved[place] += sign * STEP
            ends.append((G * answer(method, moved, shape, options)[0]).sum())
        found[place] = (ends[0] - ends[1]) / (2 * STEP)
    return found


WALK = {"sweeps": 4, "c": 0.8, "amp_max": 10.0, "tolC": 1e-3}


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2)])
@pytest.mark.parametrize(
    "method, options, pull_back",
    [
        ("sm", {"maxiter": 4, "sweeps": 0}, classic.pull_back_power),
        ("rrwm", {"maxiter": 3, **WALK}, lambda *a: classic.pull_back_walk(*a, **WALK)),
        ("rrwm", {"maxiter": 50, **WALK}, lambda *a: classic.pull_back_walk(*a, **WALK)),
    ],
)
def test_finite_differences(method, options, pull_back, shape):
    rng = np.random.default_rng(sum(shape) + options["maxiter"])
    N = shape[0] * shape[1]
    K, G = rng.random((N, N)), rng.normal(size=shape)
    n_iter = answer(method, K, shape, options)[1]
    found = pull_back(K, G, n_iter)
    expected = differences(method, K, G, shape, options)
    assert np.abs(expected).max() > 1e-3
    assert np.allclose(found, expected, atol=1e-7 + 1e-5 * np.abs(expected).max())


def test_a_batch_is_pulled_back_problem_by_problem():
    rng = np.random.default_rng(0)
    K, G = rng.random((2, 6, 6)), rng.normal(size=(2, 3, 2))
    rows = np.array([0, 1, 3, 4])  # 2 x 2 nodes in the place of 3 x 2
    runs = [(np.arange(6), K[0], (3, 2), 5), (rows, K[1][np.ix_(rows, rows)], (2, 2), 5)]
    found = classic.pull_back_batch(classic.pull_back_power, K.shape, runs, G)
    assert np.array_equal(found[0], classic.pull_back_power(K[0], G[0], 5))
    small = classic.pull_back_power(runs[1][1], G[1, :2], 5)
    assert np.array_equal(found[1][np.ix_(rows, rows)], small)
    assert np.count_nonzero(found[1]) == np.count_nonzero(small)


def test_a_run_that_broke_down_has_gradient_0():
    runs = [(np.arange(4), np.zeros((4, 4)), (2, 2), 0)]
    found = classic.pull_back_batch(classic.pull_back_power, (1, 4, 4), runs, np.ones((1, 2, 2)))
    assert not found.any()
