"""Affinity matrices against the sum that they stand for."""

import doctest
import warnings

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.compat import pygmtools as pygm
from gmtoolbox.compat.pygmtools import utils


def test_affinity_matrix_entry_by_entry():
    rng = np.random.default_rng(0)
    f1, f2 = rng.random((2, 3, 2)), rng.random((2, 4, 2))
    e1, e2 = rng.random((2, 2, 1)), rng.random((2, 3, 1))
    ends1 = np.array([[[0, 1], [1, 2]], [[2, 0], [0, 0]]])
    ends2 = np.array([[[0, 1], [1, 3], [3, 0]], [[2, 3], [0, 1], [0, 0]]])
    ne1, ne2 = np.array([2, 1]), np.array([3, 2])
    more = {"ne1": ne1, "ne2": ne2, "edge_aff_fn": pygm.utils.gaussian_aff_fn}
    K = pygm.utils.build_aff_mat(f1, e1, ends1, f2, e2, ends2, **more)
    wanted = np.zeros((2, 12, 12))
    for b in range(2):
        for k, (i, j) in enumerate(ends1[b, : ne1[b]]):
            for q, (s, t) in enumerate(ends2[b, : ne2[b]]):
                wanted[b, i + 3 * s, j + 3 * t] = np.exp(-((e1[b, k, 0] - e2[b, q, 0]) ** 2))
        for i in range(3):
            for s in range(4):
                wanted[b, i + 3 * s, i + 3 * s] = f1[b, i] @ f2[b, s]
    assert np.allclose(K, wanted)
    single = pygm.utils.build_aff_mat(f1[0], e1[0], ends1[0], f2[0], e2[0], ends2[0])
    assert single.shape == (12, 12)
    edges = pygm.utils.build_aff_mat(None, e1, ends1, None, e2, ends2, np.array([3, 3]), **more)
    assert edges.shape == (2, 12, 12) and not edges[:, range(12), range(12)].any()


def test_way_of_the_manual():
    rng = np.random.default_rng(1)
    truth = np.eye(5)[rng.permutation(5)]
    A1 = rng.random((3, 5, 5)) * (1 - np.eye(5))
    A2 = truth.T @ A1 @ truth
    conn1, edge1, ne1 = pygm.utils.dense_to_sparse(A1)
    conn2, edge2, ne2 = pygm.utils.dense_to_sparse(A2)
    assert ne1 == [20] * 3 and np.array_equal(A1[0][tuple(conn1[0].T)], edge1[0, :, 0])
    n, aff = np.repeat([5], 3), lambda x, y: pygm.utils.gaussian_aff_fn(x, y, sigma=0.01)
    K = pygm.utils.build_aff_mat(
        None, edge1, conn1, None, edge2, conn2, n, ne1, n, ne2, edge_aff_fn=aff
    )
    for solve in (pygm.sm, pygm.rrwm, pygm.ipfp):
        assert np.array_equal(pygm.hungarian(solve(K, n, n)), np.repeat(truth[None], 3, 0))


def test_edges_are_padded():
    A = np.zeros((2, 3, 3))
    A[0, 0, 1], A[1, 0, 1], A[1, 2, 0] = 5.0, 6.0, 7.0
    ends, weights, counts = pygm.utils.dense_to_sparse(A)
    assert counts == [1, 2] and weights[:, :, 0].tolist() == [[5.0, 0.0], [6.0, 7.0]]
    assert ends.tolist() == [[[0, 1], [0, 0]], [[0, 1], [2, 0]]]
    assert pygm.utils.dense_to_sparse(A[1])[2] == 2


@pytest.mark.parametrize(
    "more, message",
    [
        ({"edge_feat2": None}, "edge_feat1 and edge_feat2 must be given together"),
        ({"connectivity1": None, "connectivity2": None}, "edge_feat and connectivity of both"),
        ({"node_feat1": np.ones((1, 2, 1)), "node_feat2": np.ones((2, 1))}, "same batch dimension"),
        ({"n1": 1}, "connectivity1 must name nodes below n1"),
        ({"ne1": 2}, "ne1 must be in 1..1"),
        ({"backend": "tensorflow"}, "backend must be"),
    ],
)
def test_refused(more, message):
    edges, ends = np.ones((1, 1)), np.array([[0, 1]])
    given = {
        "node_feat1": None, "edge_feat1": edges, "connectivity1": ends,
        "node_feat2": None, "edge_feat2": edges, "connectivity2": ends,
    }  # fmt: skip
    assert pygm.utils.build_aff_mat(**given).shape == (4, 4)
    with pytest.raises(gm.InputError, match=message):
        pygm.utils.build_aff_mat(**{**given, **more})


def test_examples():
    assert doctest.testmod(utils).failed == 0


def test_tensors():
    torch = pytest.importorskip("torch")
    A = np.random.default_rng(2).random((2, 3, 3))
    ends, weights, _ = pygm.utils.dense_to_sparse(torch.tensor(A))
    assert ends.dtype == torch.int64
    K = pygm.utils.build_aff_mat(None, weights, ends, None, weights, ends)
    ends, weights, _ = pygm.utils.dense_to_sparse(A)
    assert np.allclose(K, pygm.utils.build_aff_mat(None, weights, ends, None, weights, ends))


def test_edges_that_are_given_twice_add_up():
    weights, ends = np.array([[2.0], [3.0]]), np.array([[0, 1], [0, 1]])
    K = pygm.utils.build_aff_mat(None, weights, ends, None, weights, ends)
    assert K[0, 3] == 4.0 + 6.0 + 6.0 + 9.0


def test_nodes_below_0_are_refused():
    weights, ends = np.array([[2.0]]), np.array([[0, -1]])
    with pytest.raises(gm.InputError, match="connectivity1 must name nodes from 0 on"):
        pygm.utils.build_aff_mat(None, weights, ends, None, weights, ends, n1=2, n2=2)


def test_affinities_are_maximised_without_a_word():
    K = -np.eye(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pygm.ipfp(K, 2, 2).sum() == 2
