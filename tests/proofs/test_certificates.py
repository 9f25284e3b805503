"""certificates: bounds from splits and duals; test_verify.py has those from whole results."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.proofs.certificates import certified_bound, matching_span, numbers, proven_margin


def test_certified_bounds_are_bounds_with_and_without_matrices():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.7, complete=True)
        best = brute_force(problem)
        for options in ({}, {"sdp": "at once"}):
            r = gm.gm_solve(problem, "aj", certify=True, fix=False, branch=False, **options)
            bound = certified_bound(problem.as_costs(), r.extra["certificate"])
            assert bound <= best + 1e-9 * max(1.0, abs(best))


def test_span_holds_every_matching():
    """Two nodes, labels 0 and 1, dummies; a slack for each label."""
    node, label = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 2, 3])
    x, f = np.arange(1, 7), np.array([7, 8])
    W = matching_span(2, node, label, x, 0, f, np.array([0, 1]), 9)
    for chosen in ((0, 3), (1, 2), (0, 5), (4, 5)):
        y = np.zeros(9)
        y[0] = 1
        y[x[list(chosen)]] = 1
        y[f] = [1 - sum(label[c] == s for c in chosen) for s in (0, 1)]
        r = np.linalg.lstsq(W, y, rcond=None)[0]
        assert np.abs(W @ r - y).max() < 1e-12


def test_margin_of_a_matrix_that_is_not_negative_is_none():
    W = np.eye(3)
    assert proven_margin(-np.eye(3), W, 1.0) < 1e-9
    assert proven_margin(np.diag([-1.0, 1e-3, -1.0]), W, 1.0) == np.inf


def test_numbers_are_checked():
    assert numbers("x", [1, 2], "i").tolist() == [1, 2]
    for wrong in ("a", [True], [1.5], [2**40]):
        with pytest.raises(InputError, match="x must"):
            numbers("x", wrong, "i")
