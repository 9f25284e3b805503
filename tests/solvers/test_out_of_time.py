"""What cannot be interrupted is not begun when too little time is left for it."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.budget import Budget

PROBLEM = random_problem(np.random.default_rng(3), 12, 15, density=0.7)


class Steps(Budget):
    """Time is over at the n-th look at the clock."""

    def __init__(self, n):
        super().__init__(time_limit=1e6)
        self.n = n

    def elapsed(self):
        self.n -= 1
        return 0.0 if self.n > 0 else 2e6


def prepared(method):
    solver = gm.registry.get_solver(method)
    return solver, gm.transforms.prepare(PROBLEM, solver.needs).problem


@pytest.mark.parametrize("n", range(1, 40))
def test_smac_ends_wherever_time_is_over(n):
    solver, problem = prepared("smac")
    outcome = solver.function(problem, Steps(n), **solver.check({}))
    assert outcome.status == "time_limit" and np.isfinite(outcome.scores).all()


def test_smac_begins_no_decomposition_that_would_end_too_late(monkeypatch):
    monkeypatch.setattr("gmtoolbox.engine.linalg.svd_seconds", lambda shape: 1e9)
    r = gm.gm_solve(PROBLEM, "smac", time_limit=100.0)
    assert r.status == "time_limit" and r.value == PROBLEM.energy(r.labels)
    assert (
        gm.gm_solve(PROBLEM, "smac").status == "converged"
    )  # without a limit there is always time


def test_ga_rounds_without_dummies_when_time_is_over(monkeypatch):
    whole = gm.gm_solve(PROBLEM, "ga", time_limit=100.0)
    monkeypatch.setattr("gmtoolbox.solvers.ga.rounding_seconds", lambda problem, n_candidates: 1e9)
    fast = gm.gm_solve(PROBLEM, "ga", time_limit=100.0)
    assert np.array_equal(fast.scores, whole.scores) and fast.n_iter == whole.n_iter
    assert fast.value == PROBLEM.energy(fast.labels)
