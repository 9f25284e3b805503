"""fm and fm-bca: monotone, deterministic, complete where asked, and as good as brute force on small
problems.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from small import brute_force, random_problem

from gmtoolbox.core.problem import Problem
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.rounding import candidate_lap

METHODS = ("fm", "fm-bca")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("complete", [False, True])
def test_small_problems_are_solved(method, complete):
    rng = np.random.default_rng(4)
    for trial in range(25):
        n1, n2 = rng.integers(2, 5, size=2)
        signs = "positive" if trial % 3 == 0 else "any"
        problem = random_problem(
            rng, n1, n2, density=0.8, edges=0.3, signs=signs, complete=complete
        )
        result = gm_solve(problem, method, seed=trial, maxiter=300, time_limit=20)
        best = brute_force(problem)
        assert result.value == pytest.approx(best, abs=1e-9)
        assert result.bound <= best + 1e-9
        if complete:
            assert np.count_nonzero(result.labels >= 0) == min(problem.shape)


@pytest.mark.parametrize("method", METHODS)
def test_trace_is_monotone_and_seeded(method):
    problem = random_problem(np.random.default_rng(1), 12, 14, density=0.5, edges=0.3)
    first = gm_solve(problem, method, seed=3, maxiter=200, time_limit=20)
    again = gm_solve(problem, method, seed=3, maxiter=200, time_limit=20)
    value, bound = first.trace["value"], first.trace["bound"]
    assert np.all(value[1:] <= value[:-1]) and np.all(bound[1:] >= bound[:-1])
    assert (
        np.array_equal(first.labels, again.labels)
        and first.bound == again.bound
        and first.n_iter == again.n_iter
    )


@pytest.mark.parametrize("method", METHODS)
def test_without_edges_the_optimum_is_the_assignment(method):
    problem = random_problem(np.random.default_rng(2), 6, 6, density=0.8, edges=0.0)
    lap, order = candidate_lap(problem)
    lap.solve(problem.cost[order])
    assert gm_solve(problem, method, maxiter=500, time_limit=20).value == pytest.approx(lap.value)


@pytest.mark.parametrize("method", METHODS)
def test_complete_where_greedy_alone_gets_stuck(method):
    """A staircase has exactly one complete matching, which a greedy order rarely finds."""
    n = 9
    left, right = np.nonzero(np.triu(np.ones((n, n))))
    problem = Problem(
        (n, n),
        left,
        right,
        np.random.default_rng(0).random(len(left)),
        [0],
        [len(left) - 1],
        [-1.0],
        complete=True,
    )
    assert gm_solve(problem, method, maxiter=20, time_limit=20).labels.tolist() == list(range(n))


@pytest.mark.parametrize("scale", [1e-200, 1e-12, 1e100])
def test_costs_of_any_size(scale):
    """Nothing inside is of a fixed size beside which small costs would drown."""
    for seed in range(4):
        problem = random_problem(
            np.random.default_rng(seed), 8, 9, density=0.8, complete=bool(seed % 2)
        )
        scaled = replace(problem, cost=problem.cost * scale, edge_cost=problem.edge_cost * scale)
        one, other = (gm_solve(p, "fm-bca", maxiter=40) for p in (problem, scaled))
        assert (other.value / scale, other.bound / scale) == pytest.approx(
            (one.value, one.bound), rel=1e-9
        )


# ---- the study's instances


@pytest.mark.data
@pytest.mark.parametrize("name", ["house-sparse1", "hotel1", "motor11", "car9"])
def test_proves_study_instances(data, name):
    dataset = name.rstrip("0123456789")
    record = json.loads((data / dataset / f"{name}.json").read_text("utf-8"))
    result = gm_solve(data / dataset / f"{name}.dd.xz", "fm-bca", maxiter=500, time_limit=60)
    assert result.status == "optimal" and result.value == pytest.approx(record["optimum"], rel=1e-6)


@pytest.mark.data
@pytest.mark.parametrize("method", METHODS)
def test_qaplib_is_matched_completely(data, method):
    record = json.loads((data / "qaplib" / "chr12a.json").read_text("utf-8"))
    result = gm_solve(
        data / "qaplib" / "chr12a.dd.xz", method, complete=True, maxiter=2000, time_limit=60
    )
    assert np.all(result.labels >= 0) and result.bound <= record["optimum"] + 1e-6
    assert record["optimum"] <= result.value + 1e-6 <= 1.1 * record["optimum"]


@pytest.mark.data
@pytest.mark.parametrize("name", ["nug14", "rou15", "scr20"])
def test_tabu_search_solves_dense_assignment_problems(data, name):
    record = json.loads((data / "qaplib" / f"{name}.json").read_text("utf-8"))
    result = gm_solve(data / "qaplib" / f"{name}.dd.xz", "fm", complete=True, maxiter=8000)
    assert result.value == record["optimum"]
