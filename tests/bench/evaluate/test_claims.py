"""Where figures come from, and whether they can be compared."""

import sqlite3
from dataclasses import replace

import numpy as np
import pytest
from sample_store import fill

from gmtoolbox.bench.evaluate.evaluation import (
    anomalies,
    evaluate_runs,
    find_mixed_hardware,
    find_refuted_claims,
    hardware_warning,
    is_refuted,
)
from gmtoolbox.bench.site.overview import format_seeds, provenance
from gmtoolbox.bench.site.report import Site
from gmtoolbox.bench.store.store import Command, InstanceRow, Run, Store
from gmtoolbox.core.errors import GMError
from gmtoolbox.core.result import trace_dtype


def test_mixed_hardware_is_said():
    with Store() as store:
        fill(store)
        runs = store.runs()
        assert find_mixed_hardware(runs) == {} and hardware_warning(runs) == ""
        other = [replace(run, cpu="another") if run.method == "quick" else run for run in runs]
    only = [run for run in other if run.dataset == "points"]
    assert find_mixed_hardware(only) == {"points": ["another", "some processor"]}
    assert "not comparable on points" in hardware_warning(only)
    apart = [replace(run, cpu=run.instance) for run in runs]  # each instance on one machine
    assert find_mixed_hardware(apart) == {}


def test_facts():
    with Store() as store:
        fill(store)
        store.add_command(Command("2026-01-01T00:00", "h", "bench <x>", [1.0]))
        loaded = store.loaded()
        text = provenance(loaded, evaluate_runs(loaded))
    assert "bench &lt;x&gt;" in text and "<dd>0</dd>" in text and "1 s, 10 s" in text
    assert format_seeds([0, 1, 2, 3]) == "0 to 3" and format_seeds([1, 5]) == "1, 5"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite", write=True) as store:
        yield store


def add(store, method, value, bound, status, **rest):
    trace = np.array([(0.1, value, bound)], trace_dtype())
    labels = np.array([0, 1], np.int32)
    answer = {"value": value, "bound": bound, "gap": 0.0, "time": 0.1, "n_iter": 1}
    run = {"labels": labels, "trace": trace, "time_limit": 1.0, "load": 0.0, **rest}
    store.add(Run("d", "i", method, 1, status=status, **answer, **run))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_better_value_refutes_a_proof(store, sign):
    sense = "min" if sign > 0 else "max"
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2, sense=sense, optimum=sign * 3.0))
    add(store, "liar", sign * 5.0, sign * 5.0, "optimal")
    add(store, "honest", sign * 2.0, sign * 2.0, "optimal")
    add(store, "rounded", sign * 2.0, sign * 2.0 * (1 + sign * 1e-9), "optimal")
    (liar, bound), (of_dataset, optimum) = find_refuted_claims(store)
    assert liar == ("d", "i", "liar") and f"bound {sign * 5:g} (optimal)" in bound
    assert of_dataset[:2] == ("d", "i") and f"optimum {sign * 3:g}" in optimum
    assert [odd.kind for odd in anomalies(store)] == ["refuted", "refuted"]
    assert not any(method == "liar" for *_, method in Site(store).proofs)


def test_other_problems_of_the_same_name_refute_nothing(store):
    for problem, value in (("p", 5.0), ("q", 2.0)):
        store.add_instance(InstanceRow("d", "i", n1=2, n2=2, problem=problem))
        add(store, "m", value, value, "optimal", problem=problem)
    assert find_refuted_claims(store) == []


def test_without_bounds_nothing_is_refuted():
    assert not is_refuted(-np.inf, 1.0) and not is_refuted(1.0, np.inf)
    assert is_refuted(np.inf, 1.0) and is_refuted(1.1, 1.0) and not is_refuted(1.0, 1.0)


def test_an_optimal_run_without_a_bound_is_refused(tmp_path):
    path = tmp_path / "s.sqlite"
    with Store(path, write=True) as store:
        store.add_instance(InstanceRow("d", "i", n1=2, n2=2))
        add(store, "m", 2.0, 2.0, "optimal")
    with sqlite3.connect(path) as file:
        file.execute("update runs set bound = -9e999")
    file.close()
    with Store(path) as store, pytest.raises(GMError, match="'optimal' must have a bound"):
        store.runs()
