"""Requests to stop: one for each call, seen by kernels and other processes; seeds and rng."""

import inspect
import signal
import threading

import numpy as np
import pytest
from ctrl_c import interrupted_solve

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.limits import Stop, heed


@pytest.fixture(autouse=True)
def heeding_ctrl_c():
    """As in a terminal: a suite started in the background ignores Ctrl-C."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


MAIN = threading.main_thread().ident


def press():
    """Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def test_the_first_ctrl_c_asks_and_the_second_raises():
    with pytest.raises(KeyboardInterrupt), Stop() as stop:
        assert not stop.is_set
        press()
        assert stop.is_set and stop.flag[0] == 1
        press()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_left_for_the_next_call():
    for _ in range(5):
        with Stop() as stop:
            assert not stop.is_set
            press()
            assert stop.is_set


def test_a_call_inside_another_shares_its_stop():
    with Stop() as outer:
        with Stop() as inner:
            press()
        assert inner is outer and outer.is_set
        with pytest.raises(KeyboardInterrupt):
            press()  # of the same call: the second one


def test_stops_by_other_threads_never_raise():
    with Stop() as stop:
        for _ in range(3):
            thread = threading.Thread(target=stop.set)
            thread.start()
            thread.join()
        press()
        assert stop.is_set


def test_an_ignored_ctrl_c_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Stop() as stop:
        press()
        assert not stop.is_set


def test_other_processes_see_it_in_a_file():
    stop = Stop()
    with stop.share() as path:
        with heed(path) as there, Stop() as inner:
            press()  # reaches all processes of a terminal, and is left to the first of them
            assert inner is there and not there.is_set and not stop.is_set
            stop.set()
            assert there.is_set
        with heed(path) as late:
            assert late.is_set
    assert stop.is_set
    with heed(None) as own:
        press()
        assert own.is_set


def pressing(number):
    """A progress function that presses Ctrl-C at one improvement, and the list of all."""
    seen = []

    def progress(event, labels, iteration):
        seen.append(event)
        if len(seen) == number:
            press()

    return progress, seen


def test_two_stops_in_a_row_of_gm_solve():
    problem = gm.synth.worms(seed=0, size=30)
    for _ in range(3):
        progress, _ = pressing(2)
        r = gm.gm_solve(problem, "fm", progress=progress, patience=10**9, maxiter=10**9)
        assert r.status == "interrupted"


def test_a_loop_that_asks_for_the_status_ends_with_one_stop():
    """The pattern of docs/many.md."""
    problem, solved = gm.synth.worms(seed=0, size=30), []
    for k in range(3):
        progress = pressing(2)[0] if k == 1 else None
        r = gm.gm_solve(problem, "fm", progress=progress, patience=10**9, maxiter=10**9 if k else 1)
        solved.append(r)
        if r.status == "interrupted":
            break
    assert [r.status == "interrupted" for r in solved] == [False, True]


@pytest.mark.parametrize("method", ["mgm", "sync"])
def test_two_stops_in_a_row_of_gm_solve_multi(method):
    problem = many_graphs()
    for _ in range(3):
        with interrupted_solve(0.05):
            assert gm.gm_solve_multi(problem, method=method, maxiter=10**9).status == "interrupted"


def many_graphs(d=12, n=25):
    """A MultiProblem that takes long."""
    rng = np.random.default_rng(0)
    pairs = {}
    for g in range(d):
        for h in range(g + 1, d):
            left, right = np.tile(np.arange(n), n), np.repeat(np.arange(n), n)
            a, b = np.sort(rng.integers(0, n * n, (2, 3000)), axis=0)
            kept = (a < b) & (left[a] != left[b]) & (right[a] != right[b])
            a, b = np.unique(np.stack([a[kept], b[kept]]), axis=1)
            cost, edges = rng.normal(size=n * n), rng.normal(size=len(a))
            pairs[g, h] = gm.Problem((n, n), left, right, cost, a, b, edges)
    return gm.MultiProblem(pairs)


def test_n_best_and_confidence_end_with_one_ctrl_c():
    problem = gm.synth.car(seed=0, size=8)
    progress, seen = pressing(1)
    r = gm.gm_solve(problem, n_best=50, progress=progress)
    assert seen and 1 <= 1 + len(r.extra["n_best"]) < 50
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_rng_draws_the_seed_once():
    problem = gm.synth.opengm(seed=0, size=8)
    r = gm.gm_solve(problem, "fm", rng=5, maxiter=3)
    assert r.seed == 5 and r == gm.gm_solve(problem, "fm", seed=5, maxiter=3)
    drawn = [gm.gm_solve(problem, "fm", rng=np.random.default_rng(1), maxiter=3) for _ in range(2)]
    assert drawn[0] == drawn[1] == gm.gm_solve(problem, "fm", seed=drawn[0].seed, maxiter=3)
    rng = np.random.default_rng(1)
    first, second = (gm.gm_solve(problem, "fm", rng=rng, maxiter=3).seed for _ in range(2))
    assert first == drawn[0].seed != second
    assert gm.gm_solve(problem, "fm", rng=None, maxiter=3).seed == 0
    assert gm.synth.car(size=5, rng=3).cost.tolist() == gm.synth.car(3, 5).cost.tolist()


@pytest.mark.parametrize("rng", ["text", 1.5, -1, 2**63, True])
def test_rng_that_is_none_is_refused(rng):
    with pytest.raises(InputError, match="rng must be|seed must be"):
        gm.synth.car(size=5, rng=rng)


@pytest.mark.parametrize("given", [((0,), {}), ((), {"seed": 0})])
def test_seed_and_rng_are_one_argument(given):
    with pytest.raises(InputError, match="rng is given, and seed as well"):
        gm.synth.car(*given[0], **given[1], rng=3)


def test_every_public_function_with_a_seed_takes_rng():
    for place in (gm, gm.synth, gm.models, gm.data):
        for name in dir(place):
            one = getattr(place, name)
            if inspect.isfunction(one) and "seed" in inspect.signature(one).parameters:
                assert "rng" in inspect.signature(one).parameters, name
