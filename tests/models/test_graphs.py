"""Problems from two graphs: networkx, dense and sparse, up to a thousand nodes."""

import networkx
import numpy as np
import pytest
from repetition import times
from scipy import sparse

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


def test_attributes_are_compared_by_value():
    """Not by how they are printed: types of numbers look different, long arrays look the same."""

    def graph(*values):
        G = networkx.path_graph(len(values))
        networkx.set_node_attributes(G, dict(enumerate(values)), "x")
        return G

    def similar(first, second):
        return models.from_graphs(graph(*first), graph(*second), similarity="x").KP.toarray()

    numbers = similar((1, 2, 3), (np.int64(3), 1.0, np.float32(2)))
    assert numbers.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    long, changed = np.zeros(2000), np.zeros(2000)
    changed[1000] = 1.0
    assert similar((long, changed), (changed, long.copy())).tolist() == [[0, 1], [1, 0]]


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


# ---- one value for an edge, with edge_match and without


def common_weight(A, B, labels):
    """sum A_ij B_sl x_is x_jl, written out."""
    chosen = [(i, s) for i, s in enumerate(labels) if s >= 0]
    return sum(A[i, j] * B[s, t] for i, s in chosen for j, t in chosen)


def adjacency(graph, weight, directed):
    """The matrix of a networkx graph in which an undirected edge stands twice and a loop once."""
    nodes = list(graph)
    A = np.zeros((len(nodes), len(nodes)))
    for u, v, data in graph.edges(data=True):
        value = 1.0 if weight is None else data.get(weight, 1.0)
        i, j = nodes.index(u), nodes.index(v)
        A[i, j] += value
        if i != j and not graph.is_directed():
            A[j, i] += value
    if directed is False:
        n = len(A)
        A = np.array([[larger(A[i, j], A[j, i]) for j in range(n)] for i in range(n)])
    return A


def larger(one, other):
    """The larger of two entries, a missing one apart."""
    return one + other if one == 0 or other == 0 else max(one, other)


KINDS = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph)


def random_graph(rng, kind, n, weighted):
    """A graph with self loops, arcs both ways and, if it can, parallel edges."""
    graph = kind()
    graph.add_nodes_from(range(n))
    for _ in range(2 * n + 2):
        u, v = rng.integers(n, size=2).tolist()
        graph.add_edge(u, v, **({"weight": float(rng.integers(-2, 4)) or 1.0} if weighted else {}))
    return graph


@pytest.mark.parametrize("kind", KINDS)
def test_an_edge_is_worth_the_same_with_an_edge_match_that_accepts_everything(kind):
    """A self loop counted 1 and 4, both arcs of a pair 2 and 8."""
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(times(60)):
        weighted = rng.random() < 0.5
        G, H = (random_graph(rng, kind, int(rng.integers(1, 5)), weighted) for _ in range(2))
        directed = [None, True, False][int(rng.integers(3))]
        asked = {"weight": "weight" if weighted else None, "directed": directed, "complete": False}
        plain = models.from_graphs(G, H, **asked)
        matched = models.from_graphs(G, H, edge_match=lambda one, other: True, **asked)
        A, B = (adjacency(graph, asked["weight"], directed) for graph in (G, H))
        for _ in range(5):
            labels = np.full(len(G), -1)
            some = rng.permutation(len(G))[: int(rng.integers(min(len(G), len(H)) + 1))]
            labels[some] = rng.permutation(len(H))[: len(some)]
            expected = common_weight(A, B, labels)
            assert plain.energy(labels) == pytest.approx(expected)
            assert matched.energy(labels) == pytest.approx(expected)


