"""aj/ahead: the others pay for what a taken candidate does to their stars, too."""

import numpy as np
import pytest
from aj_reference import forced

import gmtoolbox as gm


def test_both_halves_of_a_pair_cost_count():
    """One pair worth 1, split half and half: forcing alone would see only one half of it."""
    problem = gm.Problem((2, 2), [0, 1], [0, 1], [0.0, 0.0], [0], [1], [-1.0])
    bounds = forced(problem, [0, 1], maxiter=2)  # the root and one evaluation, at zero duals
    assert bounds.tolist() == [-1.0, -1.0, 0.0, 0.0]


def test_rows_that_stay_free_pay():
    """Label 1 at node 0 has no entry with node 1: what node 1's star hoped for is lost."""
    problem = gm.Problem((2, 3), [0, 0, 1], [0, 1, 2], [0.0, -0.25, 0.0], [0], [2], [-1.0])
    bounds = forced(problem, [0, 2], maxiter=2)
    assert bounds == pytest.approx([-1.0, -0.25, -1.0, 0.0, -0.25], rel=1e-12)


def test_a_label_that_is_taken_is_gone_for_the_others():
    """Node 1 has no other label than the one that node 0 takes, and must be matched."""
    problem = gm.Problem(
        (2, 2), [0, 1, 0], [0, 0, 1], [-5.0, 0.0, 0.0], [1], [2], [-1.0], complete=True
    )
    bounds = forced(problem, [1, 0], maxiter=2)
    assert np.isposinf(bounds[0])
    assert bounds[1] == bounds[2] == -1.0
