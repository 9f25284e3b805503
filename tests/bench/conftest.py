"""A package that adds misbehaving solvers through the entry point, as another distribution
would.
"""

import importlib
import sys

import pytest
from processes import write_plugin

METHODS = '''
import ctypes, os, time
from typing import Annotated
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver

def add(name, function):
    def wrapped(problem, budget, *, maxiter: Annotated[int, Range(1), "iterations"] = 3):
        """A method for tests."""
        budget.record(cost=problem.total_cost(np.full(problem.shape[0], -1)))
        function(problem, budget, maxiter)
        return Outcome(labels=np.full(problem.shape[0], -1), n_iter=maxiter)
    solver(name, family="test", paper="none")(wrapped)

def segfault(problem, budget, maxiter):
    ctypes.string_at(0)

def hang(problem, budget, maxiter):
    time.sleep(0.2)  # long enough for its first improvement to be told
    budget.record(bound=-1e9)
    while True:
        time.sleep(1)

def eat(problem, budget, maxiter):
    kept = []
    while True:
        kept.append(np.empty(4_000_000))

def leave(problem, budget, maxiter):
    os._exit(3)

def fail(problem, budget, maxiter):
    raise ZeroDivisionError("by hand")

def orphan(problem, budget, maxiter):
    if os.fork() == 0:
        time.sleep(600)

def nap(problem, budget, maxiter):
    end = time.perf_counter() + 0.1 * maxiter
    while time.perf_counter() < end:
        time.sleep(0.01)

for function in (segfault, hang, eat, leave, fail, orphan, nap):
    add("test-" + function.__name__, function)
'''


@pytest.fixture(scope="session")
def extra_methods(tmp_path_factory):
    """Folder on sys.path with a distribution whose entry point registers the methods test-*."""
    folder = tmp_path_factory.mktemp("site")
    write_plugin(folder, "misbehaving", METHODS)
    return folder


@pytest.fixture
def misbehaving(extra_methods, own_registry, monkeypatch):
    """The methods test-* in this process and in its children."""
    monkeypatch.syspath_prepend(str(extra_methods))
    importlib.import_module("misbehaving")
    yield extra_methods
    sys.modules.pop("misbehaving", None)
