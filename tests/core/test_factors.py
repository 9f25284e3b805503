"""Factors: costs of mapping edges to edges, restricted and exchanged."""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.factors import Factors, from_factors

LINE = {"G": np.array([[1, 0], [0, 1], [0, 0]]), "H": np.array([[0, 0], [1, 0], [0, 1]])}  # 0->1->2


def line_problem(**rest):
    return from_factors(np.zeros((3, 3)), np.array([[1.0, 2.0], [4.0, 8.0]]), LINE, LINE, **rest)


def test_an_edge_is_paid_where_both_ends_are_mapped():
    problem = line_problem()
    assert problem.energy(np.array([0, 1, 2])) == 1 + 8
    assert problem.energy(np.array([1, 2, 0])) == 2
    assert problem.energy(np.array([2, 0, 1])) == 4
    assert problem.energy(np.array([2, 1, 0])) == 0  # against the direction


def test_restricted_and_exchanged_factors_stay_factors():
    problem = line_problem()
    rest = problem.fix([(0, 0)])
    assert isinstance(rest.problem.edges, Factors) and rest.problem.edges.KQ.toarray().tolist() == [
        [-8]
    ]
    swapped = gm.transforms.swap(problem)
    assert isinstance(swapped.problem.edges, Factors)
    for labels in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        labels = np.array(labels)
        there = swapped.lower(labels)
        assert swapped.problem.energy(there) == problem.energy(labels)


def test_the_callers_matrices_stay_as_they_are():
    KQ = sparse.csr_array(([0.0, 2.0], ([0, 1], [0, 1])), shape=(2, 2))
    from_factors(np.zeros((3, 3)), KQ, LINE, LINE)
    assert KQ.nnz == 2  # a stored zero among them


def test_refusals():
    bad = {"G": LINE["G"], "H": LINE["H"][:, :1]}
    with pytest.raises(InputError, match="as many columns"):
        from_factors(np.zeros((3, 3)), np.zeros((2, 2)), bad, LINE)
    with pytest.raises(InputError, match="KQ must have shape"):
        from_factors(np.zeros((3, 3)), np.zeros((2, 3)), LINE, LINE)
    with pytest.raises(InputError, match="edges1 must hold nodes in 0..1"):
        gm.Problem((2, 3), [0], [0], [1.0], edges=line_problem().edges)
