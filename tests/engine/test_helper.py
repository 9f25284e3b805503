"""The helper process: it answers, is ended with the budget, and is replaced when it dies."""

import os
import time

import pytest

import gmtoolbox as gm
from gmtoolbox.engine.helper import call_elsewhere
from gmtoolbox.engine.progress import Budget


def test_18_a_helper_that_dies_is_told_and_replaced():
    with pytest.raises(gm.GMError, match="died"):
        call_elsewhere(Budget(), os._exit, 3)
    assert call_elsewhere(Budget(), abs, -2) == 2
    assert call_elsewhere(Budget(time_limit=0.2), time.sleep, 600) is None
    with pytest.raises(ZeroDivisionError):
        call_elsewhere(Budget(), divmod, 1, 0)
