"""Profiles against the definition computed by brute force, and against the study's published
curves.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

from gmtoolbox.bench.evaluate.evaluation import EvaluatedInstance, RunEvaluation
from gmtoolbox.bench.evaluate.interchange import read_published
from gmtoolbox.bench.evaluate.profiles import (
    FLOOR,
    TAU_MAX,
    advice,
    cactus,
    leaders,
    mean_places,
    means_of,
    most_solved,
    name_fastest,
    performance_profile,
    performance_ratios,
    shifted_mean,
    standings,
    times_of,
)

seconds = st.one_of(st.floats(1e-4, 300), st.sampled_from([math.inf, FLOOR, 0.001, 1.0, 300.0]))
# rows: problems, columns: methods
tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(seconds, min_size=n, max_size=n), min_size=1, max_size=6)
)


def as_times(table):
    return {f"m{s}": {p: row[s] for p, row in enumerate(table)} for s in range(len(table[0]))}


@settings(max_examples=times(200), deadline=None)
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


@settings(max_examples=times(100), deadline=None)
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


def test_the_shifted_mean_is_the_geometric_one_of_shifted_times():
    from scipy.stats import gmean  # takes half a second

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


def test_means_below_the_floor_have_no_ratio():
    """1.2 and 7.7 ms are the same to the clock, also in ratios to a slower method."""
    times = {"fm-bca": {1: 0.0012}, "auto": {1: 0.0077}, "slow": {1: 0.05}}
    assert [one.ratio for one in means_of(times, 1.0)] == pytest.approx([1.0, 1.0, 5.0])


def test_places_are_shared_by_equal_times():
    from scipy.stats import rankdata  # takes half a second

    rng = np.random.default_rng(1)
    table = rng.integers(0, 4, (5, 30)) * 0.5
    times = {f"m{k}": dict(enumerate(row.tolist())) for k, row in enumerate(table)}
    expected = rankdata(np.maximum(table, 0.01), axis=0).mean(axis=1)
    assert list(mean_places(times).values()) == pytest.approx(expected.tolist())
    fast = {"a": {0: 0.001}, "b": {0: 0.009}, "c": {0: math.inf}, "d": {0: math.inf}}
    assert mean_places(fast) == {"a": 1.5, "b": 1.5, "c": 3.5, "d": 3.5}


def evaluation(times):
    """method -> seconds on each of the instances."""
    count = len(next(iter(times.values())))
    problems = {"d": [EvaluatedInstance(f"p{k}") for k in range(count)]}
    seed_times = {
        ("d", f"p{k}", method): [seconds]
        for method, row in times.items()
        for k, seconds in enumerate(row)
    }
    seeds = {method: [0] for method in times}
    return RunEvaluation(problems, list(times), [1.0], {}, seed_times, seeds=seeds)


def test_order_and_mean():
    found = standings(evaluation({"a": [0.1, 10.0], "b": [0.5, 0.5], "c": [0.0001, math.inf]}))
    assert [one.method for one in found] == ["b", "a", "c"]
    assert abs(found[1].time - 1.0) < 1e-12 and abs(found[2].time - 0.01) < 1e-12  # floored
    assert [one.method for one in leaders(found)] == ["b", "a"]


def test_ties_are_said():
    one = standings(evaluation({"a": [1.0], "b": [math.inf]}))
    assert most_solved(one) == "a (100 %)"
    assert "a solves all 1 instances, no other as many." in advice(one, 1)
    two = standings(evaluation({"a": [1.0], "b": [2.0]}))
    assert most_solved(two) == "a and b tie (100 %)"
    many = standings(evaluation({name: [0.001] for name in "abcde"} | {"slow": [9.0]}))
    assert most_solved(many) == "6 methods tie (100 %), 5 of them are equally fast"
    alike = standings(evaluation({name: [0.001] for name in "abcd"}))
    assert most_solved(alike) == "4 methods tie (100 %), all of them are equally fast"
    none = standings(evaluation({"a": [math.inf]}))
    assert most_solved(none) == "none solved any" and "more time" in advice(none, 1)[0]


def test_advice():
    times = {"sure": [9.0, 9.0], "quick": [0.1, math.inf], "also": [20.0, 20.0]}
    found = standings(evaluation(times), None, [("d", "p0", "also")])
    said = " ".join(advice(found, 2))
    assert "2 methods tie: they solve all 2 instances; sure is the fastest." in said
    assert "also proves 1 of 2 answers." in said and "In a hurry: quick, which solves 50 %" in said
    half = standings(evaluation({"a": [1.0, math.inf]}))
    assert advice(half, 2)[0] == "No method solves all instances."


def test_times_below_the_floor_are_equal():
    assert name_fastest({"auto": 0.0077, "fm-bca": 0.0012}) == "auto, fm-bca"
    assert name_fastest({"a": 0.001, "b": 0.002, "c": 0.009}) == "3 methods"


def test_a_factor_of_one_and_a_half_decides():
    assert name_fastest({"a": 1.0, "b": 1.4, "c": 3.0}) == "a, b"
    assert name_fastest({"a": 1.0, "b": 1.6}) == "a"
