"""Layers: all questions to the edges answered as by the sum of the layers, written out."""

import itertools
import pickle
import sys

import numpy as np
import pytest
from repetition import times
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core import edges
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.layers import Layers


def random_layers(rng, n1, n2, n_layers, is_sparse=False):
    """(As, Bs, w) of matrices without symmetry."""
    wrap = sparse.csr_array if is_sparse else np.asarray

    def matrix(n):
        return wrap(np.round(rng.normal(size=(n, n)), 2) * (rng.random((n, n)) < 0.6))

    As, Bs = ([matrix(n) for _ in range(n_layers)] for n in (n1, n2))
    return As, Bs, np.round(rng.normal(size=n_layers), 2)


def by_hand(As, Bs, w, labels):
    """sum_k w_k sum_ij A_ij B_p(i)p(j), with nothing of ours; loops count once."""
    total = 0.0
    for A, B, weight in zip(As, Bs, w, strict=True):
        A, B = (M.toarray() if sparse.issparse(M) else M for M in (A, B))
        for i, j in itertools.product(range(len(labels)), repeat=2):
            if labels[i] >= 0 and labels[j] >= 0:
                total += weight * A[i, j] * B[labels[i], labels[j]]
    return total


@pytest.mark.parametrize("seed", range(times(12)))
def test_values_and_optima_by_hand(seed):
    rng = np.random.default_rng(seed)
    n1, n2 = (3, 4) if seed % 3 else (4, 4)
    As, Bs, w = random_layers(rng, n1, n2, 1 + seed % 3, is_sparse=seed % 2 == 0)
    problem = gm.models.from_layers(As, Bs, importance=w)
    assert isinstance(problem.edges, Layers)
    best = -np.inf
    for places in itertools.permutations(range(n2), n1):
        value = by_hand(As, Bs, w, places)
        assert problem.energy(np.array(places)) == pytest.approx(value)
        best = max(best, value)
    for method in ("auto", "aj", "ilp"):
        r = gm.gm_solve(problem, method)
        assert r.status == "optimal" and r.value == pytest.approx(best)
    assert gm.gm_solve(problem, "faq").value <= best + 1e-9


def test_the_forms_are_one_problem():
    rng = np.random.default_rng(5)
    As, Bs, w = random_layers(rng, 4, 5, 3)
    problem = gm.models.from_layers(As, Bs, importance=w)
    listed = problem.explicit()
    assert problem == listed and fingerprint(problem) == fingerprint(listed)
    x = rng.random(problem.n_candidates)
    assert np.allclose(problem.edges.product(x), listed.edges.product(x))
    assert problem.edges.magnitude >= listed.edges.magnitude
    assert problem.edges.largest >= listed.edges.largest
    assert problem.tolerance <= 1e-6
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    fixed = problem.fix([(0, 2)])
    labels = gm.gm_solve(fixed.problem, "ilp").labels
    assert problem.energy(fixed.lift(labels)) == pytest.approx(fixed.problem.energy(labels))


def test_one_layer_is_from_graphs():
    rng = np.random.default_rng(6)
    A, B = rng.random((2, 5, 5))
    similarity = rng.random((5, 5))
    one = gm.models.from_layers([A], [B], similarity=similarity, seeds=[(1, 3)])
    assert one == gm.models.from_graphs(A, B, similarity=similarity, seeds=[(1, 3)])


def test_edges_too_many_to_write_out_are_hashed_and_multiplied(monkeypatch):
    rng = np.random.default_rng(7)
    As, Bs, w = random_layers(rng, 8, 8, 2)
    problem = gm.models.from_layers(As, Bs, importance=w)
    for place in (edges, sys.modules["gmtoolbox.core.fingerprint"]):
        monkeypatch.setattr(place, "MAX_EDGES", 10)
    assert fingerprint(problem) != fingerprint(gm.models.from_layers(As, Bs))
    r = gm.gm_solve(problem)
    assert r.value == pytest.approx(by_hand(As, Bs, w, r.labels)) and r.options["run"] == "faq"
