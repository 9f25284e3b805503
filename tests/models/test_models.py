"""Builders: the study's formulas on its data, graphs, Koopmans-Beckmann and factor forms, explicit
or not.
"""

import pickle
from dataclasses import replace

import networkx
import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox import models
from gmtoolbox.core import edges
from gmtoolbox.core.products import Products


def entries(problem):
    """{(i, s, j, l): cost} of all edges, the smaller left node first."""
    i, s, j, t = (x[k] for k in (problem.a, problem.b) for x in (problem.left, problem.right))
    swap = i > j
    i, j, s, t = (
        np.where(swap, j, i),
        np.where(swap, i, j),
        np.where(swap, t, s),
        np.where(swap, s, t),
    )
    return dict(
        zip(
            zip(i.tolist(), s.tolist(), j.tolist(), t.tolist(), strict=True),
            problem.edge_cost.tolist(),
            strict=True,
        )
    )


# ---- points


@pytest.mark.data
def test_house_sparse_from_landmarks(data):
    """Frames 0, 1, 2 with the six frames 85..90 later, in that order, are house-sparse1..15."""
    raw = np.load(data / "raw" / "house_landmarks.npz")
    xy = dict(zip(raw["frames"].tolist(), raw["xy"], strict=True))
    dataset = gm.load_dataset(data / "house-sparse")
    pairs = [(i, j) for i in range(3) for j in range(i + 85, i + 91)][:15]
    for k, (i, j) in enumerate(pairs, start=1):
        built, published = (
            models.from_points(xy[i], xy[j], width=2500.0, both=False),
            dataset[f"house-sparse{k}"],
        )
        mine, theirs = entries(built), entries(published)
        assert mine.keys() == theirs.keys()
        assert max(abs(mine[key] - theirs[key]) for key in mine) <= 1e-12
        assert (
            built.complete
            and not np.any(built.cost)
            and built.n_candidates == published.n_candidates
        )


def test_points_formula_and_options():
    rng = np.random.default_rng(0)
    P, Q = rng.random((6, 2)) * 100, rng.random((7, 2)) * 100
    once, both = (
        models.from_points(P, Q, width=50.0, both=False),
        models.from_points(P, Q, width=50.0, both=True),
    )
    assert both.n_edges == 2 * once.n_edges
    (i, s, j, t), cost = next(iter(entries(once).items()))
    assert cost == pytest.approx(
        -np.exp(-((np.linalg.norm(P[i] - P[j]) - np.linalg.norm(Q[s] - Q[t])) ** 2) / 50.0)
    )
    assert (
        np.array_equal(once.points1, P)
        and once.neighbours2.tolist() == models.delaunay_edges(Q).tolist()
    )
    few = models.from_points(
        P, Q, edges1=[[0, 1]], edges2=[[2, 3]], candidates=[[0, 2], [1, 3], [1, 2]]
    )
    assert entries(few).keys() == {(0, 2, 1, 3)} and not few.complete and few.n_candidates == 3


def test_nearest_candidates():
    F1, F2 = np.array([[0.0], [10.0]]), np.array([[9.0], [1.0], [0.5]])
    assert models.nearest_candidates(F1, F2, 2).tolist() == [[0, 2], [0, 1], [1, 0], [1, 1]]
    assert models.nearest_candidates(F1, F2, 1).tolist() == [[0, 2], [1, 0]]


def test_caltech_formula():
    candidates = [[0, 0], [0, 1], [1, 0], [1, 1]]
    D = np.array([[0, 1, 2, 10], [1, 0, 20, 3], [2, 30, 0, 4], [60, 3, 4, 0]], dtype=float)
    problem = models.from_distances(D, candidates)
    assert entries(problem) == {(0, 0, 1, 1): -40.0, (0, 1, 1, 0): -30.0 - 20.0}
    assert not problem.complete and problem.shape == (2, 2) and not np.any(problem.cost)


# ---- graphs and products


def kb_problem(seed=0, n1=4, n2=5, symmetric=False, **options):
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(n1, n1)) * (rng.random((n1, n1)) < 0.6), rng.normal(size=(n2, n2))
    C = rng.normal(size=(n1, n2))
    if symmetric:
        A, B = A + A.T, B + B.T
    return models.from_koopmans_beckmann(A, B, C, **options), A, B, C


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_koopmans_beckmann_value_edges_and_product(sense, symmetric):
    problem, A, B, C = kb_problem(symmetric=symmetric, sense=sense)
    rng = np.random.default_rng(1)
    labels = rng.permutation(5)[:4]
    value = (A * B[np.ix_(labels, labels)]).sum() + C[np.arange(4), labels].sum()
    explicit = problem.explicit()
    assert type(explicit) is gm.Problem and problem == explicit and explicit == problem
    assert problem.energy(labels) == pytest.approx(value) == explicit.energy(labels)
    assert problem.n_edges == explicit.n_edges
    partial = np.array([labels[0], -1, labels[2], -1])
    assert problem.energy(partial) == pytest.approx(explicit.energy(partial))
    x = rng.normal(size=problem.n_candidates)
    assert np.allclose(
        problem.signed(problem.cost * x + problem.edges.product(x)), explicit.reducedK @ x
    )
    assert np.allclose(problem.K.toarray(), explicit.K.toarray())


