"""Rounding: the matching with the largest total score, by every path."""

import itertools

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import bijective
from gmtoolbox.engine import rounding
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.pipeline import rounding_seconds
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.rounding import round_anywhere, round_scores


def best_total(problem, scores):
    X = problem.scatter(scores)
    return max(
        sum(X[i, s] for i, s in enumerate(labels) if s >= 0) for labels in matchings(problem)
    )


@pytest.mark.parametrize("limit", [0, 500])  # the sparse and the dense assignment
def test_the_total_is_the_largest(monkeypatch, limit):
    monkeypatch.setattr(rounding, "MUNKRES_LIMIT", limit)
    rng = np.random.default_rng(0)
    for _ in range(20):
        problem = random_problem(rng, 4, 4, density=0.8, complete=True)
        scores = rng.random(problem.n_candidates)
        labels = round_scores(problem, scores)
        assert problem.is_complete_matching(labels)
        got = problem.scatter(scores)[np.arange(4), labels].sum()
        assert got == pytest.approx(best_total(problem, scores))


@pytest.mark.parametrize("shape, complete", [((2, 3), False), ((2, 4), True), ((4, 2), True)])
@pytest.mark.parametrize("limit", [0, 500])
def test_dummies_are_chosen_where_that_scores_more(monkeypatch, shape, complete, limit):
    monkeypatch.setattr(rounding, "MUNKRES_LIMIT", limit)
    rng = np.random.default_rng(1)
    for _ in range(10):
        view = bijective(random_problem(rng, *shape, density=0.9, complete=complete)).problem
        scores = rng.random(view.n_candidates)
        n, X = view.shape[0], np.full(view.shape, -np.inf)
        X[view.dummies.row :, view.dummies.col :] = 0.0
        X[view.left, view.right] = scores
        best = max(
            sum(X[i, s] for i, s in enumerate(labels))
            for labels in itertools.permutations(range(n))
        )
        labels = round_scores(view, scores)
        assert X[np.arange(n), labels].sum() == pytest.approx(best)


def test_forbidden_pairs_can_be_chosen_and_are_dropped():
    problem = random_problem(np.random.default_rng(2), 3, 3, density=0.4)
    for scores in (np.ones(problem.n_candidates), problem.scatter(1.0)):
        labels = round_anywhere(problem, scores)
        used = labels[labels >= 0]
        assert len(set(used)) == len(used)
        assert problem.allows(np.flatnonzero(labels >= 0), used).all()


def test_estimates_grow_with_the_size():
    small, large = (random_problem(np.random.default_rng(3), n, n) for n in (3, 6))
    assert 0 < rounding_seconds(small) < rounding_seconds(large)
    huge = Problem((600, 600), [0], [0], [1.0])
    assert rounding_seconds(huge, 10**6) > rounding_seconds(huge)


def test_largest_matching():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, *rng.integers(1, 7, 2).tolist(), density=0.25, edges=0.0)
        most = max(sum(s >= 0 for s in labels) for labels in matchings(problem))
        assert rounding.largest_matching(problem) == most


def test_filled_up_keeps_labels_where_it_can():
    everything = gm.Problem.from_matrix(np.zeros((12, 12)), shape=(3, 4))
    assert rounding.fill_up(everything, [-1, 0, -1]).tolist() == [1, 0, 2]
    assert rounding.fill_up(everything, [3, 0, 1]).tolist() == [3, 0, 1]
    tall = gm.Problem.from_matrix(np.zeros((12, 12)), shape=(4, 3))
    assert sorted(rounding.fill_up(tall, [-1, 2, -1, -1]).tolist()) == [-1, 0, 1, 2]
    left, right = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2]
    some = gm.Problem((3, 3), left, right, np.zeros(5), complete=True)
    assert rounding.fill_up(some, [0, -1, -1]).tolist() == [0, 1, 2]  # node 0 keeps its label
    assert rounding.fill_up(some, [1, -1, -1]).tolist() == [0, 1, 2]  # here it cannot


def test_an_assignment_ends_with_the_budget():
    start, col = np.arange(0, 60, 10), np.tile(np.arange(10), 5)
    lap, cost = rounding.Lap(5, 10, start, col), np.random.default_rng(0).normal(size=50)
    free = lap.solve(cost)
    with pytest.raises(OutOfTime):
        over = Budget()
        over.stop.set()
        rounding.Lap(500, 500, np.arange(0, 250_001, 500), np.tile(np.arange(500), 500)).solve(
            np.random.default_rng(0).normal(size=250_000), budget=over
        )
    assert over.stopped == "interrupted"
    assert lap.solve(cost, budget=Budget()).tolist() == free.tolist()
    assert lap.solve(cost).tolist() == free.tolist()  # without a budget no earlier one counts
