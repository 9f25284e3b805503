"""The cost of a matching in C: that of the arrays, and a refusal of what is no matching."""

import numpy as np
import pytest
from small import gallery, matchings, random_problem

from gmtoolbox.core._ffi import ffi, lib, matching_cost, pointer
from gmtoolbox.core.errors import InputError


def test_every_matching_of_every_small_problem():
    for problem, _ in gallery().values():
        costs = problem.explicit().without_offset()
        for labels in list(matchings(costs))[:50]:
            chosen = costs.candidates.of(np.array(labels))
            expected = costs.cost[chosen].sum() + costs.edges.total_among(chosen)
            found = matching_cost(costs.c_model, np.array(labels, np.int32))
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("labels", [(0, 0, -1), (7, -1, -1), (-2, -1, -1), (2, 1, 0)])
def test_what_is_no_matching(labels):
    problem = random_problem(np.random.default_rng(0), 3, 3).forbid([(1, 1)]).problem
    cost = ffi.new("double *")
    wrong = np.array(labels, np.int32)
    assert lib.gm_matching_cost(problem.c_model[0], pointer(wrong), cost) == lib.GM_EARGUMENT
    for kind in (np.int32, np.int64):
        with pytest.raises(InputError, match="labels"):
            problem.total_cost(np.array(labels, kind))


def test_a_problem_without_edges_and_one_unmatched():
    problem = random_problem(np.random.default_rng(1), 2, 2, edges=0.0)
    assert problem.total_cost([-1, -1]) == 0.0
    assert problem.total_cost([1, -1]) == problem.cost[problem.candidates_of([1, -1])].sum()
