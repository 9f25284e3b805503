"""Tables of links: dense and sparse ones give the same bounds."""

import numpy as np
from small import brute_force, random_problem

import gmtoolbox as gm


def spread_out(problem, n_labels):
    """The same problem with many further labels that nobody wants: tables become sparse."""
    left = np.repeat(np.arange(problem.shape[0]), n_labels)
    right = problem.shape[1] + np.tile(np.arange(n_labels), problem.shape[0])
    return gm.Problem(
        (problem.shape[0], problem.shape[1] + n_labels),
        np.concatenate([problem.left, left]),
        np.concatenate([problem.right, right]),
        np.concatenate([problem.cost, np.full(len(left), 1e3)]),
        problem.a, problem.b, problem.edge_cost,
    )  # fmt: skip


def test_sparse_tables_bound_as_dense_ones_do():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.8)
        sparse = spread_out(problem, 40)
        optimum = brute_force(problem)
        for p in (problem, sparse):
            r = gm.gm_solve(p, "fm-bca", maxiter=100)
            assert r.bound <= optimum + 1e-9 and r.value >= optimum - 1e-9
        bounds = [gm.gm_solve(p, "fm-bca", maxiter=100).bound for p in (problem, sparse)]
        assert abs(bounds[0] - bounds[1]) <= 0.05 * (1 + abs(optimum))
