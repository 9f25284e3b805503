"""Which method to use, on times worked by hand; ties are said."""

import math

from gmtoolbox.bench.evaluate.evaluation import Evaluation, Problem
from gmtoolbox.bench.evaluate.verdict import advice, leaders, most_solved, name_fastest, standings


def evaluation(times):
    """method -> seconds on each of the instances."""
    count = len(next(iter(times.values())))
    problems = {"d": [Problem(f"p{k}") for k in range(count)]}
    seed_times = {
        ("d", f"p{k}", method): [seconds]
        for method, row in times.items()
        for k, seconds in enumerate(row)
    }
    seeds = {method: [0] for method in times}
    return Evaluation(problems, list(times), [1.0], {}, seed_times, seeds=seeds)


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
