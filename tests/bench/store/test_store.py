"""The store keeps what it is given, says no to what is no store, and has one writer."""

import sqlite3

import numpy as np
import pytest

from gmtoolbox.bench.store.store import InstanceRow, Run, Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.result import trace_dtype


def a_run(**changes):
    trace = np.array([(0.1, 5.0, -np.inf), (0.2, 3.0, 1.0)], dtype=trace_dtype())
    values = dict(
        dataset="d",
        instance="i",
        method="m",
        trial=1,
        status="converged",
        value=3.0,
        bound=1.0,
        time=0.2,
        n_iter=7,
        labels=np.array([1, -1, 0], np.int32),
        trace=trace,
        snapshots=[(0.1, np.array([0, 1, -1], np.int32))],
        options={"tol": 1e-3},
        seed=4,
        time_limit=10.0,
        versions={"x": "1"},
        host="h",
        cpu="c",
        load=0.5,
        started="now",
        wall=0.3,
        memory=50.0,
    )
    return Run(**{**values, **changes})


def same_run(a, b):
    plain = [
        name for name in Run.__dataclass_fields__ if name not in ("labels", "trace", "snapshots")
    ]
    assert {name: getattr(a, name) for name in plain} == {name: getattr(b, name) for name in plain}
    assert np.array_equal(a.labels, b.labels) and np.array_equal(a.trace, b.trace)
    assert len(a.snapshots) == len(b.snapshots)
    for (time, labels), (other, others) in zip(a.snapshots, b.snapshots, strict=True):
        assert time == other and np.array_equal(labels, others)


def test_round_trip(tmp_path):
    row = InstanceRow(
        "d",
        "i",
        3,
        "x.dd",
        3,
        4,
        9,
        20,
        "max",
        True,
        -5.0,
        -5.0,
        [[1], [], [0, 2]],
        np.eye(3, 2),
        np.ones((4, 2)),
    )
    failed = a_run(
        trial=2,
        outcome="crash",
        reason="why",
        labels=None,
        trace=None,
        snapshots=[],
        value=None,
        bound=-np.inf,
    )
    with Store(tmp_path / "s.db", write=True) as store:
        store.add_instance(row)
        store.add(a_run())
        store.add(failed)
    with Store(tmp_path / "s.db") as store:
        (again,) = store.instances()
        assert (
            again.ground_truth == row.ground_truth
            and again.complete is True
            and again.sense == "max"
        )
        assert np.array_equal(again.points1, row.points1) and np.array_equal(
            again.points2, row.points2
        )
        first, second = store.runs()
        same_run(first, a_run())
        assert (
            second.labels is None
            and len(second.trace) == 0
            and second.bound == -np.inf
            and second.reason == "why"
        )
        assert {run.key for run in store.done()} == {("d", "i", "m", 1, 4), ("d", "i", "m", 2, 4)}
        assert [run.place for run in store.done()] == [first.place, second.place]


def test_newer_run_takes_the_place_of_the_older():
    with Store() as store:
        store.add(a_run())
        store.add(a_run(value=2.0))
        assert [run.value for run in store.runs()] == [2.0]


@pytest.mark.parametrize(
    "change", [{"problem": "p"}, {"options": {}}, {"time_limit": 1.0}, {"seed": 5}, {"code": "c"}]
)
def test_another_identity_is_another_run_of_the_same_name(change):
    with Store() as store:
        store.add(a_run())
        store.add(a_run(value=2.0, **change))
        assert sorted(run.value for run in store.runs()) == [2.0, 3.0]


def test_names_are_labels():
    with Store() as store:
        store.add(a_run(problem="p"))
        (run,) = store.done()
        store.add_name(run, ("other", "name", "variant", 1, 4))
        first, second = store.runs()
        assert second.key == ("other", "name", "variant", 1, 4) and second.solver == "m"
        assert first.identity == second.identity and np.array_equal(first.labels, second.labels)


def test_a_run_that_failed_before_its_problem_was_known_gives_way():
    failed = a_run(outcome="error", reason="no file", labels=None, value=None, status=None)
    with Store() as store:
        store.add_instance(InstanceRow("d", "i"))
        store.add(failed)
        store.add_instance(InstanceRow("d", "i", n1=3, n2=3, problem="p"))
        assert len(store.instances()) == 2
        store.add(a_run(problem="p"))
        assert [run.outcome for run in store.runs()] == ["ok"]
        assert [row.problem for row in store.instances()] == ["p"]


def test_one_writer(tmp_path):
    with Store(tmp_path / "s.db", write=True):
        with pytest.raises(InputError, match="another benchmark is writing"):
            Store(tmp_path / "s.db", write=True)
        Store(tmp_path / "s.db").close()  # reading is free
    Store(tmp_path / "s.db", write=True).close()


@pytest.mark.parametrize("write", [False, True])
def test_refuses_other_files(tmp_path, write):
    (tmp_path / "text").write_text("this is no database at all, whatever its name says" * 30)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE x (y)")
    other.close()
    for name in ("text", "other.db"):
        with pytest.raises(InputError, match="no benchmark store"):
            Store(tmp_path / name, write=write)
    assert (tmp_path / "text").read_text("utf-8").startswith("this is")
    with pytest.raises(InputError):
        Store(tmp_path / "no" / "such" / "folder.db", write=write)


def test_stores_of_other_problems_are_merged_beside_each_other(tmp_path):
    for name, problem in (("a", "p"), ("b", "q"), ("c", "q")):
        with Store(tmp_path / name, write=True) as store:
            store.add_instance(InstanceRow("d", "i", n1=3, n2=3, problem=problem))
            store.add(a_run(problem=problem, value=float(ord(name))))
    with Store() as store:
        for name in "abc":
            with Store(tmp_path / name) as part:
                store.copy(part)
        assert {run.problem: run.value for run in store.runs()} == {"p": 97.0, "q": 99.0}
        assert {row.problem for row in store.instances()} == {"p", "q"}
