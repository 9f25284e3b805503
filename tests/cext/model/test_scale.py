"""What matchings differ in (model/scale.c): a typical price of a second choice."""

from dataclasses import replace

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core._ffi import lib


def scale(problem):
    return lib.gm_cost_scale(problem.c_model[0])


def of_matrix(C, complete=True, **edges):
    C = np.asarray(C, dtype=float)
    right, left = np.nonzero(np.isfinite(C.T))
    return gm.Problem(C.shape, left, right, C[left, right], complete=complete, **edges)


def test_unary_costs_by_hand():
    # rows less their least cost: 0 1 4; 0 2 7; 3 0 1; then columns less theirs: 0 1 3; 0 2 6; 3 0 0
    assert scale(of_matrix([[5, 6, 9], [2, 4, 9], [4, 1, 2]])) == 1.0
    # a node that may stay free has 0 among its costs: 2 is its second choice
    assert scale(of_matrix([[2.0]], complete=False)) == 2.0
    assert scale(of_matrix([[-3.0]], complete=False)) == 3.0


def test_pair_costs_by_hand():
    pairs = dict(a=[0, 0, 0, 1], b=[3, 5, 7, 8], edge_cost=[-4.0, -1.0, 2.0, 5.0])
    # candidates (0, 0) .. (2, 2) by columns; rows (0,0)-1: -4 at (1,1); (0,0)-2: -1, 2, 0; ...
    assert 0 < scale(of_matrix(np.zeros((3, 3)), **pairs)) <= 4.0


@pytest.mark.parametrize("complete", [False, True])
def test_constants_change_nothing(complete):
    rng = np.random.default_rng(1)
    for _ in range(20):
        problem = random_problem(rng, 5, 6, complete=complete, edges=0.3)
        known = scale(problem)
        assert known > 0
        reward = replace(problem, cost=problem.cost - 2.0**20)
        if complete:
            assert scale(reward) == pytest.approx(known, rel=1e-6)
        else:  # 0, for a free node, was among the costs that are near
            assert known / 20 < scale(reward) < 20 * known
        assert scale(replace(problem, cost=0.25 * problem.cost, edge_cost=0.25 * problem.edge_cost)
                     ) == 0.25 * known  # fmt: skip
    left = np.round(rng.normal(size=(6, 1)) * 2**20)
    right = np.round(rng.normal(size=(1, 6)) * 2**20)
    C = np.round(rng.random((6, 6)) * 2**10)
    by_node = scale(of_matrix(C + left, complete=True))
    assert by_node == pytest.approx(scale(of_matrix(C, complete=True)), rel=3)
    assert scale(of_matrix(C + left + right, complete=True)) < 2**11


def test_one_label_for_all_has_prices_too():
    """Every node has one candidate only: the prices are those of the label."""
    C = -1e9 + np.array([[0.3], [0.7], [0.1], [0.9]])
    assert scale(of_matrix(C, complete=False)) <= 0.2001 * 1000, "of the least price"


def test_two_nodes_and_two_labels_have_a_price_of_their_pair():
    pairs = dict(a=[0, 1], b=[3, 2], edge_cost=[1e8 + 0.25, 1e8 + 1.0])
    assert scale(of_matrix(np.zeros((2, 2)), **pairs)) == 0.75


def test_prohibitive_costs_change_little():
    rng = np.random.default_rng(2)
    C = rng.random((20, 20))
    forbidden = rng.random((20, 20)) < 0.8
    np.fill_diagonal(forbidden, False)
    known = scale(of_matrix(np.where(forbidden, np.inf, C)))
    for huge in (1e3, 1e9, 1e12):
        assert scale(of_matrix(np.where(forbidden, huge * (1 + C), C))) < 5 * known


def test_one_small_price_among_large_ones_counts():
    C = 1e12 * np.random.default_rng(3).random((6, 6))
    C[0, :2] = 1e-6, 3e-6
    assert scale(of_matrix(C, complete=True)) <= 1e-6 * 3000


def test_small_differences_between_later_choices_count():
    """Where the first choice of a node is taken by another one, the next ones decide."""
    C = np.array([[-7.0, 8e8, 8e8 + 1e-3], [-5e8, 3e8, 4e8]])
    assert scale(of_matrix(C)) <= 1.01


def test_equal_costs_have_their_size():
    assert scale(of_matrix(np.full((3, 3), -7.0))) == 7.0
    assert scale(of_matrix(np.zeros((3, 3)))) == 0.0
    assert scale(of_matrix([[1e303, -1e303]])) == 2e303


def test_many_edges_are_sampled():
    rng = np.random.default_rng(4)
    problem = random_problem(rng, 24, 24, edges=1.0, complete=True)
    assert problem.n_edges > 2**16
    few = random_problem(np.random.default_rng(4), 12, 12, edges=1.0, complete=True)
    assert scale(problem) == pytest.approx(scale(few), rel=20)


@pytest.mark.parametrize("complete", [False, True])
def test_a_single_pair_cost_counts_next_to_a_prohibitive_one(complete):
    """Pairs without a cost are a choice, also among few candidates."""
    C = [[0.0, np.inf, 0.0], [np.inf, 0.0, 1e11], [0.0, 1e11, 0.0]]
    problem = of_matrix(C, complete, a=[0], b=[2], edge_cost=[2.0])
    assert (problem.left[2], problem.right[2]) == (1, 1)
    assert scale(problem) <= 2000.0
