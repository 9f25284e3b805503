"""The driver: conventions of gm_solve that hold whatever the method."""

from dataclasses import replace

import numpy as np
import pytest
from small import brute_force, gallery, matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.transforms import LEFT_COMPLETE, inverse
from gmtoolbox.engine import registry


def test_solver_sees_costs_and_result_is_in_the_callers_sense(method):
    seen = []

    def solve(problem, budget):
        seen.append(problem)
        return registry.Outcome(labels=np.array([1, 0]), bound=-100.0)

    K = np.arange(16.0).reshape(4, 4)
    r = gm.gm_solve(K, method(solve, has_bound=True))
    assert seen[0].sense == "min" and np.array_equal(seen[0].cost, -K.diagonal())
    x = np.array([0, 1, 1, 0])
    assert r.value == x @ K @ x and r.bound == 100.0 and r.status == "converged"
    assert r.X.tolist() == [[0, 1], [1, 0]]
    assert r.to_matlab()["labels"].tolist() == [2.0, 1.0]


def test_a_method_that_finds_nothing_still_gives_a_valid_answer(method):
    name = method(lambda problem, budget: registry.Outcome(status="breakdown"))
    partial, _ = gallery()["partial 4x4"]
    assert gm.gm_solve(partial, name).labels.tolist() == [-1] * 4
    complete, _ = gallery()["complete 4x4, forbidden pairs"]
    r = gm.gm_solve(complete, name)
    assert complete.is_complete_matching(r.labels) and r.status == "breakdown"


def test_incomplete_answer_is_completed_keeping_what_was_found(method):
    complete, _ = gallery()["complete 4x4"]
    r = gm.gm_solve(
        complete, method(lambda problem, budget: registry.Outcome(labels=np.array([2, -1, 0, -1])))
    )
    assert complete.is_complete_matching(r.labels) and r.labels[0] == 2 and r.labels[2] == 0


def test_wide_side_is_swapped_for_methods_that_cover_the_left(method):
    problem, _ = gallery()["complete 5x3"]
    wanted = np.array(next(matchings(problem)))

    def solve(narrow, budget):
        assert narrow.shape == (3, 5) and narrow.complete
        return registry.Outcome(labels=inverse(wanted, 3))

    r = gm.gm_solve(problem, method(solve, needs=(LEFT_COMPLETE,)))
    assert np.array_equal(r.labels, wanted)


def test_arguments_of_a_matrix_do_not_go_with_a_problem(method):
    name = method(lambda problem, budget: registry.Outcome())
    with pytest.raises(InputError, match="shape goes with a matrix K or a file"):
        gm.gm_solve(gallery()["partial 4x4"][0], name, shape=(4, 4))


def test_complete_can_be_overridden(method):
    name = method(lambda problem, budget: registry.Outcome())
    problem = random_problem(np.random.default_rng(0), 3, 3)
    assert gm.gm_solve(problem, name, complete=True).X.sum() == 3
    assert gm.gm_solve(np.eye(9), name, complete=False).X.sum() == 0


def test_gaps_of_a_complete_problem_are_filled_with_what_goes_best():
    """Every kept pair stays; among the completions the cheapest beside them is taken."""
    from gmtoolbox.engine.pipeline import complete_matching

    rng = np.random.default_rng(7)
    for _ in range(20):
        problem = random_problem(rng, 4, 5, density=0.7, complete=True)
        complete = np.array(next(matchings(problem)))
        nodes = rng.permutation(4)[:1]  # one gap: the price of filling it is exact
        labels = complete.copy()
        labels[nodes] = -1
        filled = complete_matching(problem, labels)
        choices = [
            np.array(found)
            for found in matchings(problem)
            if np.all((np.array(found) == labels) | (labels == -1))
        ]
        assert np.all((filled == labels) | (labels == -1))
        assert problem.total_cost(filled) == pytest.approx(
            min(map(problem.total_cost, choices)), abs=1e-9
        )


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("reward", [1e3, 1e6, 1e9])
def test_a_reward_on_every_match_hides_nothing(reward, complete):
    rng = np.random.default_rng(4)
    for _ in range(10):
        problem = random_problem(rng, 4, 4, edges=0.6, complete=complete)
        rewarded = replace(problem, cost=problem.cost - reward)
        r = gm.gm_solve(rewarded)
        assert r.status == "optimal"
        assert rewarded.total_cost(r.labels) <= brute_force(rewarded) + 1e-14 * 40 * reward
        assert r.value - r.bound <= 1e-14 * 40 * reward


def test_constants_of_rows_and_columns_change_no_status_and_no_answer():
    rng = np.random.default_rng(5)
    for _ in range(10):
        problem = random_problem(rng, 5, 5, edges=0.5, complete=True)
        rows, columns = rng.integers(-(2**20), 2**20, (2, 5)).astype(float)
        moved = replace(problem, cost=problem.cost + rows[problem.left] + columns[problem.right])
        first, second = gm.gm_solve(problem), gm.gm_solve(moved)
        assert first.status == second.status == "optimal"
        assert first.labels.tolist() == second.labels.tolist()
        assert moved.tolerance < 20 * problem.tolerance


def test_many_graphs_are_sent_to_their_function():
    with pytest.raises(gm.InputError, match="gm_solve_multi"):
        gm.gm_solve(gm.synth.worms_multi(d=3, m=8))


def test_names_of_methods_may_be_those_of_an_array():
    problem = gm.synth.car(seed=1, size=5)
    for method in np.array(["fm", "aj"]):
        assert gm.gm_solve(problem, method).method == method
        assert gm.gm_solve_many([problem], method)[0].method == method
