"""scripts/batch_solve.py: a folder of .mat files in, a struct array and a table out."""

import csv
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat
from small import random_problem

import gmtoolbox as gm

ROOT = Path(__file__).resolve().parents[2]


def batch_solve(*arguments):
    command = [sys.executable, str(ROOT / "scripts" / "batch_solve.py"), *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=200,
        cwd="/",
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    rng = np.random.default_rng(6)
    for k in range(2):
        gm.save(random_problem(rng, 4, 5, density=0.8), folder / f"problem{k}.mat")
    (folder / "broken.mat").write_bytes(b"no mat file")
    return folder


def test_folder_becomes_a_struct_array_and_a_table(folder):
    done = batch_solve(folder, "--methods", "fw", "sm", "--jobs", 2, "--time-limit", 5)
    assert done.returncode == 1 and "4 of 6 runs done" in done.stdout, done.stderr
    assert done.stderr.count("failed: broken.mat with ") == 2

    runs = loadmat(folder / "results" / "results.mat", simplify_cells=True)["runs"]
    assert [(run["file"], run["method"]) for run in runs] == [
        (f"{name}.mat", method)
        for name in ("broken", "problem0", "problem1")
        for method in ("fw", "sm")
    ]
    with open(folder / "results" / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for run, row in zip(runs, rows, strict=True):
        assert (run["file"], run["method"], run["outcome"]) == (
            row["file"],
            row["method"],
            row["outcome"],
        )
        if run["outcome"] == "ok":
            problem = gm.load(folder / run["file"])
            assert (
                problem.energy(run["labels"].astype(int) - 1) == run["value"] == float(row["value"])
            )
            assert row["labels"].split() == [str(int(label)) for label in run["labels"]]
        else:
            assert (
                run["file"] == "broken.mat"
                and np.isnan(run["value"])
                and "broken.mat" in row["reason"]
            )
    assert not [
        path
        for path in (folder / "results").iterdir()
        if path.name not in ("results.mat", "results.csv")
    ]


def test_bad_calls_are_refused_before_any_run(folder, tmp_path, capsys):
    script = runpy.run_path(str(ROOT / "scripts" / "batch_solve.py"))
    with pytest.raises(SystemExit, match="2"):
        script["main"]([str(tmp_path)])
    assert "no .mat files" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        script["main"]([str(folder), "--methods", "nothing", "--output", str(tmp_path / "out")])
    assert "unknown method 'nothing'" in capsys.readouterr().err and not (tmp_path / "out").exists()
