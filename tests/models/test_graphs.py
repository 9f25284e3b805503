"""Problems from two graphs: networkx, dense and sparse, up to a thousand nodes."""

import networkx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import models
from gmtoolbox.core import edges


def shuffled_graphs(n, seed):
    """A weighted graph, the same one with its nodes in another order, and that order."""
    rng = np.random.default_rng(seed)
    A = rng.random((n, n))
    A = A + A.T
    truth = rng.permutation(n)
    B = np.empty_like(A)
    B[np.ix_(truth, truth)] = A
    return A, B, truth


def test_products_stay_implicit_where_they_must(monkeypatch):
    """Multiplying gives the same answer as the matrix; asking for the edges is refused, with a
    reason.
    """
    A, B, truth = shuffled_graphs(12, seed=2)
    problem = models.from_graphs(A, B)
    expected = {
        method.name: gm.gm_solve(problem, method.name)
        for method in gm.gm_methods()
        if method.matrix_free
    }
    assert expected["ipfps"].labels.tolist() == truth.tolist()
    monkeypatch.setattr(edges, "MATRIX_EDGES", 0)
    monkeypatch.setattr(edges, "MAX_EDGES", 0)
    for method, known in expected.items():
        r = gm.gm_solve(models.from_graphs(A, B), method)
        assert r.labels.tolist() == known.labels.tolist() and r.value == pytest.approx(known.value)
    on_matrices = {"auto", "fm", "fm-bca", "fw"}  # search on A and B where edges cannot be listed
    for method in on_matrices:
        r = gm.gm_solve(models.from_graphs(A, B), method, time_limit=1.0)
        assert problem.is_complete_matching(r.labels) and r.value == problem.energy(r.labels)
    for method in {method.name for method in gm.gm_methods()} - expected.keys() - on_matrices:
        with pytest.raises(
            gm.InputError, match="too many to be written out.*use a method that only multiplies"
        ):
            gm.gm_solve(models.from_graphs(A, B), method)


@pytest.mark.slow
def test_a_thousand_nodes():
    A, B, truth = shuffled_graphs(1000, seed=0)
    r = gm.gm_solve(models.from_graphs(A, B), "sm")
    assert gm.accuracy(r.labels, truth) == 1.0


def test_graphs_networkx_and_sparse():
    G, H = (
        networkx.path_graph(4),
        networkx.relabel_nodes(networkx.path_graph(4), {0: 2, 1: 0, 2: 3, 3: 1}),
    )
    H = networkx.Graph(sorted(H.edges))
    first = models.from_graphs(G, H)
    second = models.from_graphs(networkx.to_scipy_sparse_array(G), networkx.to_numpy_array(H))
    assert first == second and first.sense == "max" and first.complete
    # three common edges, each counted in both directions
    assert gm.gm_solve(first, "ilp").value == 6.0
    alike = models.from_graphs(G, G, similarity=10 * np.eye(4))
    assert gm.gm_solve(alike, "ilp").labels.tolist() == [0, 1, 2, 3]