def test_implicit_problems_are_problems(tmp_path):
    problem, *_ = kb_problem()
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert (
        isinstance(replace(problem, complete=False).edges, Products)
        and not replace(problem, complete=False).complete
    )
    for name in ("x.dd", "x.mat", "x.h5"):
        gm.save(problem, tmp_path / name)
        assert gm.load(tmp_path / name, complete=True) == problem
    best = gm.gm_solve(problem, "ilp")
    for method in ("sm", "rrwm", "fw", "ilp"):
        r = gm.gm_solve(problem, method)
        assert (
            r.value == pytest.approx(problem.explicit().energy(r.labels))
            and r.value >= best.value - 1e-9
        )


def test_forbidden_pairs_in_C():
    A, B, C = np.ones((2, 2)), np.ones((2, 2)), np.array([[np.inf, 0], [0, 0]])
    problem = models.from_koopmans_beckmann(A, B, C)
    assert problem.n_candidates == 3 and gm.gm_solve(problem, "ilp").labels.tolist() == [1, 0]
    assert models.from_koopmans_beckmann(A, B, -C, sense="max").n_candidates == 3


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
    for method in {method.name for method in gm.gm_methods()} - expected.keys():
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
    assert (
        gm.gm_solve(first, "ilp").value == 6.0
    )  # three common edges, each counted in both directions
    alike = models.from_graphs(G, G, similarity=10 * np.eye(4))
    assert gm.gm_solve(alike, "ilp").labels.tolist() == [0, 1, 2, 3]


def test_factors_are_the_same_problem():
    rng = np.random.default_rng(4)
    for sense in ("min", "max"):
        source = replace(gm.synth.flow(seed=0, size=5), sense=sense)
        built = models.from_factors(
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
        as_dicts = models.from_factors(
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
    loop_and_edge = {
        "G": np.array([[1, 1], [0, 0]]),
        "H": np.array([[1, 0], [0, 1]]),
    }  # 0 -> 0 and 0 -> 1
    problem = models.from_factors(KP, KQ, loop_and_edge, loop_and_edge)
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
        edges = models.delaunay_edges(points)
        start, end = np.concatenate([edges, edges[:, ::-1]]).T
        incidence = [
            sparse.csr_array((np.ones(len(x)), (x, np.arange(len(x)))), shape=(1000, len(x)))
            for x in (start, end)
        ]
        graphs.append(dict(zip("GH", incidence, strict=True)))
        across.append(points[start] - points[end])
    KQ = np.exp(-((across[0][:, None] - across[1]) ** 2).sum(axis=2) / 50)
    problem = models.from_factors(np.zeros((1000, 1000)), KQ, *graphs)
    assert problem.n_edges > edges.MAX_EDGES
    assert gm.accuracy(gm.gm_solve(problem, "sm").labels, np.argsort(order)) == 1.0


BAD = [
    (lambda: models.from_points(np.zeros((3, 2)), np.zeros((3, 3))), "same dimension"),
    (
        lambda: models.from_points([[0, 0], [1, np.nan]], [[0, 0], [1, 1]]),
        "P must be finite points",
    ),
    (
        lambda: models.from_points(np.eye(2), np.eye(2), edges1=[[0, 2]], edges2=[[0, 1]]),
        "edges1 must join",
    ),
    (
        lambda: models.from_points(
            np.eye(2), np.eye(2), edges1=[[0, 1]], edges2=[[0, 1]], candidates=[[0, 5]]
        ),
        "lie in 2 x 2",
    ),
    (lambda: models.nearest_candidates(np.eye(2), np.eye(2), 3), "k must be in 1..2"),
    (lambda: models.from_distances(np.zeros((3, 3)), [[0, 0], [1, 1]]), "D must be 2 x 2"),
    (lambda: models.from_distances(np.full((1, 1), np.nan), [[0, 0]]), "NaN"),
    (lambda: models.from_distances(np.zeros((1, 1)), [[0.5, 0]]), "0-based indices"),
    (
        lambda: models.from_koopmans_beckmann(np.zeros((2, 3)), np.eye(2)),
        "A must be a finite square",
    ),
    (
        lambda: models.from_koopmans_beckmann(np.eye(2), np.full((2, 2), np.inf)),
        "B must be a finite square",
    ),
    (
        lambda: models.from_koopmans_beckmann(np.eye(2), np.eye(2), np.eye(3)),
        r"C must have shape \(n1, n2\) = \(2, 2\)",
    ),
    (lambda: models.from_koopmans_beckmann(np.eye(2), np.eye(2), sense="least"), "sense must be"),
    (
        lambda: models.from_graphs(sparse.csr_array(np.ones((2, 3))), np.eye(2)),
        "G1 must be a finite square",
    ),
    (
        lambda: models.from_factors(
            np.eye(2), np.ones((1, 1)), {"G": np.ones((2, 1)), "H": np.eye(2)}, {}
        ),
        "gph1.G must have 2 rows",
    ),
]


@pytest.mark.parametrize("build, message", BAD)
def test_bad_arguments(build, message):
    with pytest.raises(gm.InputError, match=message):
        build()
