"""Builders of problems from graphs, features and tables: what they mean is checked against plain
loops.
"""

import itertools

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

import gmtoolbox as gm
from gmtoolbox import models


def common_weight(G, H, mapping, weight="weight"):
    """Weight of the edges that a mapping keeps, counted as A_ij B_sl over ordered pairs."""
    A, B = (nx.to_numpy_array(graph, weight=weight) for graph in (G, H))
    left, right = list(G), list(H)
    pairs = [(left.index(u), right.index(v)) for u, v in mapping.items()]
    return sum(A[i, j] * B[s, t] for (i, s), (j, t) in itertools.product(pairs, repeat=2))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_graphs_by_name(kind):
    rng = np.random.default_rng(0)
    G, H = kind(), kind()
    for graph, names in ((G, "abcde"), (H, "vwxyz")):
        graph.add_nodes_from(names)
        for u, v in itertools.permutations(names, 2):
            if rng.random() < 0.5:
                graph.add_edge(u, v, weight=float(rng.integers(1, 5)), cost=2.0)
    result = gm.gm_solve(models.from_graphs(G, H))
    assert set(result.mapping) == set("abcde") and set(result.mapping.values()) == set("vwxyz")
    assert result.value == pytest.approx(common_weight(G, H, result.mapping))
    best = max(
        common_weight(G, H, dict(zip("abcde", order, strict=True)))
        for order in itertools.permutations("vwxyz")
    )
    assert result.value == pytest.approx(best)
    plain = gm.gm_solve(models.from_graphs(G, H, weight=None))
    assert plain.value == pytest.approx(common_weight(G, H, plain.mapping, weight=None))


def test_sparse_graphs_stay_sparse():
    A = scipy.sparse.random_array((800, 800), density=0.01, rng=np.random.default_rng(0))
    G = nx.from_scipy_sparse_array(A + A.T)
    problem = models.from_graphs(G, G)
    assert scipy.sparse.issparse(problem.edges.A) and scipy.sparse.issparse(problem.edges.B)
    assert problem.nodes1 == tuple(G)


def test_seeds_attributes_and_names():
    G = nx.relabel_nodes(nx.cycle_graph(6), dict(enumerate("abcdef")))
    H = nx.cycle_graph(6)
    for k, (u, v) in enumerate(zip("abcdef", range(6), strict=True)):
        G.nodes[u]["kind"], H.nodes[v]["kind"] = k % 2, k % 2
    seeds = [("a", 4), ("b", 3)]
    mapping = gm.gm_solve(models.from_graphs(G, H, seeds=seeds)).mapping
    assert mapping["a"] == 4 and mapping["b"] == 3 and mapping["c"] == 2
    partial = gm.gm_solve(models.from_graphs(G, H, seeds=seeds, complete=False)).mapping
    assert partial["a"] == 4 and partial["b"] == 3
    for rule in ("kind", ["kind"], lambda one, other: one["kind"] == other["kind"]):
        problem = models.from_graphs(G, H, node_match=rule)
        assert problem.n_candidates == 18
        found = gm.gm_solve(problem).mapping
        assert all(G.nodes[u]["kind"] == H.nodes[v]["kind"] for u, v in found.items())
        liked = models.from_graphs(G, H, similarity=rule)
        assert liked.energy(np.arange(6)) == 12 + 6
    with pytest.raises(gm.InputError, match="seeds must be pairs that node_match"):
        models.from_graphs(G, H, node_match="kind", seeds=[("a", 1)])


def test_edge_attributes():
    G, H = nx.path_graph(4), nx.path_graph(4)
    for graph, colours in ((G, "rgb"), (H, "bgr")):
        for (u, v), colour in zip(graph.edges, colours, strict=True):
            graph.edges[u, v]["colour"] = colour
    problem = models.from_graphs(G, H, edge_match="colour")
    result = gm.gm_solve(problem)
    assert result.labels.tolist() == [3, 2, 1, 0] and result.value == 6
    half = models.from_graphs(G, H, edge_match=lambda one, other: 0.5)
    assert half.energy(np.arange(4)) == 3.0
    assert models.from_graphs(G, H).energy(np.arange(4)) == 6.0


