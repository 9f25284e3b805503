"""Profiles against the definition computed by brute force, and against the study's published
curves.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gmtoolbox.bench.evaluate.interchange import read_published
from gmtoolbox.bench.evaluate.profiles import (
    FLOOR,
    TAU_MAX,
    cactus,
    performance_profile,
    performance_ratios,
    times_of,
)

seconds = st.one_of(st.floats(1e-4, 300), st.sampled_from([math.inf, FLOOR, 0.001, 1.0, 300.0]))
# rows: problems, columns: methods
tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(seconds, min_size=n, max_size=n), min_size=1, max_size=6)
)


def as_times(table):
    return {f"m{s}": {p: row[s] for p, row in enumerate(table)} for s in range(len(table[0]))}


@settings(max_examples=200, deadline=None)
@given(tables)
def test_profile_is_the_definition(table):
    T = np.maximum(np.array(table), FLOOR)
    for curve in performance_profile(as_times(table)):
        s = int(curve.method[1:])
        for tau in [1, 1.5, 2, 10, 999, TAU_MAX, *curve.x]:
            count = 0
            for p in range(len(T)):
                fastest = min(T[p])
                count += math.isfinite(T[p, s]) and T[p, s] / fastest <= tau
            assert curve.at(tau) == pytest.approx(count / len(T))


@settings(max_examples=100, deadline=None)
@given(tables)
def test_cactus_counts_solved_problems(table):
    for curve in cactus(as_times(table)):
        column = [row[int(curve.method[1:])] for row in table]
        for t in [0.01, 1, 300, *curve.x]:
            assert curve.at(t) == sum(value <= t for value in column)


def test_ratios_by_hand():
    times = {"a": {"p": 1.0, "q": math.inf, "r": 0.001}, "b": {"p": 4.0, "q": math.inf, "r": 0.02}}
    assert performance_ratios(times) == {
        "a": {"p": 1, "q": math.inf, "r": 1},
        "b": {"p": 4, "q": math.inf, "r": 2},
    }
    best, other = performance_profile(times)
    assert (best.method, best.x, best.y) == ("a", [1], [2 / 3])
    assert (other.x, other.y) == ([2, 4], [1 / 3, 2 / 3])


@pytest.mark.data
def test_published_curves_are_step_functions_of_the_same_kind(data):
    """Their areas, which the study published beside the curves, are those of our step functions."""
    import gzip
    import json

    path = data.parent / "published" / "results.json.gz"
    evaluation, curves = read_published(path)
    raw = json.loads(gzip.decompress(path.read_bytes()))["performance_plot_data"]
    for dataset, methods in curves.items():
        size = len(evaluation.keys(None if dataset == "all" else dataset))
        for curve in methods:
            published = raw[dataset][curve.method]["area"]
            assert 100 * curve.area(TAU_MAX) == pytest.approx(published, rel=1e-6)
            solved = np.array(curve.y) * size
            assert np.allclose(solved, np.round(solved), atol=1e-6) and all(
                1 <= x <= TAU_MAX for x in curve.x
            )
    rho = {curve.method: curve for curve in curves["all"]}
    assert max(rho.values(), key=lambda curve: curve.at(1)).method == "fm"
    # the paper: about 97 and 95 %
    assert 0.95 < rho["fm-bca"].at(1000) < 0.98 and 0.94 < rho["fm"].at(1000) < 0.96
    assert rho["fm-bca"].at(1) < rho["fm"].at(1) and rho["fm-bca"].at(5) > rho["fm"].at(5)
    assert times_of(evaluation)["fm"]["car", "car1", 0] == math.inf  # the study published no times
