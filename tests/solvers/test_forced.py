"""Pairs that every complete matching contains."""

import numpy as np
from small import matchings, random_problem

from gmtoolbox.core.problem import Problem
from gmtoolbox.solvers._forced import forced_pairs


def test_forced_pairs_are_in_every_matching():
    found = 0
    for seed in range(30):
        problem = random_problem(np.random.default_rng(seed), 3, 4, density=0.4, complete=True)
        pairs = forced_pairs(problem)
        found += len(pairs)
        for labels in matchings(problem):
            assert all(labels[i] == s for i, s in pairs)
    assert found > 10


def test_nothing_is_forced_where_nodes_may_stay_free():
    for shape, complete in (((2, 2), False), ((3, 2), True)):
        problem = Problem(shape, [0, 1], [0, 1], [0.0, 0.0], complete=complete)
        assert len(forced_pairs(problem)) == 0