def test_matrices_with_an_edge_match():
    A = np.array([[2.0, 3.0, 0.0], [3.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    everything = {"edge_match": lambda one, other: True}
    for matrix in (A, np.triu(A), A.tolist()):
        for directed in (None, False):
            plain = models.from_graphs(matrix, matrix, directed=directed)
            matched = models.from_graphs(matrix, matrix, directed=directed, **everything)
            for labels in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
                assert plain.energy(labels) == matched.energy(labels)


def test_a_weight_that_edges_do_not_have():
    """weight="weigth" meant that all weights are 1."""
    G, H = networkx.path_graph(4), networkx.path_graph(4)
    networkx.set_edge_attributes(G, 2.0, "weight")
    networkx.set_edge_attributes(H, 3.0, "weight")
    with pytest.raises(gm.InputError, match="'weigth' .did you mean 'weight'.*weight=None"):
        models.from_graphs(G, H, weight="weigth")
    assert models.from_graphs(G, H).energy([0, 1, 2, 3]) == 36.0
    assert models.from_graphs(G, H, weight=None).energy([0, 1, 2, 3]) == 6.0
    plain = networkx.path_graph(4)
    assert models.from_graphs(plain, plain).energy([0, 1, 2, 3]) == 6.0
    with pytest.warns(gm.GuessWarning, match="G2 has no edge attribute 'weight'"):
        assert models.from_graphs(G, plain).energy([0, 1, 2, 3]) == 12.0
    del H.edges[0, 1]["weight"]
    with pytest.raises(gm.InputError, match="G2: 1 of 3 edges have no attribute 'weight'"):
        models.from_graphs(G, H)
    networkx.set_edge_attributes(G, 2.0, "length")
    with pytest.raises(gm.InputError, match="G2: no edge has an attribute 'length'"):
        models.from_graphs(G, H, weight="length")
    for weight in ("length", None):
        with pytest.raises(gm.InputError, match="weight goes with networkx graphs"):
            models.from_graphs(np.ones((3, 3)), np.ones((3, 3)), weight=weight)


@pytest.mark.parametrize("name", ["node_match", "similarity", "edge_match"])
def test_an_attribute_that_one_graph_does_not_have(name):
    G, H = networkx.path_graph(3), networkx.path_graph(3)
    put = networkx.set_edge_attributes if name == "edge_match" else networkx.set_node_attributes
    put(G, "red", "colour")
    put(H, "red", "color")
    with pytest.raises(
        gm.InputError, match="of G2 has an attribute 'colour' .did you mean 'color'"
    ):
        models.from_graphs(G, H, **{name: "colour"})


def test_soft_anchors_by_name():
    G = networkx.relabel_nodes(networkx.cycle_graph(4), dict(enumerate("abcd")))
    H = networkx.relabel_nodes(networkx.cycle_graph(4), dict(enumerate("wxyz")))
    anchors = {("a", "y"): 0.5, ("b", "z"): 0.25, ("b", "w"): 0.125}
    p = models.from_graphs(G, H, similarity=anchors)
    wanted = np.zeros((4, 4))
    wanted[0, 2], wanted[1, 3], wanted[1, 0] = 0.5, 0.25, 0.125
    assert np.array_equal(p.KP.toarray(), wanted)  # every other pair is still allowed
    assert gm.gm_solve(p).mapping == {"a": "y", "b": "z", "c": "w", "d": "x"}
    A = networkx.to_numpy_array(G)
    by_index = models.from_graphs(A, A, similarity={(0, 2): 0.5, (1, 3): 0.25, (1, 0): 0.125})
    assert np.array_equal(by_index.KP.toarray(), wanted)
    for bad, rule in (
        ({("a", "?"): 1.0}, "similarity: G2 has no node"),
        ({"a": 1.0}, "similarity must hold pairs"),
        ({("a", "y"): np.nan}, "NaN"),
        ({("a", "y"): "x"}, "similarity"),
    ):
        with pytest.raises(gm.InputError, match=rule):
            models.from_graphs(G, H, similarity=bad)
    with pytest.raises(gm.InputError, match=r"nodes of G2 must be in 0\.\.3"):
        models.from_graphs(A, A, similarity={(0, 4): 1.0})


def test_undirected_weights_are_exact_in_sparse_matrices():
    """The larger of two opposite weights was computed by a difference, which loses small ones."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        A = rng.choice([-1.0, 1.0], (5, 5)) * 10.0 ** rng.uniform(-6, 12, (5, 5))
        A *= rng.random(A.shape) < 0.7
        made = models.graphs.make_undirected(sparse.csr_array(A))
        assert np.array_equal(made.toarray(), models.graphs.make_undirected(A))
        assert made.nnz == np.count_nonzero(A + A.T)


def test_the_arguments_that_allow_no_pair_are_named():
    path, nothing = networkx.path_graph(2), np.full((2, 2), -np.inf)
    with pytest.raises(gm.InputError, match="is allowed by similarity$"):
        gm.models.from_graphs(path, path, similarity=nothing)
    with pytest.raises(gm.InputError, match="is allowed by node_match and similarity$"):
        gm.models.from_graphs(path, path, node_match=lambda a, b: True, similarity=nothing)
