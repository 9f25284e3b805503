"""Overlaps: min(A_ij, B_sl) in every question that edges answer, against plain loops."""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core import overlaps
from gmtoolbox.core.edges import Listed
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.overlaps import Overlaps


def draw(rng, n1, n2, directed=True, whole=True):
    """Weight matrices, with loops, few distinct values or many."""
    A, B = (rng.integers(0, 4, (n, n)) * (1.0 if whole else rng.random((n, n))) for n in (n1, n2))
    return (A, B) if directed else (A + A.T, B + B.T)


def value_by_loops(A, B, labels):
    """sum of min(A_ij, B_p(i)p(j)) over all ordered pairs of matched nodes, loops included."""
    pairs = [(i, s) for i, s in enumerate(labels) if s >= 0]
    return sum(min(A[i, j], B[s, t]) for i, s in pairs for j, t in pairs)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("directed", [True, False])
def test_energy_product_and_list(form, whole, directed):
    rng = np.random.default_rng(0)
    for n1, n2 in [(3, 3), (3, 5), (5, 4)]:
        A, B = draw(rng, n1, n2, directed, whole)
        p = gm.models.from_graphs(form(A), form(B), overlap="min")
        listed = p.explicit()
        assert isinstance(p.edges, Overlaps) and isinstance(listed.edges, Listed)
        labels = np.full(n1, -1)
        k = min(n1, n2)
        labels[rng.permutation(n1)[:k]] = rng.permutation(n2)[:k]
        assert p.energy(labels) == pytest.approx(value_by_loops(A, B, labels))
        assert listed.energy(labels) == pytest.approx(value_by_loops(A, B, labels))
        x = rng.random(p.n_candidates)
        assert np.allclose(p.edges.product(x), listed.edges.product(x))
        assert p == listed and fingerprint(p) == fingerprint(listed)
        assert p.edges.largest >= np.abs(listed.edges.cost).max(initial=0.0)
        assert p.n_edges == len(p.edges.written_out()) and p.edges.nonpositive
        assert p.edges.size_among(p.candidates_of(labels)) == pytest.approx(
            abs(p.edges.total(labels))
        )


def test_many_levels_are_listed(monkeypatch):
    """More distinct weights than levels: the same product, from the list."""
    rng = np.random.default_rng(1)
    A, B = draw(rng, 4, 4, whole=False)
    p = gm.models.from_graphs(A, B, overlap="min")
    x = rng.random(16)
    by_levels = p.edges.product(x)
    monkeypatch.setattr(overlaps, "MOST_LEVELS", 2)
    q = gm.models.from_graphs(A, B, overlap="min")
    assert q.edges.levels is None
    assert np.allclose(q.edges.product(x), by_levels)


def test_parts_of_the_problem():
    """Fixed pairs, forbidden pairs and exchanged sides keep the values."""
    rng = np.random.default_rng(2)
    A, B = draw(rng, 5, 6)
    p = gm.models.from_graphs(A, B, overlap="min")
    labels = np.array([3, 1, 5, 0, 2])
    for lifted in (p.fix([(0, 3), (4, 2)]), p.forbid([(0, 0)])):
        rest = lifted.lower(labels)
        assert lifted.problem.energy(rest) == pytest.approx(value_by_loops(A, B, labels))
    other = gm.models.from_graphs(B, A, overlap="min")
    inverse = np.full(6, -1)
    inverse[labels] = np.arange(5)
    assert other.energy(inverse) == pytest.approx(p.energy(labels))


def test_what_is_refused():
    A = np.ones((3, 3))
    with pytest.raises(gm.InputError, match="overlap must be one of product, min, got 'max'"):
        gm.models.from_graphs(A, A, overlap="max")
    with pytest.raises(gm.InputError, match="G2 must have no negative weights"):
        gm.models.from_graphs(A, -A, overlap="min")
    with pytest.raises(gm.InputError, match="edge_match does not go with overlap='min'"):
        gm.models.from_graphs(A, A, overlap="min", edge_match=lambda a, b: 1.0)


def test_the_same_as_products_on_plain_graphs():
    rng = np.random.default_rng(3)
    A, B = ((rng.random((n, n)) < 0.4).astype(float) for n in (4, 5))
    one = gm.models.from_graphs(A, B, overlap="min")
    other = gm.models.from_graphs(A, B)
    assert one == other
