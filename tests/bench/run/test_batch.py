"""gmtoolbox batch: every format in, .mat, .csv and .h5 out, and on from where it stopped."""

import csv

import h5py
import numpy as np
import pytest
from inline_server import InlineServer
from scipy.io import loadmat
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.store.store import Store


@pytest.fixture
def folder(tmp_path):
    """An instance in each of four formats, one of them twice, and a broken file."""
    rng = np.random.default_rng(6)
    folder = tmp_path / "problems"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.mat", "b.dd", "deep/c.h5", "d.dd.xz"):
        gm.save(random_problem(rng, 4, 5, density=0.8), folder / name)
    gm.save(gm.load(folder / "b.dd"), folder / "b.h5")
    (folder / "broken.mat").write_bytes(b"no mat file")
    return folder


@pytest.mark.usefixtures("without_processes")
def test_every_format_in_and_three_out(folder, tmp_path, capsys):
    outputs = [tmp_path / f"results.{suffix}" for suffix in ("mat", "csv", "h5")]
    arguments = ["batch", folder, "-m", "fw", "sm", "-t", 5, "-j", 2, "--output", *outputs]
    assert cli.main(list(map(str, arguments))) == 1
    said = capsys.readouterr()
    assert "8 of 10 runs done" in said.out and said.err.count("failed: broken with ") == 2
    with open(outputs[1], newline="") as file:
        rows = list(csv.DictReader(file))
    names = ["a", "b", "broken", "d", "deep/c"]
    assert [(row["instance"], row["method"]) for row in rows] == [
        (name, method) for name in names for method in ("fw", "sm")
    ]
    records = loadmat(outputs[0], simplify_cells=True)["runs"]
    files = {"a": "a.mat", "b": "b.dd", "deep/c": "deep/c.h5", "d": "d.dd.xz"}
    with h5py.File(outputs[2]) as file:
        for k, (row, record) in enumerate(zip(rows, records, strict=True)):
            assert (row["instance"], row["outcome"]) == (record["instance"], record["outcome"])
            if row["outcome"] != "ok":
                assert row["instance"] == "broken" and np.isnan(record["value"])
                continue
            labels = np.array(row["labels (0-based)"].split(), dtype=int)
            assert np.array_equal(labels + 1, record["labels"])  # .mat counts from 1
            assert np.array_equal(labels, file[f"labels/{k}"][:])
            assert file[f"labels/{k}"].attrs["base"] == 0
            value = gm.load(folder / files[row["instance"]]).energy(labels)
            assert value == float(row["value"]) == record["value"]


def test_a_changed_file_is_run_again(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)
    K = np.diag([9.0, 1.0, 2.0, 9.0])

    def value(name, factor):
        path = tmp_path / name / "a.mat"
        path.parent.mkdir(exist_ok=True)
        gm.save(gm.Problem.from_matrix(factor * K), path)
        output = tmp_path / "results.csv"
        assert cli.main(["batch", str(path), "-m", "fm", "-t", "9", "-o", str(output)]) == 0
        with open(output, newline="") as file:
            (row,) = csv.DictReader(file)
        return float(row["value"]), row["started"], row["problem"]

    found = [value("d1", 1), value("d1", 2), value("d2", 3), value("d2", 1), value("d1", 2)]
    assert [one[0] for one in found] == [18, 36, 54, 18, 36]
    assert found[3] == found[0] and found[4] == found[1]  # found again by what they are
    assert len({one[2] for one in found}) == 3
    said = capsys.readouterr().err
    assert said.count("files/a: the store has another problem of this name") == 2


@pytest.mark.long
def test_goes_on_from_where_it_stopped(folder, tmp_path, capsys):
    """Results in the folder itself are no problems of the next call; what is done is not redone."""
    (folder / "broken.mat").unlink()
    arguments = ["batch", str(folder), "-t", "5", "-o", str(folder / "results.mat"), "-m"]
    assert cli.main([*arguments, "fw"]) == 0
    with Store(folder / "results.db") as store:
        first = {run.key: run.started for run in store.runs()}
    assert cli.main([*arguments, "fw", "sm"]) == 0
    with Store(folder / "results.db") as store:
        again = {run.key: run.started for run in store.runs()}
    assert len(first) == 4 and len(again) == 8 and first.items() <= again.items()
    assert "4 of them done before" in capsys.readouterr().err
    assert not list(folder.glob("*.lock"))


def test_bad_calls_are_refused_before_any_run(folder, tmp_path, capsys):
    for arguments, message in [
        ([str(tmp_path / "none")], "no such file or folder"),
        ([str(folder), "-m", "nothing"], "unknown method 'nothing'"),
        ([str(folder), "-o", "r.xlsx"], "unknown file type of a list of runs"),
        ([str(folder), "-m", "fw:no=1"], "no"),
    ]:
        assert cli.main(["batch", *arguments]) == 2
        said = capsys.readouterr().err
        assert message in said and said.count("\n") == 1
    assert not list(tmp_path.glob("*.db"))
