"""Budgets: limits, the clock, Ctrl-C."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.engine import registry
from gmtoolbox.engine.budget import Budget


def test_iterations_stop_at_the_limit_the_clock_and_the_proof():
    budget = Budget()
    assert list(budget.iterations(3)) == [0, 1, 2] and budget.stopped == "iteration_limit"
    budget = Budget(time_limit=0.02)
    for _ in budget.iterations():
        time.sleep(0.001)
    assert budget.stopped == "time_limit"
    budget = Budget(proves=lambda cost, bound: cost == bound)
    for _ in budget.iterations(100):
        budget.record(cost=-2.0, bound=-2.0, labels=[0])
    assert budget.stopped == "converged" and len(budget.events) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"time_limit": 0},
        {"time_limit": "1"},
        {"time_limit": float("nan")},
        {"seed": -1},
        {"seed": 1.5},
    ],
)
def test_budget_refuses(arguments):
    with pytest.raises(InputError, match=next(iter(arguments))):
        Budget(**arguments)


@pytest.fixture
def heeding_ctrl_c():
    """As in a terminal: a suite started in the background ignores Ctrl-C, and so would the solver,
    rightly.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


def test_ctrl_c_returns_the_best_so_far(method, heeding_ctrl_c):
    def forever(problem, budget):
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        deadline = time.monotonic() + 20
        for _ in budget.iterations():
            time.sleep(0.001)
            assert time.monotonic() < deadline, "Ctrl-C did not arrive"
        return registry.Outcome(labels=np.arange(4))

    r = gm.gm_solve(np.eye(16), method(forever))
    assert r.status == "interrupted" and r.labels.tolist() == [0, 1, 2, 3]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
