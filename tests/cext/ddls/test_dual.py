"""The dual's layout: the bound is the sum of the parts' minima, whatever was moved between them."""

import numpy as np
import pytest
from ddls_splits import VARIANTS, problems, split_after
from small import brute_force


@pytest.mark.parametrize("local", VARIANTS.values())
def test_the_parts_minima_add_up_to_a_bound(local):
    for problem in problems():
        optimum = brute_force(problem)
        for maxiter in (1, 30, 150):
            split = split_after(problem, local, maxiter)
            total = split["minimum"].sum()
            assert total <= optimum + 1e-9
            assert split["bound"] <= optimum + 1e-9


def test_copies_belong_to_parts():
    """Every copy belongs to a part, and the first part is the assignment."""
    for problem in problems():
        split = split_after(problem, 0, 1)
        assert set(np.unique(split["part"])) <= set(range(len(split["kind"])))
        assert split["kind"][0] == 0 and np.all(np.isfinite(split["cost"]))
