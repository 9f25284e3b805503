"""The star bound: valid at any duals, exact where there are no edges; stars are solved as others
solve them.
"""

import numpy as np
import pytest
from aj_proof import Proof
from aj_reference import claims, draw, optimum, slack
from scipy.optimize import linear_sum_assignment
from small import brute_force, random_problem


def test_without_edges_it_is_the_assignment():
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 5, edges=0.0, complete=seed % 2)
        bound, forced, _ = claims(problem, 0, 0)
        assert bound == pytest.approx(brute_force(problem), abs=1e-9)
        assert np.all(forced >= bound - 1e-9)


def test_random_duals_never_lift_it_above_the_optimum():
    finite = 0
    for seed in range(60):
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        if problem.complete and (problem.shape[0] > problem.shape[1] or not np.isfinite(best)):
            continue
        for dual_seed in range(1, 4):
            bound, _, _ = claims(problem, dual_seed % 2, dual_seed)
            assert bound <= best + slack(problem)
            finite += np.isfinite(bound)
    assert finite > 60


def star(P, p):
    """(rows, columns, halves by row and column, which rows must be matched)."""
    rows = range(P.mu_start[p], P.mu_start[p + 1])
    first, n_columns = P.nu_start[p], P.nu_start[p + 1] - P.nu_start[p]
    halves = {
        (k, P.half_nu[h] - first): h
        for k, r in enumerate(rows)
        for h in range(P.half_start[r], P.half_start[r + 1])
    }
    return len(rows), n_columns, halves, [P.mu_equal[r] for r in rows]


def least(n_rows, n_columns, costs, must):
    """The least cost, where a row that need not be matched may have a column of its own at 0."""
    table = np.full((n_rows, n_columns + n_rows), 1e6)
    for place, cost in costs.items():
        table[place] = cost
    for k in range(n_rows):
        if not must[k]:
            table[k, n_columns + k] = 0.0
    return table[linear_sum_assignment(table)].sum()


@pytest.mark.parametrize("signs", ["any", "nonpositive"])
def test_values_and_reduced_costs_of_the_stars(signs):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        proof = Proof(random_problem(rng, 4, 5, edges=0.8, signs=signs))
        P, bound = proof.P, proof.scratch.bound
        half = rng.normal(size=2 * P.m)
        for h in range(2 * P.m):
            bound.half[h] = half[h]
        proof.lib.aj_bound_solve(bound, P)
        for p in range(P.n):
            n_rows, n_columns, halves, must = star(P, p)
            value = bound.master[p] - P.cost[p]
            exact = least(n_rows, n_columns, {k: half[h] for k, h in halves.items()}, must)
            if exact > 1e5:
                assert value == np.inf
                continue
            assert exact - 1e-12 <= value <= exact + 1e-14
            reduced = {k: bound.half[h] for k, h in halves.items()}
            assert all(cost >= 0.0 for cost in reduced.values())
            if all(must):  # the best solution costs nothing more
                assert least(n_rows, n_columns, reduced, must) == pytest.approx(0.0, abs=1e-12)
