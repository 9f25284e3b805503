"""engine/crew: every piece of work is done once, and has ended when somebody looks again."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from gmtoolbox.core.errors import InfeasibleError
from gmtoolbox.engine.crew import Crew
from gmtoolbox.engine.progress import Budget

INFEASIBLE = -3  # GM_EINFEASIBLE


def crew_of(n_jobs, n, piece, **limits):
    return Crew(n_jobs, lambda run: n, piece, Budget(**limits))


def test_every_piece_once_by_several_threads():
    done, names, several = [], set(), threading.Event()

    def piece(run, k, seconds):
        names.add(threading.current_thread().name)
        if len(names) > 1:
            several.set()
        several.wait(60)
        done.append((run, k))
        return 0

    with crew_of(3, 7, piece) as crew:
        crew.run_pieces("a run")
    assert sorted(done) == [("a run", k) for k in range(7)]
    assert 1 < len(names) <= 3 and threading.current_thread().name not in names


def test_one_job_leaves_the_work_to_the_kernel():
    with crew_of(1, 4, pytest.fail) as crew:
        crew.run_pieces(None)
        assert crew.pool is None


def test_nothing_is_begun_after_the_time_limit():
    with crew_of(2, 4, pytest.fail, time_limit=1e-9) as crew:
        time.sleep(0.001)
        crew.run_pieces(None)


def test_errors_are_raised_when_all_have_ended():
    ended, both = [], threading.Barrier(2, timeout=60)

    def piece(run, k, seconds):
        both.wait()
        time.sleep(0.05 * k)
        ended.append(k)
        return INFEASIBLE if k == 0 else 0

    with crew_of(2, 2, piece) as crew, pytest.raises(InfeasibleError):
        crew.run_pieces(None)
    assert sorted(ended) == [0, 1]


def test_a_piece_waits_for_those_of_which_more_is_left():
    left, order = {0: 2, 1: 4}, []

    def piece(run, k, seconds):
        assert seconds == 0.01
        order.append(k)
        left[k] -= 1
        return left[k] * 100

    with crew_of(2, 2, piece) as crew:
        crew.turn = 0.01
        crew.n_jobs = 2
        crew.pool = ThreadPoolExecutor(1)  # one thread: the order is the rule's
        crew.run_pieces(None)
    assert order == [0, 1, 1, 1, 0, 1]
    assert left == {0: 0, 1: 0}


def test_turns_end_with_the_time():
    with crew_of(2, 3, lambda run, k, seconds: 500, time_limit=0.05) as crew:
        crew.run_pieces(None)
        assert crew.budget.remaining() <= 0
