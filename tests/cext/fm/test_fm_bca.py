"""The kernel of fm-bca: work is divided by estimates, never by a clock."""

import numpy as np
from small import in_slices, random_problem

import gmtoolbox as gm


def test_slices_change_nothing(monkeypatch):
    problem = random_problem(np.random.default_rng(0), 8, 8, edges=0.3, complete=True)
    in_slices(monkeypatch, problem, "fm-bca", 40)


def test_no_progress_ends_it():
    problem = random_problem(np.random.default_rng(1), 7, 7, edges=0.4, complete=True)
    r = gm.gm_solve(problem, "fm-bca", patience=30)
    assert r.status in ("converged", "optimal") and r.n_iter < 100_000
