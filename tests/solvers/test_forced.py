"""Pairs that every complete matching contains."""

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._forced import find_forced_pairs, without_forced


def test_forced_pairs_are_in_every_matching():
    found = 0
    for seed in range(30):
        problem = random_problem(np.random.default_rng(seed), 3, 4, density=0.4, complete=True)
        pairs = find_forced_pairs(problem)
        found += len(pairs)
        for labels in matchings(problem):
            assert all(labels[i] == s for i, s in pairs)
    assert found > 10


def test_nothing_is_forced_where_nodes_may_stay_free():
    for shape, complete in (((2, 2), False), ((3, 2), True)):
        problem = Problem(shape, [0, 1], [0, 1], [0.0, 0.0], complete=complete)
        assert len(find_forced_pairs(problem)) == 0


def seeded_graphs(n=8, n_seeds=3, seed=0, **rest):
    """(costs of a random graph and a permuted copy, the true labels, the seeds)"""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < 0.4, 1).astype(float)
    A, order = A + A.T, rng.permutation(n)
    B = np.zeros((n, n))
    B[np.ix_(order, order)] = A
    seeds = [(int(i), int(order[i])) for i in rng.permutation(n)[:n_seeds]]
    return gm.models.from_graphs(A, B, seeds=seeds, **rest).as_costs(), order, seeds


def test_the_rest_sees_the_incumbent_of_the_whole_and_the_other_way_round():
    problem, order, seeds = seeded_graphs()
    budget = Budget()
    rest = without_forced(problem, budget, None)
    assert rest.incumbent.labels is None
    budget.record(cost=problem.total_cost(order), labels=order)
    part = rest.lifted.problem
    assert part.total_cost(rest.incumbent.labels) == rest.incumbent.cost == budget.incumbent.cost
    assert rest.lifted.lift(rest.incumbent.labels).tolist() == order.tolist()
    rest.record(cost=-1e9, labels=np.arange(part.shape[0]))
    assert [budget.incumbent.labels[i] for i, _ in seeds] == [s for _, s in seeds]


def test_local_search_on_the_whole_problem_keeps_the_seeds():
    for seed in range(10):
        problem, order, seeds = seeded_graphs(seed=seed)
        budget = Budget(time_limit=20.0)
        rest = without_forced(problem, budget, None)
        assert rest.can_search
        start = np.arange(rest.lifted.problem.shape[0])
        found = rest.search(start, maxiter=2000)
        assert rest.lifted.problem.total_cost(found.labels) == problem.total_cost(order)
        assert budget.incumbent.cost == problem.total_cost(budget.incumbent.labels)
        assert all(budget.incumbent.labels[i] == s for i, s in seeds)


@pytest.mark.parametrize("similarity", [None, "given"])
def test_costs_of_pairs_are_not_ignored(similarity):
    S = None if similarity is None else np.random.default_rng(1).random((8, 8))
    problem, _, _ = seeded_graphs(similarity=S)
    assert without_forced(problem, Budget(), None).can_search == (similarity is None)


def test_a_matching_without_the_seeds_gets_them():
    """Labels that are forced change places with those that their nodes have: nothing else moves."""
    rng = np.random.default_rng(4)
    for seed in range(20):
        problem, _, seeds = seeded_graphs(seed=seed)
        with Budget(None, 0) as budget:
            rest = without_forced(problem, budget, None)
        assert rest.free.n_candidates == 64 and rest.free.total_cost(np.arange(8)) <= 0
        labels = rng.permutation(8)
        whole = rest.lifted.lift(rest.impose(labels))
        assert sorted(whole) == list(range(8)) and all(whole[i] == s for i, s in seeds)
        assert np.count_nonzero(whole != labels) <= 2 * len(seeds)
    costs = seeded_graphs(similarity=np.ones((8, 8)))[0]
    with Budget(None, 0) as budget:
        assert without_forced(costs, budget, None).free is None
