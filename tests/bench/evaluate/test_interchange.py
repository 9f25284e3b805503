"""Exports read back, and the study's files there and back again."""

import gzip
import json

import numpy as np
import pytest
from sample_store import fill

from gmtoolbox.bench.evaluate.evaluation import evaluate_runs
from gmtoolbox.bench.evaluate.interchange import export_study, import_study, read_published
from gmtoolbox.bench.store.store import InstanceRow, Store
from gmtoolbox.core.errors import FileFormatError


@pytest.fixture
def store():
    with Store() as store:
        yield fill(store)


def test_study_layout_there_and_back(store, tmp_path):
    folder = tmp_path / "benchmark"
    assert export_study(store, folder) == 32  # two runs of each dataset crashed
    data = json.loads(
        gzip.decompress(
            (folder / "1" / "exact" / "points" / "points10" / "data.json.gz").read_bytes()
        )
    )
    assert (data["method"], data["trial"], data["dataset"], data["instance"]) == (
        "exact",
        1,
        "points",
        10,
    )
    assert [set(point) for point in data["datapoints"]] == [
        {"time", "value", "bound", "assignment"}
    ] * 2
    with Store() as other:
        for row in store.instances():
            other.add_instance(row)
        assert import_study(folder, other) == 32
        ours, theirs = (
            evaluate_runs(store, [0.1, 1.0, 10.0]),
            evaluate_runs(other, [0.1, 1.0, 10.0]),
        )
        assert ours.seed_times == theirs.seed_times and ours.cells == theirs.cells
        answered = {run.key: run for run in store.runs() if run.outcome == "ok"}
        for run in other.runs():
            assert np.array_equal(run.labels, answered[run.key].labels) and np.array_equal(
                run.trace, answered[run.key].trace
            )


def test_file_as_the_study_writes_it(tmp_path):
    """Not monotone, without a name, with Infinity, and an assignment now and then."""
    folder = tmp_path / "benchmark" / "3" / "mp" / "car" / "car7"
    folder.mkdir(parents=True)
    points = [
        {"time": 0.1, "value": float("inf"), "bound": -90.0, "assignment": []},
        {"time": 0.2, "value": -50.0, "bound": -80.0, "assignment": [1, 0, -1]},
        {"time": 0.3, "value": -40.0, "bound": -85.0, "assignment": [0, 1, 2]},
    ]
    content = {"method": "mp", "trial": 3, "dataset": "car", "instance": 7, "datapoints": points}
    (folder / "data.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    with Store() as store:
        import_study(tmp_path, store)
        (run,), (row,) = store.runs(), store.instances()
    assert run.key == ("car", "car7", "mp", 3, 0) and (run.value, run.bound, run.time) == (
        -50.0,
        -80.0,
        0.3,
    )
    assert run.labels.tolist() == [1, 0, -1] and run.trace["value"].tolist() == [np.inf, -50, -50]
    assert row.instance == "car7"


def test_maximised_values_are_exported_as_costs(tmp_path):
    with Store() as store:
        fill(store)
        store.add_instance(InstanceRow("points", "points1", 1, sense="max"))
        export_study(store, tmp_path)
    data = json.loads(
        gzip.decompress(
            (tmp_path / "1" / "quick" / "points" / "points1" / "data.json.gz").read_bytes()
        )
    )
    assert data["datapoints"][-1]["value"] == 99.95


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        gzip.compress(b"[]", mtime=0),
        gzip.compress(b'{"datapoints": [{}]}', mtime=0),
        gzip.compress(b"{", mtime=0),
    ],
)
def test_broken_files_are_named(tmp_path, content):
    (tmp_path / "data.json.gz").write_bytes(content)
    with Store() as store, pytest.raises(FileFormatError, match="data.json.gz"):
        import_study(tmp_path, store)
    with pytest.raises(FileFormatError, match="data.json.gz"):
        read_published(tmp_path / "data.json.gz")
    with Store() as store, pytest.raises(FileFormatError, match="no data.json.gz"):
        import_study(tmp_path / "empty", store)
