"""The classic baselines against the original programs: values, iteration counts and continuous matrices."""

import numpy as np
import pytest
from golden import SMALL, continuous, oracle_problem, oracle_rows

import gmtoolbox as gm

METHODS = ("sm", "rrwm")
pytestmark = pytest.mark.data


def agrees(value, expected):
    return abs(value - expected) <= 2e-6 * (1 + abs(expected))


@pytest.mark.parametrize("method", METHODS)
def test_oracle_values_and_iteration_counts(data, method):
    rows = [row for row in oracle_rows(data) if row["method"] == method]
    assert len(rows) >= 17
    wrong = []
    for row in rows:
        r = gm.gm_solve(oracle_problem(data, row["instance"]), method)
        same_count = row["iterations"] is None or r.n_iter == row["iterations"]
        if not agrees(r.value, row["value"]) or not same_count:
            wrong.append((row["instance"], r.value, row["value"], r.n_iter, row["iterations"]))
    assert not wrong


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("method", METHODS)
def test_continuous_matrix(data, method, name):
    expected = continuous(data, method, name)
    if expected is None:
        pytest.skip("the original has no finite matrix here")
    r = gm.gm_solve(oracle_problem(data, name), method)
    assert np.abs(r.scores - expected).max() <= 1e-8
