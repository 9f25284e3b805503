"""The classic baselines' ground: a small complete problem of affinities, and its dense matrix."""

import numpy as np
from small import random_problem


def affinities(seed=0, n=4):
    """(problem without positive costs, every pair allowed, dense W = -K over its candidates)."""
    problem = random_problem(
        np.random.default_rng(seed), n, n, signs="nonpositive", complete=True, edges=0.6
    )
    return problem, -problem.reducedK.toarray()


def line_sums(problem, x):
    """Row and column sums of a candidate vector."""
    X = problem.scatter(x)
    return np.concatenate([X.sum(axis=0), X.sum(axis=1)])
