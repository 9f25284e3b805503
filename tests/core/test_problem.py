"""Problem: canonical form, views, values, and what it refuses."""

import itertools
import pickle

import numpy as np
import pytest
from scipy import sparse
from small import gallery, matchings, random_problem

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.problem import Problem, unvec, vec


def indicator(problem, labels):
    X = np.zeros(problem.shape)
    for i, s in enumerate(labels):
        if s >= 0:
            X[i, s] = 1
    return X


@pytest.mark.parametrize("name", gallery())
def test_views_all_state_the_same_energy(name):
    problem, _ = gallery()[name]
    for labels in list(matchings(problem))[:40]:
        X = indicator(problem, labels)
        x, reduced = vec(X), X[problem.left, problem.right]
        energy = problem.energy(np.array(labels))
        constant = problem.signed(problem.offset)
        assert x @ (problem.K @ x) + constant == pytest.approx(energy)
        assert reduced @ (problem.reducedK @ reduced) + constant == pytest.approx(energy)
        (G1, H1), (G2, H2) = problem.gph1, problem.gph2
        pairwise = problem.KQ.toarray() * (G1.T @ X @ G2) * (H1.T @ X @ H2)
        assert (problem.KP.toarray() * X).sum() + pairwise.sum() + constant == pytest.approx(energy)
        assert np.all(problem.Ct.toarray() >= X)


def test_order_of_candidates_and_edges_does_not_matter():
    rng = np.random.default_rng(0)
    p = random_problem(rng, 4, 5, density=0.7)
    order = rng.permutation(p.n_candidates)
    rank = np.argsort(order)
    edges = rng.permutation(p.n_edges)
    shuffled = Problem(
        p.shape,
        p.left[order],
        p.right[order],
        p.cost[order],
        rank[p.b[edges]],
        rank[p.a[edges]],
        p.edge_cost[edges],
    )
    assert shuffled == p
    assert np.all(np.diff(shuffled.candidates.key) > 0) and np.all(shuffled.a < shuffled.b)


def test_from_matrix_keeps_the_symmetric_part_only():
    rng = np.random.default_rng(1)
    K = rng.normal(size=(9, 9))
    p, q = Problem.from_matrix(K), Problem.from_matrix(sparse.csr_array((K + K.T) / 2))
    assert p.n_candidates == 9 and p.complete and p.sense == "max"
    assert np.allclose(p.K.toarray(), (K + K.T) / 2) and np.allclose(q.K.toarray(), p.K.toarray())
    X = np.eye(3)
    assert p.energy(np.arange(3)) == pytest.approx(vec(X) @ K @ vec(X))


def test_forbidden_by_mask_or_infinity():
    K = np.zeros((4, 4))
    K[2, 2] = -np.inf
    by_infinity = Problem.from_matrix(K)
    by_mask = Problem.from_matrix(np.zeros((4, 4)), Ct=unvec([1, 1, 0, 1], (2, 2)))
    assert by_infinity == by_mask and by_mask.n_candidates == 3
    with pytest.raises(InputError, match="forbidden pair"):
        by_mask.energy(np.array([1, 0]))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Problem.from_matrix(np.zeros((3, 4))), "square"),
        (lambda: Problem.from_matrix(np.zeros((0, 0))), "empty"),
        (lambda: Problem.from_matrix(np.zeros((6, 6))), "perfect square"),
        (lambda: Problem.from_matrix(np.zeros((6, 6)), shape=(2, 2)), "n1\\*n2 = 4"),
        (
            lambda: Problem.from_matrix(np.zeros((6, 6)), shape=(2, 3), Ct=np.ones((3, 2))),
            "Ct must have shape",
        ),
        (lambda: Problem.from_matrix(np.zeros((4, 4)), Ct=np.full((2, 2), 0.5)), "0 and 1"),
        (lambda: Problem.from_matrix(np.zeros((4, 4), complex)), "real"),
        (lambda: Problem.from_matrix(np.array([["a"]])), "numeric"),
        (lambda: Problem.from_matrix(np.full((4, 4), np.nan)), "NaN"),
        (lambda: Problem.from_matrix(np.full((1, 1), np.inf)), "\\+inf"),
        (lambda: Problem.from_matrix(np.array([[0, np.inf, 0, 0]] + [[0.0] * 4] * 3)), "diagonal"),
        (lambda: Problem.from_matrix(np.full((4, 4), 2**60)), "2\\*\\*53"),
        (lambda: Problem((0, 3), [], [], []), "positive"),
        (lambda: Problem((2, 2.5), [0], [0], [1.0]), "shape"),
        (lambda: Problem((2, 2), [], [], []), "at least one candidate"),
        (lambda: Problem((2, 2), [0, 0], [1, 1], [1.0, 2.0]), "repeat"),
        (lambda: Problem((2, 2), [2], [0], [1.0]), "left must be in 0..1, got 2"),
        (lambda: Problem((2, 2), [0], [0], [np.nan]), "finite"),
        (lambda: Problem((2, 2), [0], [0], [1.0], [0], [0], [1.0]), "itself"),
        (lambda: Problem((2, 2), [0], [0], [1.0], sense="up"), "sense"),
        (lambda: Problem((2, 2), [0], [0], [1.0], offset=np.inf), "offset"),
        (lambda: Problem((2, 2), [0], [0], [1.0], points1=np.zeros((3, 2))), "points1"),
        (lambda: Problem((2, 2), [0], [0], [1.0], ground_truth=[0, 5]), "ground_truth"),
    ],
)
def test_refusals_name_the_rule(make, message):
    with pytest.raises(InputError, match=message):
        make()


