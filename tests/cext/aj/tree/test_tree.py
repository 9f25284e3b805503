"""Branch and bound: bounds rise, slices change nothing, the root alone ends by itself."""

import numpy as np
import pytest
from small import brute_force, in_slices, random_problem

import gmtoolbox as gm

PROBLEM = random_problem(np.random.default_rng(3), 7, 7, edges=0.5, complete=True)


def test_the_trace_only_gets_better():
    trace = gm.gm_solve(PROBLEM, "aj").trace
    for worse, better in zip(trace, trace[1:], strict=False):
        assert better["value"] <= worse["value"] and better["bound"] >= worse["bound"]


def test_slices_change_nothing(monkeypatch):
    in_slices(monkeypatch, PROBLEM, "aj", 3000)


def test_without_branching_it_stops_at_the_root():
    whole = gm.gm_solve(PROBLEM, "aj")
    root = gm.gm_solve(PROBLEM, "aj", branch=False)
    assert root.status in ("converged", "optimal") and root.bound <= whole.value + 1e-9
    assert whole.status == "optimal"
    assert whole.value == pytest.approx(brute_force(PROBLEM), abs=1e-6)


@pytest.mark.data
@pytest.mark.timeout(300)
def test_branching_that_closes_too_little_is_given_up(data):
    """Half of all units were subproblems that the semidefinite phase made superfluous."""
    r = gm.gm_solve(gm.load(data / "qaplib-dat/esc32e.dat"), "aj")
    assert r.status == "optimal" and r.value == 2 and r.n_iter < 700_000
