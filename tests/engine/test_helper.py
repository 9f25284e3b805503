"""The helper process: it answers, is ended with the budget, and is replaced when it dies."""

import os
import threading
import time

import pytest

import gmtoolbox as gm
from gmtoolbox.engine import helper
from gmtoolbox.engine.helper import call_elsewhere
from gmtoolbox.engine.progress import Budget


def test_18_a_helper_that_dies_is_told_and_replaced():
    with pytest.raises(gm.GMError, match="died"):
        call_elsewhere(Budget(), os._exit, 3)
    assert call_elsewhere(Budget(), abs, -2) == 2
    assert call_elsewhere(Budget(time_limit=0.2), time.sleep, 600) is None
    with pytest.raises(ZeroDivisionError):
        call_elsewhere(Budget(), divmod, 1, 0)


def test_a_helper_of_a_thread_that_has_ended_is_not_used_again():
    """The system ends a helper with the thread that started it, which takes a moment."""

    def call():
        answers.append(call_elsewhere(Budget(), divmod, 7, 2))

    answers = []
    for _ in range(2):
        thread = threading.Thread(target=call)
        thread.start()
        thread.join(60)
    assert answers == [(3, 1), (3, 1)] and call_elsewhere(Budget(), divmod, 9, 2) == (4, 1)
    assert all(known.starter.is_alive() for known in helper._idle)