def forms_of(K):
    """One matrix in every form that gm_solve takes."""
    coo = sparse.coo_array(K)
    halves = sparse.coo_array(
        (np.tile(coo.data / 2, 2), (np.tile(coo.row, 2), np.tile(coo.col, 2))), shape=K.shape
    )
    shuffled = sparse.csr_array(K)
    for row in range(len(K)):  # columns of every row backwards
        inside = slice(shuffled.indptr[row], shuffled.indptr[row + 1])
        shuffled.indices[inside], shuffled.data[inside] = (
            shuffled.indices[inside][::-1].copy(),
            shuffled.data[inside][::-1].copy(),
        )
    shuffled.has_sorted_indices = shuffled.has_canonical_format = False
    with_zeros = sparse.coo_array((K.ravel(), np.indices(K.shape).reshape(2, -1)), shape=K.shape)
    return {
        "dense": K,
        "Fortran order": np.asfortranarray(K),
        "every second": np.repeat(K, 2, axis=1)[:, ::2],
        "csr": sparse.csr_array(K),
        "csc": sparse.csc_array(K),
        "coo": coo,
        "matrix": sparse.csr_matrix(K),
        "duplicates": halves,
        "unsorted": shuffled,
        "stored zeros": with_zeros,
    }


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("form", forms_of(np.eye(9)))
def test_every_form_of_a_matrix_gives_the_same_edges(form, symmetric):
    rng = np.random.default_rng(3)
    K = np.where(rng.random((9, 9)) < 0.5, rng.normal(size=(9, 9)), 0.0)
    K = K + K.T if symmetric else K
    Ct = unvec(rng.random(9) < 0.8, (3, 3)).astype(float)
    given = forms_of(K)[form]
    before = given.copy()
    for mask in (None, Ct):
        p = Problem.from_matrix(given, Ct=mask)
        kept = np.ones(9, bool) if mask is None else vec(mask) == 1
        S = (K + K.T)[np.ix_(kept, kept)]
        a, b = np.nonzero(np.triu(S, 1))
        assert p == Problem(
            (3, 3), p.left, p.right, -np.diag(S) / 2, a, b, -S[a, b], sense="max", complete=True
        )
        assert p.edge_cost.tolist() == (-S[a, b]).tolist() and p.a.dtype == p.b.dtype == np.int32
    assert (given != before).sum() == 0  # the caller's matrix is as it was


def test_integer_matrices_are_taken_exactly():
    K = np.arange(16).reshape(4, 4)
    assert Problem.from_matrix(K) == Problem.from_matrix(K.astype(float))


def test_pickles_without_caches_and_stays_read_only():
    problem, _ = gallery()["6x6"]
    size = len(pickle.dumps(problem))
    assert problem.K.nnz and problem.KQ.nnz  # fills the caches
    assert len(pickle.dumps(problem)) == size
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    with pytest.raises(ValueError, match="read-only"):
        again.cost[0] = 0
    with pytest.raises(AttributeError):
        problem.cost = None


@pytest.mark.parametrize(
    "labels", [[0, 1], [0.0, 1.0, 2.0, 3.0], [0, 0, 1, 2], [9, 1, 2, 3], [-2, 0, 1, 2]]
)
def test_labels_that_are_no_matching(labels):
    with pytest.raises(InputError, match="labels"):
        gallery()["partial 4x4"][0].energy(labels)


def test_node_names():
    p = Problem((2, 2), [0, 1], [1, 0], [1.0, 2.0], nodes1="ab", nodes2=[("x", 1), 7])
    assert p.nodes1 == ("a", "b") and p.nodes2 == (("x", 1), 7)
    assert pickle.loads(pickle.dumps(p)).nodes2 == p.nodes2
    assert p == Problem((2, 2), [0, 1], [1, 0], [1.0, 2.0])  # names are for people
    for names, message in (
        ("abc", "must hold 2 names, got 3"),
        ("aa", "'a' is there twice"),
        ([[0], [1]], "hashable"),
    ):
        with pytest.raises(InputError, match=message):
            Problem((2, 2), [0], [0], [1.0], nodes1=names)


def test_sums_of_denormal_costs_are_exact_so_no_worse_matching_is_optimal():
    least, pairs = 5e-324, np.arange(9)
    cost = least * np.array([-3, -7, 2, 0, -5, 1, -1, 4, -3])
    edges = list(itertools.combinations(range(9), 2))
    edge_cost = least * np.array([k % 5 - 2 for k in range(len(edges))])
    p = Problem((3, 3), pairs % 3, pairs // 3, cost, *np.transpose(edges), edge_cost, complete=True)
    matchings = [np.array(labels) for labels in itertools.permutations(range(3))]
    best = min(map(p.energy, matchings))
    for labels in matchings:
        assert p.cost_error(labels) == 0.0
        closed = lib.gm_settle(p.energy(labels), best, 0.0, 0, p.tolerance, p.cost_error(labels))
        assert closed.closed == (p.energy(labels) == best)
