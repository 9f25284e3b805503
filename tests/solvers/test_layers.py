"""Starts of problems with several layers: those of the sums, descended on all layers."""

import numpy as np

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._layers import first_of_layers, merge_factors


def layered(n=50, seed=0):
    """(problem, truth) of two layers and a permuted copy with noise."""
    rng = np.random.default_rng(seed)
    truth, sides = rng.permutation(n), ([], [])
    for _ in range(2):
        A = np.triu(rng.random((n, n)) < 0.15, 1)
        H = A ^ np.triu(rng.random((n, n)) < 0.01, 1)
        B = np.zeros((n, n))
        B[np.ix_(truth, truth)] = H + H.T
        sides[0].append((A + A.T).astype(float))
        sides[1].append(B)
    return gm.models.from_layers(*sides), truth


def test_merged_matrices_are_sums():
    problem, _ = layered()
    costs = problem.as_costs()
    factors = merge_factors(costs)
    wanted = sum(term.A for term in costs.edges.terms)
    assert np.allclose(np.asarray(factors.problem.edges.A), wanted)
    assert merge_factors(gm.models.from_graphs(np.eye(3), np.eye(3)).as_costs()) is None


def test_descents_find_the_truth_and_record_it():
    problem, truth = layered()
    budget = Budget(time_limit=20.0)
    labels = first_of_layers(problem.as_costs(), budget, None, 50)
    assert np.array_equal(labels, truth) and budget.incumbent.cost == -problem.energy(truth)


def test_auto_keeps_the_start_that_it_is_given():
    problem, truth = layered(12, seed=3)
    r = gm.gm_solve(problem, init=truth, maxiter=1)
    assert r.value >= problem.energy(truth)
