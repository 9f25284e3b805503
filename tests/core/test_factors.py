"""Factors: costs of mapping edges to edges, restricted and exchanged."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.edges import MAX_EDGES
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


def test_factors_are_the_same_problem():
    rng = np.random.default_rng(4)
    for sense in ("min", "max"):
        source = replace(gm.synth.flow(seed=0, size=5), sense=sense)
        built = from_factors(
            source.KP, source.KQ, source.gph1, source.gph2, source.Ct, sense=sense, complete=False
        )
        assert np.array_equal(built.left, source.left) and np.allclose(
            (built.K - source.K).toarray(), 0
        )
        x = rng.random(built.n_candidates)
        assert np.allclose(
            built.signed(built.cost * x + built.edges.product(x)), source.reducedK @ x
        )
        labels = source.ground_truth
        assert built.energy(labels) == pytest.approx(source.energy(labels))
        as_dicts = from_factors(
            source.KP,
            source.KQ,
            source.gph1._asdict(),
            source.gph2._asdict(),
            source.Ct,
            sense=sense,
        )
        assert np.allclose((as_dicts.K - source.K).toarray(), 0) and as_dicts.complete


def test_loops_of_factors_are_unary_costs():
    """A loop at i and one at s are both there exactly when (i, s) is chosen."""
    KP, KQ = np.zeros((2, 2)), np.array([[5.0, 1.0], [2.0, 3.0]])
    # 0 -> 0 and 0 -> 1
    loop_and_edge = {
        "G": np.array([[1, 1], [0, 0]]),
        "H": np.array([[1, 0], [0, 1]]),
    }
    problem = from_factors(KP, KQ, loop_and_edge, loop_and_edge)
    assert not KP.any() and problem.KP.toarray().tolist() == [[5, 0], [0, 0]]
    for labels, value in (([0, 1], 5.0 + 3.0), ([1, 0], 0.0), ([0, -1], 5.0)):
        assert (
            problem.energy(np.array(labels)) == value == problem.explicit().energy(np.array(labels))
        )
    x = np.random.default_rng(0).random(4)
    assert np.allclose(
        problem.signed(problem.cost * x + problem.edges.product(x)), problem.explicit().reducedK @ x
    )


@pytest.mark.slow
def test_factors_of_a_thousand_nodes():
    """35 million products, of which none is written out."""
    rng = np.random.default_rng(0)
    P = rng.random((1000, 2)) * 1000
    order = rng.permutation(1000)
    graphs, across = [], []
    for points in (P, (P + rng.normal(0, 0.5, P.shape))[order]):
        edges = gm.models.delaunay_edges(points)
        start, end = np.concatenate([edges, edges[:, ::-1]]).T
        incidence = [
            sparse.csr_array((np.ones(len(x)), (x, np.arange(len(x)))), shape=(1000, len(x)))
            for x in (start, end)
        ]
        graphs.append(dict(zip("GH", incidence, strict=True)))
        across.append(points[start] - points[end])
    KQ = np.exp(-((across[0][:, None] - across[1]) ** 2).sum(axis=2) / 50)
    problem = from_factors(np.zeros((1000, 1000)), KQ, *graphs)
    assert problem.n_edges > MAX_EDGES
    assert gm.accuracy(gm.gm_solve(problem, "sm").labels, np.argsort(order)) == 1.0
