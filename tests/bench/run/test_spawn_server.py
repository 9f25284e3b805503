"""Runs in spawned processes: the same answers as in forked ones, and the same endings."""

import pytest
import repetition
from inline_server import InlineServer

import gmtoolbox as gm
from gmtoolbox.bench.run.fork_server import ForkServer
from gmtoolbox.bench.run.spawn_server import SpawnServer
from gmtoolbox.bench.run.worker import Task
from gmtoolbox.engine.own import pack_solver


def ending(server, task, **limits):
    try:
        return server.run(task, **limits)
    finally:
        server.close()


def own(function):
    return Task(gm.synth.car(seed=0, size=5), function.__name__, own=pack_solver(function))


def test_a_run_gives_what_a_forked_one_gives():
    task = Task(gm.synth.car(seed=0, size=6), "fm-bca", {"maxiter": 50}, seed=3)
    other = ForkServer if repetition.is_whole else InlineServer
    spawned, forked = (dict(ending(server(), task).messages) for server in (SpawnServer, other))
    for name in ("value", "bound", "status", "n_iter"):
        assert spawned["result"][name] == forked["result"][name]
    assert spawned["problem"]["n_edges"] == forked["problem"]["n_edges"]


def test_what_a_run_prints_is_kept_apart():
    def talk(problem):
        print("hello")
        return range(5)

    found = ending(SpawnServer(), own(talk))
    assert found.code == 0 and "result" in dict(found.messages) and "hello" in found.output


@pytest.mark.long
def test_a_crash_and_a_hang_are_told():
    import os

    def crash(problem):
        os.abort()

    def hang(problem):
        while True:
            pass

    assert ending(SpawnServer(), own(crash)).code == -6
    lost = ending(SpawnServer(), own(hang), wall=6)
    assert lost.timed_out and lost.code == -9


@pytest.mark.long
def test_memory_is_limited_where_it_can_be():
    def greedy(problem):
        bytearray(8 << 30)
        return range(5)

    found = ending(SpawnServer(), own(greedy), memory=4 << 30)
    assert "memory" in dict(found.messages)
