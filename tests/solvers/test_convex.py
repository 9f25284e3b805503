"""The convex relaxation by ADMM: the minimum of the square, whatever the spectra it is given."""

import numpy as np
import pytest
from noisy_graphs import correlated
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _convex, _starts
from gmtoolbox.solvers._convex import Relaxation, agree, sinkhorn, with_sums
from gmtoolbox.solvers._factors import QapFactors


def symmetric(rng, n):
    """A symmetric matrix without a diagonal."""
    M = np.triu(rng.random((n, n)), 1)
    return M + M.T


def scaled(M):
    """M, centred and divided as for grampa, written out here."""
    n = len(M)
    return (M - M.mean()) / np.sqrt(n * M.var())


def least_by_frank_wolfe(A, B, F, steps=3000):
    """(bound, value) around the least ||A X + X B||^2 + <F, X> over doubly stochastic X."""
    X = np.full(F.shape, 1.0 / F.shape[1])
    for _ in range(steps):
        R = A @ X + X @ B
        G = 2 * (A.T @ R + R @ B.T) + F
        rows, columns = linear_sum_assignment(G)
        D = -X.copy()
        D[rows, columns] += 1.0
        S = A @ D + D @ B
        slope, curve = float((G * D).sum()), float((S * S).sum())
        value = float((R * R).sum() + (F * X).sum())
        X = X + min(1.0, -slope / (2 * curve)) * D
    return value + slope, value


@pytest.mark.parametrize("has_costs", [False, True])
def test_the_minimum_is_that_of_frank_wolfe(has_costs):
    rng = np.random.default_rng(1)
    A, B = symmetric(rng, 6), symmetric(rng, 6)
    C = rng.random((6, 6)) if has_costs else None
    factors = QapFactors(gm.models.from_koopmans_beckmann(A, B, C).as_costs())
    relaxation = Relaxation(factors)
    assert relaxation.advance(4000, Budget())
    A, B = scaled(A), scaled(B)
    # -A in the square: the mean of A changes sides, which changes nothing over these X
    sizes = [np.sqrt(6 * M.var()) for M in (factors.A, factors.B)]
    F = np.zeros((6, 6)) if C is None else 2.0 * C / (sizes[0] * sizes[1])
    X = relaxation.point()
    value = float(((A @ X + X @ B) ** 2).sum() + (F * X).sum())
    bound, least = least_by_frank_wolfe(A, B, F)
    assert bound - 1e-4 <= value <= least + 1e-4
    assert X.min() >= 0 and np.allclose(X.sum(axis=1), 1) and np.allclose(X.sum(axis=0), 1)


def test_forbidden_pairs_stay_zero_and_sums_of_rectangles():
    rng = np.random.default_rng(2)
    C = np.where(rng.random((5, 8)) < 0.3, np.inf, 0.0)
    problem = gm.models.from_koopmans_beckmann(symmetric(rng, 5), symmetric(rng, 8), C).as_costs()
    relaxation = Relaxation(QapFactors(problem))
    relaxation.advance(50, Budget())
    X = relaxation.point()
    assert np.all(X[np.isinf(C)] == 0.0)
    assert np.all(X.sum(axis=0) <= 1 + 1e-9) and np.all(X.sum(axis=1) <= 1 + 0.1)
    M = rng.random((3, 5))
    assert np.allclose(with_sums(M, 1).sum(axis=1), 1)
    assert np.allclose(with_sums(M.T, 0.5).sum(axis=0), 0.5)
    S = with_sums(rng.random((4, 4)), 1)
    assert np.allclose(S.sum(axis=0), 1) and np.allclose(S.sum(axis=1), 1)
    assert np.allclose(sinkhorn(rng.random((5, 3)) + 0.1, 200).sum(axis=0), 1)


@pytest.mark.parametrize("shape", [(7, 7), (5, 8), (8, 5)])
def test_sharpening_keeps_iterates_finite_and_forbidden_pairs_zero(shape):
    rng = np.random.default_rng(4)
    C = np.where(rng.random(shape) < 0.2, np.inf, rng.random(shape))
    matrices = (symmetric(rng, n) for n in shape)
    problem = gm.models.from_koopmans_beckmann(*matrices, C).as_costs()
    relaxation = Relaxation(QapFactors(problem))
    relaxation.advance(30, Budget())
    assert relaxation.sharpen(Budget())
    X = relaxation.point()
    assert relaxation.Z.max() <= _convex.LARGEST and np.all(np.isfinite(X))
    assert np.all(X[np.isinf(C)] == 0.0)


def test_shrinking_changes_only_the_scale():
    """The iteration is homogeneous: shrunk iterates and sums go on in proportion."""
    rng = np.random.default_rng(5)
    factors = QapFactors(gm.models.from_graphs(symmetric(rng, 9), symmetric(rng, 9)).as_costs())
    plain, shrunk = Relaxation(factors), Relaxation(factors)
    shrunk.shrink()
    for relaxation in (plain, shrunk):
        for _ in range(20):
            relaxation.step(0.8)
    assert np.allclose(plain.Z, _convex.LARGEST * shrunk.Z, rtol=1e-3, atol=1e-4)


def test_sharpening_finds_what_the_relaxation_hides():
    """A fifth of the edges of a dense graph is changed: the true pairs are few of the largest ones
    of the relaxation, and nearly all of the sharpened one.
    """
    A, B, truth = correlated(150, 0.16, 0.2, 7)
    relaxation = Relaxation(QapFactors(gm.models.from_graphs(A, B).as_costs()))
    relaxation.advance(30, Budget())
    assert np.mean(relaxation.point().argmax(axis=1) == truth) < 0.3
    relaxation.sharpen(Budget())
    assert np.mean(relaxation.point().argmax(axis=1) == truth) > 0.95


def test_missing_eigenvalues_count_as_zero(monkeypatch):
    """With eigenpairs left out whose eigenvalues are 0, a step is that of the whole spectra."""
    rng = np.random.default_rng(3)
    factors = QapFactors(gm.models.from_graphs(symmetric(rng, 9), symmetric(rng, 9)).as_costs())
    whole = _starts.kept_spectra(factors)
    low_rank = [(np.where(np.abs(a) > 0.5, a, 0.0), U) for a, U in whole]
    part = [(a[a != 0], U[:, a != 0]) for a, U in low_rank]
    points = []
    for spectra in (low_rank, part):
        monkeypatch.setattr(_convex, "kept_spectra", lambda *_, spectra=spectra: spectra)
        monkeypatch.setattr(_convex, "typical_square", lambda *_: 0.4)
        relaxation = Relaxation(factors)
        assert relaxation.is_whole == (spectra is low_rank)
        relaxation.advance(20, Budget())
        points.append(relaxation.Z)
    assert np.allclose(*points, atol=1e-4)


def test_agreement_counts_matched_nodes():
    assert agree(np.array([0, 1, 2, -1]), np.array([0, 1, 3, -1]))
    assert not agree(np.array([0, 1, 2, -1]), np.array([1, 0, 2, 3]))


def test_faq_from_the_relaxation_finds_what_the_spectra_miss():
    """Three in twenty edges of a dense graph are other ones; descents from grampa end in noise."""
    A, B, truth = correlated(120, 0.3, 0.15, 0)
    problem = gm.models.from_graphs(A, B)
    found = gm.gm_solve(problem, "faq", start="convex")
    assert gm.accuracy(found.labels, truth) == 1.0
    assert gm.accuracy(gm.gm_solve(problem, "faq").labels, truth) < 0.5
