"""Processes of tests: wait for what they do, end them, and write plug-ins for them to find."""

import os
import subprocess
import sys
import time
from pathlib import Path

import gmtoolbox as gm

ROOT = str(Path(gm.__file__).parents[1])
ADDED = '''
from typing import Annotated
from gmtoolbox import Outcome, Range, solver

def add(function):
    """Make `function`, called without arguments, a method: test-<its name>."""
    def wrapped(problem, budget, *, maxiter: Annotated[int, Range(1), "iterations"] = 3):
        """A method for tests."""
        function()
        return Outcome(n_iter=1)
    name = "test-" + function.__name__.replace("_", "-")
    solver(name, family="test", paper="none")(wrapped)
'''


def wait_until(condition, message="waited in vain", seconds=60):
    """Return once condition() is true; AssertionError with the message after so many seconds."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, message
        time.sleep(0.05)


def end(process, seconds=20):
    """End a process, by force where it does not obey."""
    process.terminate()
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=seconds)


def write_plugin(folder, name, source=None, target=None):
    """A distribution in `folder` whose entry point `name` of gmtoolbox.solvers loads `target`, by
    default the module `name` with this source.
    """
    if source is not None:
        (folder / f"{name}.py").write_text(source)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[gmtoolbox.solvers]\n{name} = {target or name}\n")


def with_plugins(folder):
    """Variables under which a process finds this package and the plug-ins of a folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), ROOT])}


def in_shell(words, before=""):
    """The command line `gmtoolbox words`, in a shell that does `before` first (ulimit)."""
    line = [sys.executable, "-m", "gmtoolbox", *map(str, words)]
    return ["bash", "-c", f'{before} exec "$@"', "bash", *line]
