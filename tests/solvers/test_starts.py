"""First matchings: allowed ones, the right ones where the order of sums or the spectrum tells."""

import numpy as np
import pytest
import scipy.sparse as sp
from products import KINDS, random_products

import gmtoolbox as gm
from gmtoolbox.solvers import _starts
from gmtoolbox.solvers._factors import Factors


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("complete", [True, False])
def test_first_labels_are_allowed(kind, complete):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        problem = random_products(
            rng, 4, 6, kind, complete=complete, forbidden=0.3 * (seed % 2), unary=True
        ).as_costs()
        labels = _starts.first_labels(Factors(problem))
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
        factors = Factors(gm.models.from_graphs(A, B).as_costs())
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
    assert _starts.filled(np.array([2, -1, -1]), 4).tolist() == [2, 0, 1]
    assert _starts.filled(np.array([2, -1, -1]), 4, wanted=[0, 3, 2]).tolist() == [2, 3, 0]
    assert _starts.filled(np.array([-1, 0]), 1).tolist() == [-1, 0]
