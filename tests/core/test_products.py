"""Products of two matrices: sparse ones stay sparse, and every method takes the smallest ones."""

import numpy as np
import pytest
from scipy import sparse
from small import brute_force, problem_with

import gmtoolbox as gm
from gmtoolbox.core import products
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.products import Products, entry_pairs


def test_sparse_matrices_stay_sparse(monkeypatch):
    n = 3000  # dense, one of the two would take 72 MB
    cycle = sparse.diags_array([np.ones(n - 1)], offsets=[1], shape=(n, n)).tocsr()
    edges = Products(cycle, cycle)
    assert sparse.issparse(edges.A) and sparse.issparse(edges.B)
    small = gm.models.from_koopmans_beckmann(cycle[:20, :20], cycle[:20, :20].toarray())
    assert sparse.issparse(small.edges.A) and not sparse.issparse(small.edges.B)
    for made in (
        small.fix([(3, 4)]).problem,
        gm.transforms.swap(small).problem,
        gm.transforms.bijective(
            gm.models.from_koopmans_beckmann(cycle[:4, :4], cycle[:6, :6])
        ).problem,
    ):
        assert isinstance(made.edges, Products)
        assert sparse.issparse(made.edges.A) or sparse.issparse(made.edges.B)


def test_dense_and_sparse_are_the_same_problem():
    rng = np.random.default_rng(0)
    A, B = (rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.5) for n in (4, 5))
    dense = gm.models.from_koopmans_beckmann(A, B)
    thin = gm.models.from_koopmans_beckmann(sparse.csr_matrix(A), sparse.coo_array(B))
    assert dense == thin and dense.n_edges == thin.n_edges
    assert dense.edges.symmetric == thin.edges.symmetric
    labels = np.array([1, 4, -1, 0])
    assert dense.energy(labels) == pytest.approx(thin.energy(labels))
    assert gm.gm_solve(thin, "ilp").value == pytest.approx(gm.gm_solve(dense, "ilp").value)


def test_entries_come_with_their_mirror_images():
    M = np.array([[0.0, 2, 0], [3, 0, 0], [0, 5, 0]])
    expected = [(0, 1, 2, 3), (1, 0, 3, 2), (1, 2, 0, 5), (2, 1, 5, 0)]
    for form in (M, sparse.csr_array(M)):
        assert list(zip(*(x.tolist() for x in entry_pairs(form)), strict=True)) == expected


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize("form", ["dense products", "sparse products", "mixed products"])
def test_portions_are_the_edges_in_the_order_of_listed(form, size):
    for seed in range(5):
        edges = problem_with(form, np.random.default_rng(seed), 4, 6).edges
        a, b, cost = (np.concatenate(part) for part in zip(*edges.portions(size), strict=True))
        listed = edges.written_out()
        assert np.array_equal(a, listed.a) and np.array_equal(b, listed.b)
        assert np.array_equal(cost, listed.cost)


@pytest.mark.parametrize("portion", [1, 7, 10**6])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_few_candidates_are_listed_by_themselves(form, portion, monkeypatch):
    monkeypatch.setattr(products, "PORTION", portion)
    rng = np.random.default_rng(portion)
    for n1, n2, share in ((5, 6, 0.3), (7, 4, 0.5), (6, 6, 0.2), (1, 5, 0.5)) * 5:
        A, B = (rng.integers(-1, 3, (n, n)) * rng.random((n, n)) for n in (n1, n2))
        left, right = np.nonzero(rng.random((n1, n2)) < share)
        if len(left) == 0:
            continue
        zero = np.zeros(len(left))
        p = gm.Problem((n1, n2), left, right, zero, edges=Products(form(A), form(B)))
        every = Products(form(A), form(B), gm.Problem((n1, n2), *np.nonzero(np.ones((n1, n2))),
                         np.zeros(n1 * n2)).candidates)  # fmt: skip
        kept = every.written_out().among(p.candidates, np.arange(n1), np.arange(n2))
        assert len(kept) <= p.edges.at_most <= p.edges.pairs_of_candidates
        assert p.edges.written_out() == kept


def test_the_number_of_edges_follows_the_candidates():
    """A cycle of 1000 nodes with three labels for each: 9 pairs of candidates a link."""
    cycle = sparse.diags_array([np.ones(999)], offsets=[1], shape=(1000, 1000)).tocsr()
    left = np.repeat(np.arange(1000), 3)
    right = (left + np.tile([0, 300, 700], 1000)) % 1000
    p = gm.Problem((1000, 1000), left, right, np.zeros(3000), edges=Products(cycle, -cycle))
    assert p.n_edges <= 9 * 999 < p.edges.pairs_of_entries


def test_the_callers_matrices_stay_as_they_are():
    A = np.ones((3, 3))
    problem = gm.models.from_koopmans_beckmann(A, sparse.csr_array(A))
    assert A.diagonal().all() and not problem.edges.A.diagonal().any()
    with pytest.raises(ValueError, match="read-only"):
        problem.edges.A[0, 1] = 7


def test_refusals():
    for A in (np.ones((2, 3)), np.array([[np.nan]]), sparse.csr_array([[np.inf]])):
        with pytest.raises(InputError, match="A must be a finite square matrix"):
            Products(A, np.ones((1, 1)))
    with pytest.raises(InputError, match="B must be a finite 3 x 3 matrix"):
        gm.Problem((2, 3), [0], [0], [1.0], edges=Products(np.ones((2, 2)), np.ones((2, 2))))


SMALLEST = {
    "two nodes": "2\n0 1\n1 0\n\n0 3\n3 0\n",
    "two nodes, one way": "2\n0 1\n0 0\n\n0 3\n5 0\n",
    "one node": "1\n2\n3\n",
    "no edges": "2\n0 0\n0 0\n\n0 3\n3 0\n",
    "three nodes": "3\n0 1 0\n0 0 1\n0 0 0\n\n0 4 1\n4 0 2\n1 2 0\n",
}


@pytest.mark.parametrize("name", SMALLEST)
def test_every_method_takes_the_smallest_files(tmp_path, name):
    """Edges that come out sorted are int32 as all others: this was a TypeError of cffi once."""
    (tmp_path / "x.dat").write_text(SMALLEST[name])
    problem = gm.load(tmp_path / "x.dat")
    optimum = brute_force(problem)
    for method in gm.gm_methods():
        r = gm.gm_solve(problem, method.name, time_limit=2.0)
        assert r.value >= optimum - 1e-9 and problem.is_complete_matching(r.labels), method.name
        assert r.bound <= optimum + 1e-9, method.name
