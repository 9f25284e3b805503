"""The worker: labels at the smaller time limits, and what a run tells its parent."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm


@pytest.mark.usefixtures("without_processes")
def test_labels_at_the_smaller_limits_are_kept():
    """The snapshot for a limit is a matching the method had before it, worse than or equal to the
    final one.
    """
    problem = random_problem(np.random.default_rng(1), 25, 25, edges=0.1, signs="nonpositive")
    (run,) = gm.gm_batch({"p": problem}, {"fw": {"restarts": 10**6}}, time_limit=[0.05, 0.2, 0.3])
    assert 1 <= len(run.snapshots) <= 3 and run.snapshots[0][0] <= 0.2
    for when, labels in run.snapshots:
        before = run.trace["value"][run.trace["time"] <= when + 1e-9]
        assert problem.energy(labels) == pytest.approx(before[-1])
