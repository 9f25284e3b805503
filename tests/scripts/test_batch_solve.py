"""scripts/batch_solve.py: a folder of problem files in, a struct array and a table out."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
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


def test_folder_becomes_a_struct_array_and_a_table(tmp_path):
    gm.save(random_problem(np.random.default_rng(6), 4, 5, density=0.8), tmp_path / "a.mat")
    done = batch_solve(tmp_path, "--methods", "fw", "sm", "--jobs", 1, "--time-limit", 5)
    assert done.returncode == 0 and "2 of 2 runs done" in done.stdout, done.stderr
    results = tmp_path / "results"
    assert {path.name for path in results.iterdir()} == {
        "results.mat",
        "results.csv",
        "results.db",
    }
    runs = loadmat(results / "results.mat", simplify_cells=True)["runs"]
    assert [run["method"] for run in runs] == ["fw", "sm"]


def test_bad_calls_are_refused_before_any_run(tmp_path):
    done = batch_solve(tmp_path)
    assert done.returncode == 2 and "no problem files" in done.stderr
    assert not (tmp_path / "results").exists()
