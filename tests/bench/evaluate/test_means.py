"""Shifted geometric means, ranks and ratios, by hand and against an independent formula."""

import math

import numpy as np
import pytest
from scipy.stats import gmean, rankdata

from gmtoolbox.bench.evaluate.means import mean_places, means_of, shifted_mean


def test_the_shifted_mean_is_the_geometric_one_of_shifted_times():
    times = np.random.default_rng(0).exponential(3.0, 50)
    assert shifted_mean(times.tolist()) == pytest.approx(gmean(times + 1.0) - 1.0)
    assert shifted_mean([0.0, 0.0]) == 0.0 and shifted_mean([]) == math.inf


def test_unsolved_counts_as_the_limit_and_ratios_are_to_the_best():
    times = {"a": {1: 1.0, 2: 3.0}, "b": {1: 1.0, 2: math.inf}, "c": {1: math.inf, 2: math.inf}}
    a, b, c = means_of(times, 10.0)
    assert (a.solved, b.solved, c.solved) == (2, 1, 0)
    assert a.mean == pytest.approx(math.sqrt(2 * 4) - 1) and a.ratio == 1.0
    assert b.mean == pytest.approx(math.sqrt(2 * 11) - 1) and c.mean == pytest.approx(10.0)
    assert b.ratio == pytest.approx(b.mean / a.mean)
    assert means_of(times, math.inf)[2].mean == pytest.approx(3.0)  # the slowest solution


def test_places_are_shared_by_equal_times():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 4, (5, 30)) * 0.5
    times = {f"m{k}": dict(enumerate(row.tolist())) for k, row in enumerate(table)}
    expected = rankdata(np.maximum(table, 0.01), axis=0).mean(axis=1)
    assert list(mean_places(times).values()) == pytest.approx(expected.tolist())
    fast = {"a": {0: 0.001}, "b": {0: 0.009}, "c": {0: math.inf}, "d": {0: math.inf}}
    assert mean_places(fast) == {"a": 1.5, "b": 1.5, "c": 3.5, "d": 3.5}
