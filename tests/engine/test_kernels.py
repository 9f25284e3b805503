"""The loop that drives every kernel: slices, limits, labels of improvements."""

import numpy as np
import pytest
from small import brute_force, random_problem, same_in_slices

from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.progress import Budget

OPTIONS = {"seed": 0, "improve": 3, "patience": 300}


def problem(n=6, **rest):
    return random_problem(np.random.default_rng(0), n, n, **rest)


def test_slices_do_not_change_the_answer(monkeypatch):
    answer = lambda: run_kernel("fm", problem(), Budget(), maxiter=50, **OPTIONS)
    outcomes = same_in_slices(monkeypatch, answer)
    assert outcomes[0].n_iter == 50
    assert {outcome.status for outcome in outcomes} == {"iteration_limit"}


def test_it_ends_by_itself():
    p = problem(4)
    outcome = run_kernel("fm", p, Budget(), **OPTIONS)
    assert outcome.status in ("converged", "optimal")
    assert p.total_cost(outcome.labels) == pytest.approx(brute_force(p))


def test_the_clock_ends_it():
    outcome = run_kernel(
        "fm", problem(8), Budget(time_limit=0.05), seed=0, improve=3, patience=10**12
    )
    assert outcome.status == "time_limit" and outcome.labels is not None


def test_improvements_come_with_their_labels():
    p, told = problem(8), []
    budget = Budget(on_improve=lambda event, labels, iteration: told.append((event[1], labels)))
    run_kernel("fm", p, budget, maxiter=200, **OPTIONS)
    costs = [cost for cost, labels in told if labels is not None]
    assert costs and costs == sorted(costs, reverse=True)
    for cost, labels in told:
        if labels is not None:
            assert p.total_cost(labels) == pytest.approx(cost)


def test_finish_looks_at_the_state_before_it_is_freed():
    outcome = run_kernel(
        "fm", problem(), Budget(), maxiter=5, finish=lambda run: {"n1": run.n1}, **OPTIONS
    )
    assert outcome.extra == {"n1": 6}
