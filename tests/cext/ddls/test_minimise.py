"""Minima of the subproblems, trees and local ones, against enumeration."""

import numpy as np
import pytest
from ddls_splits import LEFT_LOCAL, VARIANTS, n_nodes, part_minimum, problems, split_after


@pytest.mark.parametrize("maxiter", [1, 40, 200])
@pytest.mark.parametrize("local", VARIANTS.values())
def test_subproblem_minima_match_enumeration(local, maxiter):
    seen, sizes = set(), set()
    for problem in problems():
        split = split_after(problem, local, maxiter)
        seen |= set(split["kind"][split["minimum"] != 0].tolist())
        sizes |= {
            n_nodes(problem, split, k)
            for k in np.flatnonzero((split["kind"] >= LEFT_LOCAL) & (split["minimum"] != 0))
        }
        for number in range(1, len(split["kind"])):
            assert split["minimum"][number] == pytest.approx(
                part_minimum(problem, split, number), abs=1e-9
            )
    assert seen == ({0, 1, 2} if local == 0 or maxiter == 1 else {0, 1, 2, 3, 4})
    if maxiter == 200:
        assert sizes == set(range(3, local + 1))