def test_graph_errors_name_the_graph():
    G = nx.path_graph(3)
    for build, message in (
        (lambda: models.from_graphs(np.zeros((2, 3)), G), "G1 must be a finite square matrix"),
        (lambda: models.from_graphs(G, "text"), "G2 must be"),
        (lambda: models.from_graphs(G, nx.DiGraph(G)), "both be directed or both undirected"),
        (lambda: models.from_graphs(nx.Graph(), G), "G1 has no nodes"),
        (lambda: models.from_graphs(G, G, seeds=[(0, 7)]), "G2 has no node 7"),
        (lambda: models.from_graphs(G, G, node_match="no"), "attribute 'no'"),
        (lambda: models.from_graphs(G, G, similarity=np.eye(2)), "similarity must have shape"),
        (lambda: gm.gm_solve(G, G), r"gm\.models\.from_graphs\(G, H\)"),
    ):
        with pytest.raises(gm.InputError, match=message):
            build()


# ---- features


def test_features_against_loops():
    rng = np.random.default_rng(1)
    F1, F2 = rng.normal(size=(4, 3)), rng.normal(size=(5, 3))
    e1, e2 = [[0, 1], [1, 2], [3, 0]], [[0, 1], [2, 3], [4, 2], [1, 3]]
    E1, E2 = rng.normal(size=(3, 2)), rng.normal(size=(4, 2))
    for directed in (True, False):
        problem = models.from_features(
            F1, F2, e1, e2, E1, E2, edge_affinity=models.gaussian(2.0), directed=directed
        )
        for labels in itertools.islice(itertools.permutations(range(5), 4), 40):
            value = sum(F1[i] @ F2[s] for i, s in enumerate(labels))
            for (i, j), f in zip(e1, E1, strict=True):
                for (s, t), g in zip(e2, E2, strict=True):
                    ways = [(s, t)] if directed else [(s, t), (t, s)]
                    if (labels[i], labels[j]) in ways:
                        value += np.exp(-((f - g) ** 2).sum() / 2.0)
            assert problem.energy(np.array(labels)) == pytest.approx(value)


def test_features_refuse_a_function_that_gives_something_else():
    F = np.eye(3)
    with pytest.raises(gm.InputError, match=r"node_affinity must give .* \(3, 3\), gave \(3,\)"):
        models.from_features(F, F, node_affinity=lambda one, other: one.sum(1))
    with pytest.raises(gm.InputError, match="edge_affinity must give finite"):
        models.from_features(F, F, [[0, 1]], [[0, 1]], edge_affinity=lambda e, f: [[np.nan]])
    with pytest.raises(gm.InputError, match="row for each of 1 edges"):
        two = np.ones((2, 1))
        models.from_features(F, F, [[0, 1]], [[0, 1]], two, two)


# ---- tables


def test_table_with_relations():
    pandas = pytest.importorskip("pandas")
    rows = [(u, v, 0.6 if u != "x" else 0.5) for u in "xyz" for v in "XYZ"]
    frame = pandas.DataFrame(rows, columns=["old", "new", "similar"])
    problem = models.from_table(
        frame, "old", "new", "similar",
        relations1=[("x", "y"), ("y", "z", 2.0)],
        relations2=pandas.DataFrame([("Z", "X", 1.0), ("Y", "Z", 2.0)]), relation=0.5,
    )  # fmt: skip
    result = gm.gm_solve(problem)
    assert result.mapping == {"x": "X", "y": "Z", "z": "Y"}
    assert result.value == pytest.approx(0.5 + 0.6 + 0.6 + 0.5 * (1 + 4))
    assert (
        gm.gm_solve(models.from_table(frame, "old", "new", "similar", threshold=0.9)).mapping == {}
    )


def test_table_errors_name_row_and_column():
    good = {"left": [1, 2], "right": [1, 2], "score": [0.5, 0.5]}
    for change, message in (
        ({"score": [0.5, float("nan")]}, "column 'score' must be finite, got nan in row 1"),
        ({"left": [1, None]}, "column 'left' has no record in row 1"),
        ({"left": [1, 1], "right": [1, 1]}, r"pair \(1, 1\) is given twice"),
        ({"score": ["a", 1]}, "column 'score' must hold numbers"),
    ):
        with pytest.raises(gm.InputError, match=message):
            models.from_table({**good, **change})
    with pytest.raises(
        gm.InputError, match="no column 'likeness'; it has 'left', 'right', 'score'"
    ):
        models.from_table(good, score="likeness")
