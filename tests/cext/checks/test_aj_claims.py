"""What the bound and the fixing rules claim, at any duals, against brute force."""

import numpy as np
from aj_reference import claims, draw, optimum, slack
from repetition import times


def test_each_fixing_rule_alone():
    """At any duals: the bound, the bound with each candidate forced, the bound with each pair
    forced.
    """
    checked = 0
    for seed in range(times(250)):
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        if problem.complete and (problem.shape[0] > problem.shape[1] or not np.isfinite(best)):
            continue  # the driver swaps the sides and refuses the infeasible
        for tables in (0, 1):
            for dual_seed in (0, seed + 1):
                bound, forced, pair = claims(problem, tables, dual_seed)
                assert bound <= best + slack(problem), (seed, tables, dual_seed)
                for k in range(0, problem.n_candidates, 3):
                    assert forced[k] <= optimum(problem, [k]) + slack(problem), (
                        seed,
                        tables,
                        dual_seed,
                        k,
                    )
                for e in range(0, problem.n_edges, 7):
                    assert pair[e] <= optimum(problem, [problem.a[e], problem.b[e]]) + slack(
                        problem
                    ), (seed, tables, dual_seed, e)
                    checked += np.isfinite(pair[e])
    assert checked > times(1000)
