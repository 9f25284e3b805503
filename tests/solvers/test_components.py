"""Connected parts: the same answers as of the whole, bounds that add up, time that is shared."""

from dataclasses import replace

import numpy as np
import pytest
from small import brute_force, gallery, random_problem

import gmtoolbox as gm
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _components, _first


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(_first, "LARGE", 0)


def beside(problems, unused=0):
    """One problem whose parts are the given ones, nodes in random order, with nodes and labels that
    have no candidate.
    """
    rng = np.random.default_rng(1)
    n1, n2 = (sum(p.shape[side] for p in problems) + unused for side in (0, 1))
    place1, place2 = rng.permutation(n1), rng.permutation(n2)
    at1 = at2 = at = 0
    rows = {"left": [], "right": [], "cost": [], "a": [], "b": [], "edge_cost": []}
    for p in problems:
        rows["left"].append(place1[p.left + at1])
        rows["right"].append(place2[p.right + at2])
        rows["cost"].append(p.cost)
        rows["a"].append(p.a + at)
        rows["b"].append(p.b + at)
        rows["edge_cost"].append(p.edge_cost)
        at1, at2, at = at1 + p.shape[0], at2 + p.shape[1], at + p.n_candidates
    joined = {name: np.concatenate(arrays) for name, arrays in rows.items()}
    left, right, cost = (joined.pop(name) for name in ("left", "right", "cost"))
    complete = problems[0].complete
    return gm.Problem((n1, n2), left, right, cost, **joined, complete=complete)


def draw(seed, complete, n=3):
    rng = np.random.default_rng(seed)
    return [
        random_problem(rng, 4, 4 + k % 2, edges=0.4, complete=complete, integer=True)
        for k in range(n)
    ]


@pytest.mark.parametrize("complete", [False, True])
def test_optima_add_up(complete):
    for seed in range(10):
        problems = draw(seed, complete)
        whole = replace(beside(problems, 0 if complete else 2), offset=7.0)
        r = gm.gm_solve(whole, time_limit=20.0)
        assert r.value == pytest.approx(7.0 + sum(map(brute_force, problems)))
        assert r.value == whole.energy(r.labels) and r.bound <= r.value
        assert r.status == "optimal" and len(r.extra["parts"]) >= 2


def test_parts_are_all_there():
    problems = draw(3, False)
    whole = beside(problems, unused=1)
    parts = _components.parts_of(whole)
    assert sum(p.problem.n_candidates for p in parts) == whole.n_candidates
    assert sum(p.problem.n_edges for p in parts) == whole.n_edges
    rng = np.random.default_rng(0)
    labels = np.full(whole.shape[0], -1)
    for k in rng.permutation(whole.n_candidates)[:30]:  # any matching
        if labels[whole.left[k]] < 0 and whole.right[k] not in labels:
            labels[whole.left[k]] = whole.right[k]
    total = sum(p.problem.total_cost(p.lower(labels)) for p in parts)
    assert total == pytest.approx(whole.total_cost(labels))


def test_one_part_is_not_divided():
    problem = random_problem(np.random.default_rng(0), 5, 5, edges=0.5)
    assert _components.parts_of(problem) == []


def test_many_small_parts_are_solved_together(monkeypatch):
    monkeypatch.setattr(_components, "MOST_PARTS", 3)
    problems = draw(5, False, n=7)
    whole = beside(problems)
    assert len(_components.parts_of(whole)) == 3
    r = gm.gm_solve(whole, time_limit=20.0)
    assert r.value == pytest.approx(sum(map(brute_force, problems))) and r.status == "optimal"


@pytest.mark.parametrize("name", gallery())
def test_every_small_problem(name):
    """Whether it has parts or not."""
    problem, optimum = gallery()[name]
    r = gm.gm_solve(problem, time_limit=20.0)
    assert problem.signed(r.value) == pytest.approx(optimum)
    assert problem.signed(r.bound) <= optimum + 1e-9 * (1 + abs(optimum))


def test_iterates_do_not_depend_on_the_clock():
    whole = beside(draw(8, False))
    once, twice = (gm.gm_solve(whole, maxiter=20, seed=2) for _ in range(2))
    assert np.array_equal(once.labels, twice.labels) and once.n_iter == twice.n_iter


def test_no_time_leaves_a_valid_answer():
    rng = np.random.default_rng(0)
    problems = [random_problem(rng, 20, 20, edges=0.3, complete=True) for _ in range(2)]
    whole = beside(problems)
    r = gm.gm_solve(whole, time_limit=1e-3)
    assert whole.is_complete_matching(r.labels) and r.bound <= r.value
    assert r.status == "time_limit"


def test_a_start_is_used():
    problems = draw(4, True)
    whole = beside(problems)
    best = gm.gm_solve(whole)
    again = gm.gm_solve(whole, init=best.labels, maxiter=1)
    assert again.value == best.value


def test_time_that_remains_goes_to_parts_whose_share_was_too_short():
    """A small part that is hard, a large one that is easy: the small one is solved again."""
    rng = np.random.default_rng(0)
    problems = [random_problem(rng, n, n, edges=0.5) for n in (3, 6)]
    whole, given = beside(problems).as_costs(), []
    parts = _components.parts_of(whole)
    optimum = sum(map(brute_force, problems))

    def solve(part, clock, start, is_again):
        given.append((part.n_candidates, clock.time_limit, is_again))
        if clock.time_limit < 30.0:
            return Outcome(labels=start, status="time_limit")
        r = gm.gm_solve(part, "aj")
        return Outcome(labels=r.labels, bound=r.bound, n_iter=1, status="converged")

    budget = Budget(time_limit=100.0)
    labels = np.full(whole.shape[0], -1)
    outcome = _components.solve_parts(whole, parts, budget, labels, solve)
    sizes = [p.problem.n_candidates for p in parts]
    assert [(size, again) for size, _, again in given] == [
        (sizes[0], False), (sizes[1], False), (sizes[0], True)
    ]  # fmt: skip
    assert given[0][1] < 30 < given[2][1] and outcome.status == "converged"
    assert outcome.bound == pytest.approx(optimum) == whole.total_cost(outcome.labels)
    assert [row[2] for row in outcome.extra["parts"]] == ["time_limit", "converged", "converged"]
