"""n_best against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.engine.alternatives import find_n_best


def check_n_best(problem, k):
    """Compare n_best=k with all matchings: order, no doubles, values, number."""
    costs = sorted(problem.total_cost(np.array(found)) for found in matchings(problem))
    result = gm.gm_solve(problem, n_best=k)
    found = [result.labels, *(other["labels"] for other in result.alternatives)]
    assert len({tuple(labels) for labels in found}) == len(found) == min(k, len(costs))
    values = [problem.total_cost(labels) for labels in found]
    assert values == pytest.approx(costs[:k], rel=1e-5, abs=1e-7)
    told = [result.value, *(other["value"] for other in result.alternatives)]
    assert told == pytest.approx([problem.signed(value) for value in values])
    assert all(other["status"] == "optimal" for other in result.alternatives)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 2), (3, 4)])
def test_n_best_are_the_n_best(shape, complete):
    rng = np.random.default_rng(8)
    for integer in (False, True, True):
        problem = random_problem(rng, *shape, density=0.7, complete=complete, integer=integer)
        check_n_best(problem, 7)


@pytest.mark.slow
def test_n_best_of_many_problems():
    rng = np.random.default_rng(9)
    for k in range(1500):
        problem = random_problem(
            rng, *rng.integers(1, 5, 2), density=0.8, complete=k % 2 == 0, integer=k % 3 == 0,
            sense="max" if k % 5 == 0 else "min", offset=1.5,
        )  # fmt: skip
        check_n_best(problem, int(rng.integers(1, 12)))


def test_one_pair_has_two_matchings():
    result = gm.gm_solve(gm.Problem((1, 1), [0], [0], [-1.0]), n_best=5)
    assert result.labels.tolist() == [0]
    assert [other["labels"].tolist() for other in result.alternatives] == [[-1]]
    assert [other["value"] for other in result.alternatives] == [0.0]


def test_the_first_solve_takes_init_and_progress():
    problem, seen = gm.synth.car(seed=0, size=5), []
    result = gm.gm_solve(
        problem, n_best=2, init=[0, 1, 2, 3, 4], progress=lambda event, *_: seen.append(event)
    )
    assert seen and min(event[1] for event in seen) == pytest.approx(result.value)
    with pytest.raises(gm.InputError):
        gm.gm_solve(problem, n_best=2, init=[0, 0, 2, 3, 4])


def test_a_cell_that_was_not_solved_to_the_end_leaves_the_order_unproven():
    calls = []

    def solve(problem, method, **_):
        found = gm.gm_solve(problem, "aj")
        calls.append(found)
        return replace(found, status="time_limit") if len(calls) == 3 else found

    found = find_n_best(solve, gm.synth.car(seed=0, size=4), 6)
    assert [status for *_, status in found] == ["optimal"] + 5 * ["time_limit"]


def test_n_best_refuses_what_it_cannot():
    problem = gm.synth.car(seed=0, size=4)
    assert len(gm.gm_solve(problem, n_best=100).alternatives) == 23  # 4! matchings in all
    with pytest.raises(gm.InputError, match="goes with method 'auto'"):
        gm.gm_solve(problem, "sm", n_best=2)
    with pytest.raises(gm.InputError, match="positive number"):
        gm.gm_solve(problem, n_best=0)
    with pytest.raises(gm.InputError, match="no option 'maxitre'"):
        gm.gm_solve(problem, n_best=2, maxitre=3)
    with pytest.raises(gm.InfeasibleError, match="admit only 1"):
        gm.gm_solve(gm.Problem((2, 2), [0, 1], [0, 0], [0, 0], complete=True), n_best=2)
