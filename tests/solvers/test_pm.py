"""pm: a soft assignment near the marginals of the affinity."""

import numpy as np
import pytest
from baseline_reference import affinities, line_sums
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.solvers.pm import edge_marginals, full_lines


@pytest.mark.parametrize("seed", range(4))
def test_marginals_are_row_sums_without_the_diagonal(seed):
    problem, W = affinities(seed)
    support, Y = edge_marginals(problem)
    expected = (W - np.diag(np.diag(W))).sum(axis=1)
    whole = np.zeros(problem.n_candidates)
    whole[support] = Y
    assert np.allclose(whole, expected)


def test_sums_meet_their_targets():
    problem = random_problem(
        np.random.default_rng(0), 4, 4, signs="nonpositive", complete=True, edges=1.0
    )
    problem = gm.Problem(
        (4, 4), problem.left, problem.right, np.zeros(16),
        problem.a, problem.b, problem.edge_cost, complete=True,
    )  # fmt: skip
    r = gm.gm_solve(problem, "pm", precision=1e-4, maxiter=5000)
    X = r.scores
    assert X.sum() == pytest.approx(4.0, abs=0.01)
    assert line_sums(problem, X[problem.left, problem.right]).max() <= 1.0 + 0.01


def test_full_lines():
    lines = full_lines(np.array([0, 1, 0, 2, 2, 2, 0]), 3)
    assert sorted(map(sorted, lines.tolist())) == [[0, 2, 6], [3, 4, 5]]
