"""Rounding: the matching with the largest total score, by every path."""

import itertools

import numpy as np
import pytest
from small import matchings, random_problem

from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import bijective
from gmtoolbox.engine import rounding
from gmtoolbox.engine.pipeline import rounding_seconds
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
