"""Modules that load when they are first used."""

import math
import pickle
import subprocess
import sys

import pytest

from gmtoolbox.core.lazy import LazyModule, np, upward


def test_attributes_are_those_of_the_module():
    lazy = LazyModule("math")
    assert lazy.pi == math.pi and "pi" in vars(lazy) and lazy.sqrt is math.sqrt
    with pytest.raises(AttributeError):
        getattr(lazy, "no_such_name")  # noqa: B009


def test_nothing_is_imported_before_the_first_use():
    code = (
        "import sys; from gmtoolbox.core.lazy import np; before = 'numpy' in sys.modules;"
        "np.zeros(1); print(before, 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["False", "True"]


def test_upward_finds_modules_and_names():
    assert upward("driver", "gm_solve") is upward("driver").gm_solve


def test_a_lazy_module_travels_to_another_process():
    """A solver of a user's own is pickled with the names it uses."""
    assert pickle.loads(pickle.dumps(np)).arange(3).tolist() == [0, 1, 2]
