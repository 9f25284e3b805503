"""What a store holds under one name is told apart before tables group it by names."""

import numpy as np
import pytest

from gmtoolbox.bench.evaluate.evaluation import evaluate_runs
from gmtoolbox.bench.store.rows import InstanceRow, Run
from gmtoolbox.bench.store.store import Loaded, longest
from gmtoolbox.core.result import trace_dtype


def a_run(value=1.0, instance="a", method="fm", **rest):
    trace = np.array([(0.1, value, -np.inf)], dtype=trace_dtype())
    answer = dict(status="converged", value=value, bound=-np.inf, time=0.1, n_iter=1, trace=trace)
    return Run("d", instance, method, 1, **{"time_limit": 1.0, **answer, **rest})


def names(loaded):
    return [(run.instance, run.method) for run in loaded.runs()]


def test_names_of_one_thing_each_stay():
    rows = [InstanceRow("d", "a", problem="1" * 32), InstanceRow("d", "b", problem="1" * 32)]
    runs = [a_run(problem="1" * 32), a_run(problem="1" * 32, instance="b", method="fw")]
    loaded = Loaded(rows, runs)
    assert loaded.runs() == runs and loaded.instances() == rows


def test_problems_of_one_name():
    problems = ("1" * 32, "2" * 32, "")
    rows = [InstanceRow("d", "a", problem=problem, n1=2, n2=2) for problem in problems]
    runs = [a_run(float(k), problem=problem) for k, problem in enumerate(problems)]
    loaded = Loaded(rows, runs)
    expected = ["a [111111]", "a [222222]", "a [unverified]"]
    assert [row.instance for row in loaded.instances()] == expected
    assert names(loaded) == [(name, "fm") for name in expected]
    evaluation = evaluate_runs(loaded)
    assert [p.name for p in evaluation.problems["d"]] == expected
    cells = [evaluation.cells[1.0, "d", name, "fm"][0].value for name in expected]
    assert cells == [0.0, 1.0, 2.0]  # no value of one stands for another
    part = loaded.only({runs[1].place})
    assert names(part) == [("a", "fm")] and [row.instance for row in part.instances()] == ["a"]
    assert runs[0].instance == "a"  # what was given stays as it was


def test_variants_of_one_name():
    one, two = (dict(options={"patience": k, "maxiter": 5}, problem="p") for k in (10, 20))
    loaded = Loaded([], [a_run(**one), a_run(**two), a_run(method="fw", problem="p")])
    assert names(loaded) == [("a", "fm:patience=10"), ("a", "fm:patience=20"), ("a", "fw")]
    codes = [a_run(method="mine", code=letter * 32) for letter in "ab"]
    assert names(Loaded([], codes)) == [("a", "mine:mine aaaaaa"), ("a", "mine:mine bbbbbb")]


def test_unknown_options_make_no_variant():
    """Versions 1 and 2 stored what auto had decided among its options."""
    runs = [a_run(method="auto", options={"run": name}, decided=None) for name in ("aj", "fm")]
    assert names(Loaded([], runs)) == [("a", "auto")] * 2


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_longest_of_several_limits_counts(order):
    runs = [a_run(float(k), time_limit=limit) for k, limit in enumerate((1.0, 10.0, None))]
    assert [run.value for run in longest([runs[k] for k in order])] == [2.0]
    other = a_run(5.0, instance="b")
    assert len(longest([*runs[:2], other])) == 2
