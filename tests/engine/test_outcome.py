"""What a solver of somebody else may return, and how it is told what is wrong."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.outcome import Outcome, as_outcome

PROBLEM = random_problem(np.random.default_rng(0), 3, 4, density=0.9)


def test_labels_and_scores_are_recognised():
    assert as_outcome("m", PROBLEM, np.full(3, -1)).labels.dtype == np.int32
    vector = as_outcome("m", PROBLEM, np.ones(PROBLEM.n_candidates))
    assert vector.scores.shape == (PROBLEM.n_candidates,) and vector.labels is None
    assert as_outcome("m", PROBLEM, np.ones((3, 4))).scores.shape == (3, 4)
    given = Outcome(labels=[-1, -1, -1], n_iter=7)
    assert as_outcome("m", PROBLEM, given).n_iter == 7


@pytest.mark.parametrize(
    "returned, message",
    [
        (None, "returned NoneType"),
        ("labels", "must return an Outcome"),
        (np.ones(5), "shape \\(5,\\)"),
        (np.array([0, 0, 1]), "returned no matching"),
        (np.full((3, 4), np.nan), "not finite"),
    ],
)
def test_everything_else_is_refused(returned, message):
    with pytest.raises(InputError, match=message):
        as_outcome("m", PROBLEM, returned)
