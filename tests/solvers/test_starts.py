"""First matchings: allowed ones, the right ones where the order of sums or the spectrum tells."""

import numpy as np
import pytest
import scipy.sparse as sp
from products import KINDS, random_products

import gmtoolbox as gm
from gmtoolbox.solvers import _starts
from gmtoolbox.solvers._factors import QapFactors


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("complete", [True, False])
def test_first_labels_are_allowed(kind, complete):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        problem = random_products(
            rng, 4, 6, kind, complete=complete, forbidden=0.3 * (seed % 2), unary=True
        ).as_costs()
        labels = _starts.first_labels(QapFactors(problem))
        problem.total_cost(labels)  # raises where a pair is not allowed
        assert not complete or problem.is_complete_matching(labels)
        assert complete or problem.total_cost(labels) <= problem.offset + 1e-9 or seed % 2


def test_grampa_recognises_a_permuted_graph():
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((60, 60)) < 0.3, 1).astype(float)
    A, order = A + A.T, rng.permutation(60)
    B = np.zeros((60, 60))
    B[np.ix_(order, order)] = A
    for normalised in (False, True):
        factors = QapFactors(gm.models.from_graphs(A, B).as_costs())
        (scores,) = _starts.grampa(factors, normalised=normalised)
        found = _starts.best_assignment(factors, scores)
        assert np.mean(found == order) > 0.95


def test_part_of_the_spectrum_is_like_the_whole(monkeypatch):
    rng = np.random.default_rng(1)
    M = np.triu(rng.random((80, 80)) < 0.2, 1).astype(float)
    M = sp.csr_array(M + M.T)
    whole, _ = _starts.spectrum(M, False)
    monkeypatch.setattr(_starts, "WHOLE_SPECTRUM", 50)
    monkeypatch.setattr(_starts, "PART", 10)
    part, vectors = _starts.spectrum(M, False)
    assert np.allclose(np.sort(part)[-10:], whole[-10:], atol=1e-3) and vectors.shape == (80, 20)


def test_assignments_on_few_pairs():
    scores = np.random.default_rng(2).random((6, 8)) + 3 * np.eye(6, 8)
    assert _starts.pruned_assignment(scores, kept=2).tolist() == [0, 1, 2, 3, 4, 5]
    gain = sp.csr_array(np.array([[5.0, 4.0], [4.5, 0.0]]))
    assert _starts.sparse_assignment(gain).tolist() == [1, 0]


def test_free_labels_are_given_away():
    assert _starts.fill_labels(np.array([2, -1, -1]), 4).tolist() == [2, 0, 1]
    assert _starts.fill_labels(np.array([2, -1, -1]), 4, wanted=[0, 3, 2]).tolist() == [2, 3, 0]
    assert _starts.fill_labels(np.array([-1, 0]), 1).tolist() == [-1, 0]


def permuted(A, rng):
    """(B, order): the graph with its nodes in another order."""
    order = rng.permutation(A.shape[0])
    B = np.zeros(A.shape)
    B[np.ix_(order, order)] = A
    return sp.csr_array(B), order


@pytest.mark.parametrize("full", [2500, 10])
def test_seeds_lead_the_spectral_start(full, monkeypatch):
    """Similarities to the few pairs beside seeds say more than the spectra alone."""
    monkeypatch.setattr(_starts, "FULL_ASSIGNMENT", full)
    n, rng = 200, np.random.default_rng(2)
    A = np.triu(rng.random((n, n)) < 5 / n, 1)
    noisy = A & (rng.random((n, n)) < 0.9)
    B, order = permuted((noisy | noisy.T).astype(float), rng)
    seeds = [(i, int(order[i])) for i in range(8)]
    problem = gm.models.from_graphs((A | A.T).astype(float), B, seeds=seeds).as_costs()
    rest = problem.fix(seeds)
    factors = QapFactors(rest.problem)
    assert _starts.has_few_costs(factors)
    plain, seeded = [_starts.best_assignment(factors, S) for S in _starts.grampa(factors)]
    assert np.mean(rest.lift(seeded) == order) > 0.9 > 0.7 > np.mean(rest.lift(plain) == order)
    assert np.array_equal(_starts.spectral_labels(factors), seeded)


def test_positive_costs_of_few_pairs():
    """Of costs that are to be avoided the likeness is 1 almost everywhere."""
    rng = np.random.default_rng(0)
    A, C = (rng.random((2, 40, 40)) < 0.2).astype(float)
    A = np.triu(A, 1) + np.triu(A, 1).T
    B, _ = permuted(A, rng)
    C *= rng.random((40, 40)) < 0.3
    factors = QapFactors(gm.models.from_koopmans_beckmann(-A, B, C).as_costs())
    assert _starts.has_few_costs(factors)
    (a, U), (b, V) = _starts.kept_spectra(factors)
    damped = 1.0 / ((a[:, None] - b) ** 2 + _starts.ETA**2)
    expected = U @ ((U.T @ _starts.likeness(factors) @ V) * damped) @ V.T
    assert np.allclose(list(_starts.grampa(factors))[1], expected)


def test_memory_of_spectral_starts():
    def gigabytes(n):
        M = sp.csr_array(([1.0], ([0], [1])), shape=(n, n))
        return _starts.grampa_gigabytes(QapFactors(gm.models.from_graphs(M, M).as_costs()))

    assert gigabytes(1000) == pytest.approx(0.08)
    assert gigabytes(5000) < 0.3  # some eigenvectors, and rows of similarities
