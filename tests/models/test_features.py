"""Problems from features: energies equal loops over nodes and edges; functions are checked."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.features import ends, features_of

RING = [[0, 1], [1, 2], [2, 0]]


def by_loops(labels, nodes, edges1, edges2, KQ, directed):
    total = sum(nodes[i, s] for i, s in enumerate(labels) if s >= 0)
    for e, (i, j) in enumerate(edges1):
        for f, (s, t) in enumerate(edges2):
            if labels[i] == s and labels[j] == t:
                total += KQ[e, f]
            if not directed and labels[i] == t and labels[j] == s:
                total += KQ[e, f]
    return total


@pytest.mark.parametrize("directed", [False, True])
def test_energies_equal_loops(directed):
    rng = np.random.default_rng(0)
    F1, F2 = rng.random((3, 2)), rng.random((4, 2))
    E1, E2 = rng.random((3, 5)), rng.random((4, 5))
    edges2 = [[0, 1], [1, 2], [2, 3], [3, 0]]
    p = gm.models.from_features(F1, F2, RING, edges2, E1, E2, directed=directed, complete=False)
    for labels in ([0, 1, 2], [3, -1, 0], [2, 1, 0], [-1, -1, -1]):
        wanted = by_loops(labels, F1 @ F2.T, RING, edges2, E1 @ E2.T, directed)
        assert p.energy(np.array(labels)) == pytest.approx(wanted)


def test_gaussian_is_one_at_home_and_falls():
    K = gm.models.gaussian(0.5)(np.array([[0.0], [1.0]]), np.array([[0.0], [1.0]]))
    assert np.allclose(np.diag(K), 1.0) and K[0, 1] == pytest.approx(np.exp(-2.0))
    with pytest.raises(InputError, match="sigma must be positive"):
        gm.models.gaussian(0.0)


def test_functions_of_the_caller_are_checked():
    F = np.eye(3)
    with pytest.raises(InputError, match="node_affinity must be a function"):
        gm.models.from_features(F, F, node_affinity="cosine")
    with pytest.raises(InputError, match=r"must give a matrix of shape \(3, 3\), gave \(3,\)"):
        gm.models.from_features(F, F, node_affinity=lambda a, b: np.ones(3))
    with pytest.raises(InputError, match="edge_affinity must give finite"):
        gm.models.from_features(F, F, RING, RING, edge_affinity=lambda a, b: a @ b.T * np.nan)


def test_edges_and_their_features_are_checked():
    with pytest.raises(InputError, match=r"edges1 must be \(m, 2\)"):
        ends("edges1", [[0, 1, 2]], 3, False)
    with pytest.raises(InputError, match=r"must join nodes 0\.\.2, got 3"):
        ends("edges1", [[0, 3]], 3, False)
    with pytest.raises(InputError, match="a row for each of 2 edges, got 1"):
        features_of("edge_features1", [[1.0]], 2)
    assert ends("edges1", None, 3, False).shape == (0, 2)
    assert features_of("edge_features1", [1.0, 2.0], 2).shape == (2, 1)


def test_edges_alone():
    """from_features(None, None, E1, E2) is documented, and raised."""
    path, longer = [[0, 1], [1, 2]], [[0, 1], [1, 2], [2, 3]]
    p = gm.models.from_features(None, None, path, longer)
    assert p.shape == (3, 4) and gm.gm_solve(p).value == 2.0
    Ct = np.ones((5, 4))
    assert gm.models.from_features(None, None, path, longer, Ct=Ct).shape == (5, 4)
    assert gm.models.from_features(None, None, Ct=Ct).shape == (5, 4)
    with pytest.raises(InputError, match="nothing has a size"):
        gm.models.from_features(None, None)
    with pytest.raises(InputError, match="nodes1 and nodes2 go together"):
        gm.models.from_features(None, np.eye(3), path, path)


def test_loops_and_listed_edges_count_once():
    loop, edge = [[0, 0]], [[0, 1]]
    for directed in (False, True):
        made = gm.models.from_features(
            None, None, loop, loop, Ct=np.ones((2, 2)), directed=directed
        )
        assert made.energy([0, 1]) == 1.0 and made.energy([1, 0]) == 0.0
        made = gm.models.from_features(None, None, edge, edge, directed=directed)
        assert made.energy([0, 1]) == 1.0 and made.energy([1, 0]) == (0.0 if directed else 1.0)
    both = [[0, 1], [1, 0]]
    for edges in (both, [[0, 1], [0, 1]]):
        with pytest.raises(
            InputError, match="edges1 must list an undirected edge once, got {0, 1}"
        ):
            gm.models.from_features(None, None, edges, edge)
    assert gm.models.from_features(None, None, both, both, directed=True).energy([0, 1]) == 2.0


def test_what_is_given_and_not_used_is_refused():
    F, E = np.eye(3), [[0, 1]]
    for arguments, named in (
        (dict(node_affinity=gm.models.inner_product, nodes=None, edges=E), "node_affinity"),
        (dict(edge_affinity=gm.models.inner_product, nodes=F, edges=None), "edge_affinity"),
        (dict(edge_features1=F, edge_features2=F, nodes=F, edges=None), "edge_features1"),
    ):
        nodes, edges = arguments.pop("nodes"), arguments.pop("edges")
        with pytest.raises(InputError, match=f"{named} "):
            gm.models.from_features(nodes, nodes, edges, edges, **arguments)
    with pytest.raises(InputError, match="edges1 and edges2 go together"):
        gm.models.from_features(F, F, E)
    with pytest.raises(InputError, match="edge_features1 and edge_features2 go together"):
        gm.models.from_features(F, F, E, E, [[1.0]])
