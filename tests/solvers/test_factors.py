"""Koopmans-Beckmann problems as their own methods see them."""

import numpy as np
import pytest
import scipy.sparse as sp
from products import random_products

import gmtoolbox as gm
from gmtoolbox.solvers._factors import QapFactors, choose_form, has_factors, links, pad_dense


def test_square_and_lift_are_inverse():
    rng = np.random.default_rng(0)
    for complete in (True, False):
        factors = QapFactors(random_products(rng, 4, 6, complete=complete).as_costs())
        assert factors.n == (6 if complete else 10)
        labels = np.array([2, 5, 0, 1] if complete else [2, -1, 0, -1], dtype=np.int32)
        at = factors.square(labels)
        assert sorted(at) == list(range(factors.n)) and np.array_equal(factors.lift(at), labels)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
def test_the_gradient_is_what_each_pair_would_pay(sparse, symmetric):
    rng = np.random.default_rng(1)
    problem = random_products(rng, 4, 5, symmetric=symmetric, sparse=sparse).as_costs()
    factors = QapFactors(problem)
    A, B = (M.toarray() if sp.issparse(M) else M for M in (factors.A, factors.B))
    labels = np.array([3, -1, 0, 4])
    G = factors.gradient_at(labels)
    G = G.toarray() if sp.issparse(G) else G
    for i in range(4):
        for s in range(5):
            pays = [
                0.5 * (A[i, j] * B[s, t] + A[j, i] * B[t, s])
                for j, t in enumerate(labels)
                if t >= 0
            ]
            assert G[i, s] == pytest.approx(sum(pays))


def test_unary_costs_and_forbidden_pairs():
    rng = np.random.default_rng(2)
    plain = QapFactors(random_products(rng, 3, 3).as_costs())
    assert plain.C is None and plain.all_pairs
    problem = random_products(rng, 3, 4, unary=True, forbidden=0.4).as_costs()
    C = QapFactors(problem).C
    allowed = np.zeros((3, 4), bool)
    allowed[problem.left, problem.right] = True
    assert np.array_equal(np.isfinite(C), allowed)
    assert np.array_equal(C[problem.left, problem.right], problem.cost)


def test_links_hold_every_entry_of_both_directions():
    M = sp.csr_array(np.array([[0, 2.0, 0], [0, 0, 0], [5.0, 0, 0]]))
    start, other, out, back = links(M)
    found = {
        (i, int(other[k])): (out[k], back[k])
        for i in range(3)
        for k in range(start[i], start[i + 1])
    }
    assert found == {(0, 1): (2.0, 0.0), (1, 0): (0.0, 2.0), (0, 2): (0.0, 5.0), (2, 0): (5.0, 0.0)}


def test_few_entries_multiply_as_a_sparse_matrix():
    M = np.zeros((100, 100))
    M[0, 1] = 1.0
    assert sp.issparse(choose_form(M)) and not sp.issparse(choose_form(np.ones((100, 100))))
    assert np.array_equal(pad_dense(np.ones((2, 2)), 3), [[1, 1, 0], [1, 1, 0], [0, 0, 0]])


def test_which_problems_have_factors():
    assert has_factors(random_products(np.random.default_rng(3), 3, 3))
    assert not has_factors(gm.Problem((1, 1), [0], [0], [1.0]))
