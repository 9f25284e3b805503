"""sm, rrwm and ipfp: batches, padding, and matchings that must be found."""

import doctest

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.compat import pygmtools as pygm
from gmtoolbox.compat.pygmtools import classic

SOLVERS = (pygm.sm, pygm.rrwm, pygm.ipfp)


def affinity(rng, n, m):
    """K of two point sets of which one contains the other, and the true matching."""
    P = rng.random((max(n, m), 2))
    order = rng.permutation(max(n, m))
    Q = P[order]
    D1, D2 = (np.linalg.norm(R[:, None] - R, axis=-1) for R in (P[:n], Q[:m]))
    K = np.exp(-((D1[None, :, None, :] - D2[:, None, :, None]) ** 2) / 0.005)
    K *= (1 - np.eye(n))[None, :, None, :] * (1 - np.eye(m))[:, None, :, None]
    return K.reshape(n * m, n * m), (np.arange(n)[:, None] == order[None, :m]).astype(float)


def padded(problems, n, m):
    """(b, n * m, n * m) with each K in the place that left + n * right gives it."""
    K = np.zeros((len(problems), m, n, m, n))
    for k, (part, truth) in enumerate(problems):
        i, j = truth.shape
        K[k, :j, :i, :j, :i] = part.reshape(j, i, j, i)
    return K.reshape(len(problems), n * m, n * m)


@pytest.mark.parametrize("solve", SOLVERS)
def test_a_padded_batch_is_its_single_problems(solve):
    rng = np.random.default_rng(0)
    problems = [affinity(rng, n, m) for n, m in ((5, 6), (4, 4), (5, 3))]
    n1, n2 = np.array([5, 4, 5]), np.array([6, 4, 3])
    X = solve(padded(problems, 5, 6), n1, n2)
    assert X.shape == (3, 5, 6)
    for k, (K, truth) in enumerate(problems):
        n, m = truth.shape
        assert np.array_equal(X[k, :n, :m], solve(K, n, m))
        assert np.array_equal(X[k, :n, :m], solve(K, n1max=n, n2max=m))
        assert not X[k, n:].any() and not X[k, :, m:].any()
        assert np.array_equal(pygm.hungarian(X[k, :n, :m]), truth)


def test_sm_is_the_leading_eigenvector():
    rng = np.random.default_rng(1)
    K = rng.random((12, 12))
    K += K.T
    leading = np.abs(np.linalg.eigh(K)[1][:, -1])
    assert np.allclose(pygm.sm(K, 3, 4), leading.reshape(4, 3).T)


def test_sums_and_types():
    K = affinity(np.random.default_rng(2), 4, 5)[0].astype(np.float32)
    assert np.isclose((pygm.sm(K, 4, 5) ** 2).sum(), 1) and pygm.sm(K, 4, 5).dtype == np.float32
    assert np.isclose(pygm.rrwm(K, 4, 5).sum(), 1)
    assert pygm.ipfp(K, 4, 5).sum() == 4
    assert pygm.sm(np.ones((4, 4), int), 2, 2).sum() > 0


def test_options_of_the_walk_count():
    K = np.random.default_rng(3).random((16, 16))
    usual = pygm.rrwm(K, 4, 4)
    for other in ({"alpha": 0.9}, {"beta": 5}, {"max_iter": 1}, {"sk_iter": 1}):
        assert not np.allclose(usual, pygm.rrwm(K, 4, 4, **other)), other


@pytest.mark.parametrize(
    "more, message",
    [
        ({"x0": np.ones((2, 2))}, "x0 must be None"),
        ({"n1": None}, "n1 or n1max must be given"),
        ({"n1": 3}, "K must be 6 x 6"),
        ({"n1": 3, "n1max": 2}, "n1 must be in 1..2"),
        ({"max_iter": 0}, "maxiter"),
        ({"alpha": 1.5}, "alpha must be in 0 .. 1"),
        ({"sk_iter": 0}, "sk_iter must be a positive integer"),
        ({"backend": "paddle"}, "backend must be"),
    ],
)
def test_refused(more, message):
    with pytest.raises(gm.InputError, match=message):
        pygm.rrwm(**{"K": np.ones((4, 4)), "n1": 2, "n2": 2, **more})


def test_examples():
    assert doctest.testmod(classic).failed == 0


def test_tensors():
    torch = pytest.importorskip("torch")
    K, truth = affinity(np.random.default_rng(4), 4, 5)
    for solve in SOLVERS:
        X = solve(torch.tensor(K)[None], torch.tensor([4]), torch.tensor([5]))
        assert torch.equal(pygm.hungarian(X)[0], torch.tensor(truth))
