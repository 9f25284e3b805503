"""The study's own formulas for points and displacements, entry by entry."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import models


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
