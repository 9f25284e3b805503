"""The fork server: messages whole or not at all, one process for many runs."""

import os
import signal

import numpy as np
from processes import wait_until
from small import random_problem

from gmtoolbox.bench.run.fork_server import ForkServer, messages, send


def problems(n=3):
    return {f"p{k}": random_problem(np.random.default_rng(k), 4, 5) for k in range(n)}


def test_half_written_messages_are_dropped():
    """(7) also what others write between, and into, the messages."""
    mark = bytes(range(16))
    read, write = os.pipe()
    for content in (1, 2):
        send(write, mark, ("kind", content), os.getpid())
    one, two = messages(bytearray(stream := os.read(read, 1 << 16)), mark)
    assert (one, two) == (("kind", 1), ("kind", 2))
    half = len(stream) // 2
    for noise in (b"", b"noise", mark, mark + b"\xff" * 40, stream[:half]):
        assert ("kind", 2) in list(messages(bytearray(noise + stream), mark))
        cut = stream[: half - 3] + noise + stream[half:]  # the first one is damaged
        assert [content for _, content in messages(bytearray(cut), mark)] in ([2], [1, 2])
    assert list(messages(bytearray(stream[:5]), mark)) == []
    assert list(messages(bytearray(stream), bytes(16))) == []


def test_fork_server_is_one_process_for_many_runs():
    from gmtoolbox.bench.run.worker import Task

    fork_server = ForkServer()
    try:
        problem = problems(1)["p0"]
        first, second = (fork_server.run(Task(problem, "sm"), wall=60) for _ in range(2))
        server = fork_server._server.pid
        assert (
            first.code == second.code == 0
            and dict(first.messages)["result"]["value"] == dict(second.messages)["result"]["value"]
        )
        os.kill(server, signal.SIGKILL)
        wait_until(lambda: fork_server._server.poll() is not None)
        assert (
            fork_server.run(Task(problem, "sm"), wall=60).code == 0
            and fork_server._server.pid != server
        )
    finally:
        fork_server.close()
