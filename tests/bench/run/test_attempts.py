"""One run: how often it is tried, and what is said about its end."""

import signal

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.bench.run.attempts import Conditions, attempt, machine, memory_each
from gmtoolbox.bench.run.fork_server import Ending, ForkServer
from gmtoolbox.bench.run.worker import Task

KEY = ("d", "i", "fw", 1, 0)
TASK = Task(random_problem(np.random.default_rng(0), 3, 3), "fw", {"maxiter": 5})


class Scripted:
    """A fork server whose runs end as they are told to."""

    def __init__(self, *endings):
        self.endings, self.calls = list(endings), 0

    def run(self, task, wall, memory):
        self.calls += 1
        return self.endings.pop(0)


def test_a_real_run():
    server = ForkServer()
    try:
        run, facts = attempt(server, KEY, TASK, Conditions(60.0, None, machine()))
    finally:
        server.close()
    assert run.outcome == "ok" and run.key == KEY and run.solver == "fw" and run.host
    assert facts["n1"] == 3 and run.value == TASK.problem.energy(run.labels)


@pytest.mark.parametrize("attempts", [2, 3])
def test_killed_runs_are_tried_again(attempts):
    lost = [Ending(None) for _ in range(attempts)]
    server = Scripted(*lost)
    run, facts = attempt(server, KEY, TASK, Conditions(attempts=attempts))
    assert server.calls == attempts and facts is None
    assert run.outcome == "crash" and run.reason == f"its process was killed {attempts} times"
    server = Scripted(Ending(-signal.SIGKILL), Ending(0, [("error", "ValueError: no")]))
    run, _ = attempt(server, KEY, TASK, Conditions(attempts=attempts))
    assert server.calls == 2 and (run.outcome, run.reason) == ("error", "ValueError: no")


def test_what_ends_by_itself_is_not_tried_again():
    for ending, outcome in [
        (Ending(-signal.SIGSEGV), "crash"),
        (Ending(3), "crash"),
        (Ending(-signal.SIGKILL, timed_out=True), "timeout"),
        (Ending(0, [("memory", "")]), "memory"),
    ]:
        server = Scripted(ending)
        run, _ = attempt(server, KEY, TASK, Conditions(5.0, 2**20))
        assert server.calls == 1 and run.outcome == outcome
    assert attempt(Scripted(Ending(0)), KEY, TASK, Conditions(), lambda: True) is None


def test_memory_each():
    assert memory_each(10, 3) == 10 * 2**20
    assert memory_each(None, 2) < memory_each(None, 1)
