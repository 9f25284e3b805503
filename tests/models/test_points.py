"""from_points and from_matches: defaults that know no scale, descriptors, geometry, seeds."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import gmtoolbox as gm
from gmtoolbox import models
from gmtoolbox.models.geometry import delaunay_edges, knn_edges


class Scene:
    """Points with noisy descriptors, turned, scaled and shuffled, with outliers on both sides."""

    def __init__(self, seed=0, n=60, outliers=25, angle=0.6, scale=0.8, noise=0.5, bend=None):
        rng = np.random.default_rng(seed)
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        inlier = rng.uniform(0, 100, (n, 2))
        moved = (bend or (lambda points: points @ turn.T))(inlier) + rng.normal(0, 0.2, (n, 2))
        order = rng.permutation(n + outliers)
        self.P = np.concatenate([inlier, rng.uniform(0, 100, (outliers, 2))])
        self.Q = np.concatenate([moved, rng.uniform(-50, 100, (outliers, 2))])[order]
        F = rng.normal(size=(n, 16))
        other = rng.normal(size=(outliers, 16))
        self.F1 = np.concatenate([F, rng.normal(size=(outliers, 16))])
        self.F2 = np.concatenate([F + rng.normal(0, noise, F.shape), other])[order]
        self.truth = np.full(n + outliers, -1)
        self.truth[:n] = np.argsort(order)[:n]

    def f1(self, problem):
        return gm.evaluate(gm.gm_solve(problem, time_limit=20), self.truth, problem=problem).f1


def test_default_width_knows_no_scale():
    rng = np.random.default_rng(3)
    P = rng.uniform(0, 300, (15, 2))
    Q = P[rng.permutation(15)] + rng.normal(0, 2, (15, 2))
    large, small = models.from_points(P, Q), models.from_points(P / 1000, Q / 1000)
    assert np.allclose(large.edge_cost, small.edge_cost)
    study = models.from_points(P, Q, width=2500.0, both=False)
    assert study.n_edges < large.n_edges and study.complete and not study.cost.any()


@pytest.mark.parametrize("seed", range(3))
def test_descriptors_and_geometry_beat_descriptors_alone(seed):
    scene = Scene(seed, noise=1.0)
    D = np.linalg.norm(scene.F1[:, None] - scene.F2, axis=2)
    mutual = np.where(D.argmin(0)[D.argmin(1)] == np.arange(len(D)), D.argmin(1), -1)
    problem = models.from_points(scene.P, scene.Q, scene.F1, scene.F2)
    alone = gm.evaluate(mutual, scene.truth, problem=problem).f1
    assert scene.f1(problem) > alone + 0.03
    assert scene.f1(problem) > 0.85


def test_nothing_depends_on_units():
    scene = Scene(1)
    one = models.from_points(scene.P, scene.Q, scene.F1, scene.F2)
    other = models.from_points(scene.P / 7, 300 * scene.Q + 5, 20 * scene.F1, 20 * scene.F2)
    assert (one.left == other.left).all() and np.allclose(one.cost, other.cost, atol=1e-4)
    assert np.array_equal(one.a, other.a) and np.allclose(one.edge_cost, other.edge_cost)


def test_local_similarity_follows_what_bends():
    def two_objects(points):
        turned = points @ np.array([[0.0, -1.0], [1.0, 0.0]])
        return np.where(points[:, :1] < 50, points, turned + 200)

    scene = Scene(2, n=120, outliers=20, bend=two_objects, noise=1.0)
    given = scene.P, scene.Q, scene.F1, scene.F2
    local = scene.f1(models.from_points(*given, geometry="local"))
    assert local > scene.f1(models.from_points(*given, geometry="similarity"))
    assert local > 0.85


def test_affine_follows_a_stretched_picture():
    stretch = np.array([[1.0, 0.3], [0.0, 0.45]])
    scene = Scene(4, n=80, outliers=30, bend=lambda points: points @ stretch.T, noise=1.0)
    given = scene.P, scene.Q, scene.F1, scene.F2
    affine = scene.f1(models.from_points(*given, geometry="affine"))
    assert affine >= scene.f1(models.from_points(*given, geometry="similarity"))
    assert affine > 0.85


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "hamming"])
def test_metrics_choose_the_nearest(metric):
    rng = np.random.default_rng(0)
    P, Q = rng.normal(size=(9, 2)), rng.normal(size=(11, 2))
    if metric == "hamming":
        F1, F2 = (rng.integers(0, 256, (n, 4)).astype(np.uint8) for n in (9, 11))
        bits = [np.unpackbits(F, axis=1).astype(float) for F in (F1, F2)]
        D = np.abs(bits[0][:, None] - bits[1]).sum(2)
    else:
        F1, F2 = rng.normal(size=(9, 5)), rng.normal(size=(11, 5))
        unit = [F / np.linalg.norm(F, axis=1, keepdims=True) for F in (F1, F2)]
        D = (
            np.linalg.norm(F1[:, None] - F2, axis=2)
            if metric == "euclidean"
            else 1 - unit[0] @ unit[1].T
        )
    problem = models.from_points(P, Q, F1, F2, k=3, metric=metric, unary=1.0)
    cost = D[problem.left, problem.right] / np.median(D.min(1))
    assert np.allclose(problem.cost, cost, rtol=1e-4, atol=1e-5)
    assert (np.bincount(problem.left) == 3).all()
    for i in range(9):
        chosen = D[i, problem.right[problem.left == i]]
        assert chosen.max() <= np.sort(D[i])[2] + 1e-9


def test_k_without_descriptors_is_the_nearest_points():
    rng = np.random.default_rng(0)
    P = 100 * rng.random((60, 2))
    order = rng.permutation(60)
    Q = np.empty_like(P)
    Q[order] = P + rng.normal(0, 1.0, P.shape)
    problem = models.from_points(P, Q, k=5)
    assert (np.bincount(problem.left) == 5).all() and not problem.complete
    D = np.linalg.norm(P[:, None] - Q, axis=2)
    assert np.all(D[problem.left, problem.right] <= np.sort(D, axis=1)[problem.left, 4])
    assert np.mean(gm.gm_solve(problem, time_limit=5).labels == order) > 0.8
    with pytest.raises(gm.InputError, match="k must be a positive number"):
        models.from_points(P, Q, k=0)


def test_all_pairs_of_many_points_are_refused_before_memory_is_taken():
    points = np.random.default_rng(0).random((3000, 2))
    with pytest.raises(gm.InputError, match=r"3000 x 3000 pairs .* edges; choose some: k=10"):
        models.from_points(points, points)


def test_unmatched_cost_means_more_matches():
    scene = Scene(0)
    given = scene.P, scene.Q, scene.F1, scene.F2
    matched = [
        len(gm.gm_solve(models.from_points(*given, unmatched=cost, geometry=geometry)).pairs)
        for geometry, costs in (("similarity", (-3, 0, 2)), ("auto", (-15, 0, 9)))
        for cost in costs
    ]
    assert matched[0] < matched[1] < matched[2]
    assert matched[3] < matched[4] < matched[5]


def test_candidates_are_compared_as_the_edge_lists_are():
    rng = np.random.default_rng(5)
    P, Q = rng.uniform(0, 9, (12, 2)), rng.uniform(0, 9, (14, 2))
    every = np.argwhere(np.ones((12, 14), bool))
    few = np.column_stack(
        [
            np.repeat(np.arange(12), 2),
            rng.permuted(np.tile(np.arange(14), (12, 1)), axis=1)[:, :2].ravel(),
        ]
    )
    for both in (False, True):
        whole = models.from_points(P, Q, both=both)
        assert whole == models.from_points(P, Q, both=both, candidates=every, complete=True)
        part = models.from_points(P, Q, both=both, candidates=few)
        x = np.zeros(whole.n_candidates)
        x[part.right * 12 + part.left] = 1
        assert x @ (whole.K @ x) == pytest.approx(part.reducedK.sum())


def test_seeds_are_matched_and_forbidden_to_others():
    scene = Scene(3, n=20, outliers=6)
    wrong = [(0, int(scene.truth[1])), (24, int(scene.truth[2]))]
    for more in ({}, {"F1": scene.F1, "F2": scene.F2}, {"complete": True}):
        problem = models.from_points(scene.P, scene.Q, seeds=wrong, **more)
        result = gm.gm_solve(problem, time_limit=5)
        assert [result.labels[i] for i, _ in wrong] == [s for _, s in wrong]
    given = scene.P, scene.Q, scene.F1, scene.F2
    plain = models.from_points(*given, geometry="similarity")
    right = [(i, int(scene.truth[i])) for i in range(3)]
    seeded = models.from_points(*given, seeds=right, geometry="similarity")
    labels = gm.gm_solve(seeded).labels
    assert seeded.energy(labels) == pytest.approx(plain.energy(labels), rel=1e-3)


def test_coinciding_and_collinear_points():
    line = [[0, 0], [3, 3], [1, 1], [2, 2]]
    assert delaunay_edges(line).tolist() == [[0, 2], [1, 3], [2, 3]]
    assert delaunay_edges([[1, 1]]).shape == (0, 2) and knn_edges([[1, 1]]).shape == (0, 2)
    twice = np.array([[0, 0], [1, 0], [0, 1], [1, 1.1], [0, 0]], float)
    edges = {tuple(pair) for pair in delaunay_edges(twice).tolist()}
    assert (0, 4) in edges and {i for i in range(5) if (i, 4) in edges} == {0, 1, 2} | (
        {3} if (0, 3) in edges else set()
    )
    flat = np.column_stack([np.random.default_rng(0).normal(size=(9, 2)), np.zeros(9)])
    assert np.array_equal(delaunay_edges(flat), delaunay_edges(flat[:, :2]))
    result = gm.gm_solve(models.from_points(twice, twice, np.eye(5), np.eye(5)))
    assert result.labels.tolist() == [0, 1, 2, 3, 4]


# ---- from_matches


def forms(scene):
    """The same candidates as every matcher would give them."""
    D = np.linalg.norm(scene.F1[:, None] - scene.F2, axis=2)
    label = np.argsort(D, axis=1)[:, :4]
    left = np.repeat(np.arange(len(D)), 4)
    distance = D[left, label.ravel()]

    class DMatch:
        def __init__(self, i, s, d):
            self.queryIdx, self.trainIdx, self.distance = i, s, d

    pairs = np.column_stack([left, label.ravel()])
    groups = [[DMatch(i, int(s), D[i, s]) for s in row] for i, row in enumerate(label)]
    scores = np.zeros(D.shape)
    scores[left, label.ravel()] = 1 / distance
    yield pairs, {"distances": distance}
    yield pairs, {"scores": 1 / distance}
    yield groups, {}
    yield [m for group in groups for m in group], {}
    yield scores, {}
    yield scipy.sparse.csr_array(scores), {}


def test_every_form_of_matches_gives_one_problem():
    scene = Scene(0)
    made = [models.from_matches(scene.P, scene.Q, m, **more) for m, more in forms(scene)]
    for problem in made[1:]:
        assert np.array_equal(problem.left, made[0].left) and np.allclose(
            problem.cost, made[0].cost
        )
        assert np.allclose(problem.edge_cost, made[0].edge_cost)
    assert scene.f1(made[0]) > 0.9


def test_logarithms_of_scores_are_named():
    P = np.random.default_rng(0).random((4, 2))
    with pytest.raises(gm.InputError, match="of logarithms give np.exp"):
        models.from_matches(P, P, -np.ones((4, 4)))


def test_a_dense_matrix_keeps_the_best_of_each_keypoint():
    rng = np.random.default_rng(0)
    P, scores = rng.random((30, 2)), rng.integers(0, 4, (30, 30)).astype(float)  # with ties
    dense = models.from_matches(P, P, scores, k=5)
    assert dense == models.from_matches(P, P, scipy.sparse.csr_array(scores), k=5)


def test_one_label_for_each_keypoint():
    class KeyPoint:
        def __init__(self, point):
            self.pt = tuple(point)

    scene = Scene(0, n=20, outliers=10)
    matches = scene.truth.copy()
    matches[:3] = matches[[1, 2, 0]]  # three wrong ones: the neighbours say so
    problem = models.from_matches(
        [KeyPoint(p) for p in scene.P], [KeyPoint(q) for q in scene.Q], matches, np.full(30, 0.9)
    )
    assert problem.n_candidates == 17  # wrong ones that nothing can make up for are left out
    labels = gm.gm_solve(problem).labels
    assert (labels[3:20] == scene.truth[3:20]).all() and (labels[:3] == -1).all()


BAD = [
    (lambda P: models.from_points(P, P, P), "F1 and F2 go together"),
    (lambda P: models.from_points(P, P, P, P[:3]), "F2 must have a row for each of 5"),
    (lambda P: models.from_points(P, P, P, P[:, :1]), "same dimension"),
    (lambda P: models.from_points(P, P, P, P, k=0), "k must be a positive number"),
    (lambda P: models.from_points(P, P, P, P, metric="l1"), "metric must be one of"),
    (lambda P: models.from_points(P, P, geometry="affine"), "needs plane points with descriptors"),
    (lambda P: models.from_points(P, P, geometry="local"), "needs at least 8 reliable matches"),
    (lambda P: models.from_points(P, P, geometry="no"), "geometry must be one of"),
    (lambda P: models.from_points(P, P, edges1="mst"), "edges1 must be 'delaunay'"),
    (lambda P: models.from_points(P, P, width=-1.0), "width must be a positive number"),
    (lambda P: models.from_points(P, P, P, P, tolerance=0), "tolerance must be positive"),
    (lambda P: models.from_points(P, P, seeds=[(0, 0), (0, 1)]), "left node is in two"),
    (lambda P: models.from_points(P, P, seeds=[(0, 9)]), r"right nodes in 0\.\.4"),
    (lambda P: models.from_matches(P, P, [[0, 7]]), r"kpts1 0\.\.4, got 7"),
    (lambda P: models.from_matches(P, P, [[0, 1]], scores=[1, 2]), "one number for each of 1"),
    (lambda P: models.from_matches(P, P, [[0.5, 1]]), "matches must be integer pairs"),
    (lambda P: models.from_matches(P, P, np.full(5, -1)), "at least one candidate"),
]


@pytest.mark.parametrize("build, message", BAD)
def test_bad_input_is_named(build, message):
    with pytest.raises(gm.InputError, match=message):
        build(np.random.default_rng(0).normal(size=(5, 2)))


def test_points_in_columns_are_named():
    """2 x n and 3 x n layouts: a warning says to transpose, or the error if the numbers differ."""
    rng = np.random.default_rng(0)
    for rows in (2, 3):
        columns = rng.random((rows, 9))
        with pytest.warns(gm.ShapeWarning, match=f"P \\({rows} x 9\\) is taken as .* P.T and Q.T"):
            gm.models.from_points(columns, columns, edges1="full", edges2="full")
        with pytest.raises(gm.InputError, match="points are rows: give P.T and Q.T"):
            gm.models.from_points(columns, rng.random((rows, 8)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in ((2, 2), (3, 3), (2, 3), (9, 2), (9, 5)):
            gm.models.from_points(*rng.random((2, *shape)), edges1="full", edges2="full")
