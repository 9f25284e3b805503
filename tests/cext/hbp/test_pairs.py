"""Pair tables of hbp: dense and sparse ones search alike, edges that nobody pays are none."""

import numpy as np
import pytest
from small import brute_force, gallery, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("edges", [0.02, 0.2, 1.0])
def test_any_share_of_given_cells(edges):
    for seed in range(4):
        problem = random_problem(
            np.random.default_rng(seed), 4, 4, edges=edges, complete=True, density=0.9
        )
        r = gm.gm_solve(problem, "hbp", exact=True)
        assert r.value == pytest.approx(brute_force(problem), abs=1e-7)


def test_edges_between_conflicting_candidates_do_not_count():
    problem, optimum = gallery()["conflicting edges"]
    left, right, a, b = problem.left, problem.right, problem.a, problem.b
    kept = (left[a] != left[b]) & (right[a] != right[b])
    assert not kept.all()
    plain = gm.Problem(
        problem.shape, left, right, problem.cost, a[kept], b[kept], problem.edge_cost[kept],
        complete=True,
    )  # fmt: skip
    one, other = (gm.gm_solve(p, "hbp", exact=True) for p in (problem, plain))
    assert one.value == pytest.approx(other.value) == pytest.approx(optimum)
