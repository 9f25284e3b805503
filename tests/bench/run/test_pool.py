"""A pool: work in threads in front of fork servers, which a signal ends."""

import os
import signal
import threading

import pytest
from inline_server import InlineServer

from gmtoolbox.bench.run.pool import Pool


@pytest.fixture(autouse=True)
def no_processes(monkeypatch):
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)


def test_answers_come_in_order_and_every_server_has_one_item_at_a_time():
    inside, most, guard = set(), [], threading.Lock()

    def make(server, number, text):
        with guard:
            assert id(server) not in inside
            inside.add(id(server))
            most.append(len(inside))
        threading.Event().wait(0.002)
        with guard:
            inside.remove(id(server))
        return f"{text}{number}"

    with Pool(3) as pool:
        found = pool.map(make, [(k, "a") for k in range(30)])
    assert found == [f"a{k}" for k in range(30)] and max(most) <= 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_work(number):
    done = []

    def make(server, k):
        done.append(k)
        if k == 3:
            os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    with Pool(1) as pool, pytest.raises(KeyboardInterrupt):
        pool.map(make, [(k,) for k in range(1000)])
    assert len(done) < 1000 and signal.getsignal(number) is before
