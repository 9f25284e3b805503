"""Exact minima over two to four nodes: what the search cuts off held nothing better."""

import numpy as np
import pytest
from ddls_splits import LEFT_LOCAL, part_minimum, split_after
from small import random_problem


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("local", [3, 4])
def test_minima_are_exact_with_many_labels_and_ties(local, integer):
    """Seven labels a node leave the search something to cut off; integers make ties."""
    checked = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 7, edges=0.5, integer=integer, complete=seed % 2 == 0)
        split = split_after(problem, local, 150)
        for k in np.unique(split["part"]):
            if split["kind"][k] >= LEFT_LOCAL:
                expected = part_minimum(problem, split, k)
                assert split["minimum"][k] == pytest.approx(expected, abs=1e-9)
                checked += 1
    assert checked > 0
