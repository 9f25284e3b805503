"""Runs as columns, CSV, HDF5 and .mat."""

import csv
import io
import re

import h5py
import numpy as np
import pytest
import scipy.io
from sample_store import add, fill

from gmtoolbox.bench.evaluate.evaluation import evaluate_runs
from gmtoolbox.bench.evaluate.gaps import find_gaps, gaps_csv
from gmtoolbox.bench.evaluate.tables import as_csv
from gmtoolbox.bench.export import columns, export, runs_csv
from gmtoolbox.bench.store.rows import InstanceRow, Run
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError


@pytest.fixture
def store():
    with Store() as store:
        yield fill(store)


def test_columns_are_ready_for_a_frame(store):
    table = columns(store.runs())
    assert {len(values) for values in table.values()} == {len(store.runs())} == {36}
    assert (
        table["value"].dtype == float
        and np.isnan(table["value"][table["outcome"] == "crash"]).all()
    )
    assert table["trial"].dtype.kind == "i" and set(table["method"]) == {"exact", "quick", "poor"}


def test_no_name_is_a_formula_in_any_csv():
    bad = ("=1+1", "+1", "-x", "@A1", "\t=2", "\r=3")
    with Store() as store:
        for name in bad:
            add(store, name, name, name, 1, [(0.1, -1.0, -2.0)], np.arange(2), [])
            store.add(Run(name, "x", name, 1, "error", name, solver=name, host=name, cpu=name))
            for instance in (f"{name}{name}", "x"):
                store.add_instance(InstanceRow(name, instance))
        loaded = store.loaded()
    evaluation = evaluate_runs(loaded)
    for text in (runs_csv(loaded.runs()), as_csv(evaluation), gaps_csv(find_gaps(evaluation))):
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) >= len(bad)
        for row in rows:
            for column, cell in row.items():
                is_number = re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", cell)
                assert is_number or not cell.startswith(tuple("=+-@\t\r")), (column, cell)


def test_csv(store, tmp_path):
    rows = list(csv.DictReader(io.StringIO(runs_csv(store.runs()))))
    assert len(rows) == 36
    for row, run in zip(rows, store.runs(), strict=True):
        names = ("dataset", "instance", "method")
        assert (*map(row.get, names), int(row["trial"]), int(row["seed"])) == run.key
        assert row["reason"] == run.reason and (
            row["value"] == "" if run.value is None else float(row["value"]) == run.value
        )
        assert row["labels (0-based)"] == (
            "" if run.labels is None else " ".join(map(str, run.labels))
        )


def test_hdf5_and_mat(store, tmp_path):
    runs = store.runs()
    for name in ("r.h5", "r.mat", "r.csv"):
        export(runs, tmp_path / name)
    with h5py.File(tmp_path / "r.h5") as file:
        assert [text.decode() for text in file["runs/method"][:]] == [run.method for run in runs]
        assert np.array_equal(file["labels/0"][:], runs[0].labels) and np.array_equal(
            file["trace/0"][:], runs[0].trace
        )
    table = scipy.io.loadmat(tmp_path / "r.mat", simplify_cells=True)["runs"]
    assert [record["method"] for record in table] == [run.method for run in runs]
    assert np.array_equal(table[0]["labels"], runs[0].labels + 1)
    with pytest.raises(
        InputError, match="unknown file type of a list of runs; known are .csv .h5 .mat"
    ):
        export(runs, tmp_path / "r.xlsx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.csv", "r.h5", "r.mat"]
