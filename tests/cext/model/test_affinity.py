"""Products with -K from the edges, and what they are made of."""

import numpy as np
from small import gallery, random_problem

from gmtoolbox.core._ffi import lib, model, pointer
from gmtoolbox.solvers._matrices import Affinity


def test_starts_of_the_edges_of_each_candidate():
    problem = random_problem(np.random.default_rng(0), 4, 4)
    start = np.empty(problem.n_candidates + 1, np.int64)
    lib.gm_edge_starts(problem.n_candidates, problem.n_edges, pointer(problem.a), pointer(start))
    expected = np.searchsorted(problem.a, np.arange(problem.n_candidates + 1))
    assert start.tolist() == expected.tolist()


def test_conflicts_are_counted():
    for problem, _ in gallery().values():
        left, right, a, b = problem.left, problem.right, problem.a, problem.b
        expected = np.count_nonzero((left[a] == left[b]) | (right[a] == right[b]))
        struct, borrowed = model(problem)
        assert lib.gm_count_conflicts(struct) == expected
        del borrowed


def test_products_are_those_of_the_matrix():
    rng = np.random.default_rng(1)
    for problem, _ in gallery().values():
        costs = problem.as_costs()
        x = rng.normal(size=problem.n_candidates)
        assert np.allclose(Affinity(costs) @ x, -(costs.reducedK @ x), rtol=1e-12, atol=1e-12)
