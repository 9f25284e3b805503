"""The kernel of fm-bca: work is divided by estimates, never by a clock."""

import numpy as np
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine import kernels


def test_slices_change_nothing(monkeypatch):
    problem = random_problem(np.random.default_rng(0), 8, 8, edges=0.3, complete=True)
    seen = []
    for seconds in (1e-6, 1.0):
        monkeypatch.setattr(kernels, "SLICE", seconds)
        r = gm.gm_solve(problem, "fm-bca", maxiter=40)
        seen.append((r.labels.tolist(), r.bound, r.n_iter))
    assert seen[0] == seen[1]


def test_no_progress_ends_it():
    problem = random_problem(np.random.default_rng(1), 7, 7, edges=0.4, complete=True)
    r = gm.gm_solve(problem, "fm-bca", patience=30)
    assert r.status in ("converged", "optimal") and r.n_iter < 100_000
