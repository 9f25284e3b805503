"""Long calls in a thread: answered, given up, and their late answers thrown away."""

import threading
import time

import numpy as np
import pytest

from gmtoolbox.engine.limits import SHORT, OutOfTime, Stop, call_apart, call_within
from gmtoolbox.engine.progress import Budget

LONG = 2 * SHORT


def test_short_calls_stay_in_the_thread_of_the_caller():
    assert call_within(Budget(), 0.0, threading.current_thread) is threading.current_thread()
    for estimates in ({"seconds": LONG}, {"seconds": 0.0, "at_most": LONG}):
        seconds = estimates.pop("seconds")
        other = call_within(Budget(), seconds, threading.current_thread, **estimates)
        assert other is not threading.current_thread()


@pytest.mark.parametrize("seconds", [0.0, LONG])
def test_what_a_call_raises_is_raised(seconds):
    with pytest.raises(ZeroDivisionError):
        call_within(Budget(), seconds, divmod, 1, 0)


def test_a_call_without_time_is_not_begun():
    budget = Budget(time_limit=5.0)
    with pytest.raises(OutOfTime):
        call_within(budget, 10.0, pytest.fail, "begun")
    assert budget.stopped == "time_limit"


def test_a_call_that_takes_longer_than_thought_is_given_up():
    go_on, thrown = threading.Event(), []
    budget = Budget(time_limit=0.3)
    with pytest.raises(OutOfTime):
        call_within(budget, LONG, lambda: go_on.wait(60), discard=thrown.append)
    assert budget.stopped == "time_limit" and not thrown
    go_on.set()
    deadline = time.monotonic() + 60
    while not thrown and time.monotonic() < deadline:
        time.sleep(0.01)
    assert thrown == [True]  # the late answer


def test_an_answer_that_came_while_giving_up_is_thrown_away_once():
    thrown = []

    class Impatient(Budget):
        def cut(self):
            if self.begun:
                time.sleep(0.05)  # the answer comes now
                raise KeyboardInterrupt
            return super().cut()

    budget = Impatient()
    budget.begun = False

    def answer():
        budget.begun = True
        time.sleep(0.03)
        return 7

    with pytest.raises(KeyboardInterrupt):
        call_within(budget, LONG, answer, discard=thrown.append)
    deadline = time.monotonic() + 60
    while not thrown and time.monotonic() < deadline:
        time.sleep(0.01)
    assert thrown == [7]


def test_a_method_apart_reports_in_the_thread_of_the_caller():
    seen = []

    def method(budget):
        for k in range(5):
            budget.record(cost=-float(k), labels=np.array([k]))
            time.sleep(0.005)
        return threading.get_ident()

    budget = Budget(on_improve=lambda event, *_: seen.append((event[1], threading.get_ident())))
    assert call_apart(budget, method, budget) != threading.get_ident()
    here = threading.get_ident()
    assert seen == [(-float(k), here) for k in range(5)]


def test_a_method_that_goes_on_is_given_up_and_no_longer_heard():
    go_on, ended = threading.Event(), threading.Event()

    def method(budget):
        budget.record(cost=1.0, labels=np.array([0]))
        go_on.wait(60)  # looks at nothing, as LAPACK does
        budget.record(cost=0.0, labels=np.array([1]))
        ended.set()

    budget = Budget(time_limit=0.1)
    with pytest.raises(OutOfTime):
        call_apart(budget, method, budget)
    assert budget.stopped == "time_limit"
    go_on.set()
    assert ended.wait(60)
    assert budget.cost == 1.0 and budget.incumbent.labels.tolist() == [0]


def test_what_the_caller_raises_ends_a_method_apart():
    def refuse(*_):
        raise LookupError("enough")

    def method(budget):
        for _ in budget.iterations():
            budget.record(cost=-float(budget.iteration))
            time.sleep(0.001)

    budget = Budget(time_limit=30.0, on_improve=refuse)
    with pytest.raises(LookupError):
        call_apart(budget, method, budget)


def test_calls_inside_a_method_apart_share_its_stop_and_its_context():
    seen = []

    def method():
        with Stop() as inner:
            seen.append(inner)
        seen.append(np.geterr()["over"])

    with Stop() as stop, np.errstate(over="raise"):
        call_apart(Budget(stop=stop), method)
    assert seen == [stop, "raise"]


def test_an_answer_that_must_not_be_lost_may_come_late():
    def answer(budget, patience):
        budget.patience = patience
        while not budget.cut():
            time.sleep(0.005)
        time.sleep(0.5)
        return "answer"

    patient, hasty = Budget(time_limit=0.05), Budget(time_limit=0.05)
    assert call_apart(patient, answer, patient, 30.0) == "answer"
    with pytest.raises(OutOfTime):
        call_apart(hasty, answer, hasty, 0.0)
