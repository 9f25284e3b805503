"""Shared fixtures, and the three switches of the suite: --all, --slow and GMTOOLBOX_DATA."""

import gc
import os
import signal
from pathlib import Path
from typing import Annotated

import pytest
import repetition
from inline_server import runs_in_this_process

import gmtoolbox as gm
from gmtoolbox.engine import registry
from gmtoolbox.engine.limits import one_thread
from gmtoolbox.engine.options import Range

SOURCE = Path(__file__).parents[1] / "gmtoolbox"
if SOURCE.is_dir() and not SOURCE.samefile(gm.__path__[0]):
    pytest.exit("the tests would try the installed package: run 'pip install -e .' first", 2)

# A script in the background of a shell has Ctrl-C ignored, and so would every process it starts;
# some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Nothing that collection makes is ever freed: neither look for garbage in it then, nor later.
gc.disable()


def pytest_collection_finish(session):
    gc.freeze()
    gc.enable()


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also run the tests marked long")
    parser.addoption("--slow", action="store_true", help="also run those marked long or slow")


def pytest_configure(config):
    repetition.is_whole = config.getoption("--all") or config.getoption("--slow")


def pytest_collection_modifyitems(config, items):
    left_out = set() if config.getoption("--slow") else {"slow"}
    left_out |= set() if repetition.is_whole else {"long"}
    parts = {True: [], False: []}
    for item in items:
        parts[any(item.get_closest_marker(mark) for mark in left_out)].append(item)
    config.hook.pytest_deselected(items=parts[True])
    items[:] = parts[False]
    for item in items:
        if item.get_closest_marker("data") and "GMTOOLBOX_DATA" not in os.environ:
            item.add_marker(
                pytest.mark.skip(reason="needs the study's instances: set GMTOOLBOX_DATA")
            )


@pytest.fixture(autouse=True)
def blas_threads():
    """Run BLAS on one thread, as gm_solve does: tests call solvers directly, too, and threads that
    wait by spinning take five times the CPU time where every processor runs tests.
    """
    with one_thread:
        yield


@pytest.fixture(scope="session")
def data():
    """Folder of the study's instances; oracle and published lie beside it. Use with the marker
    `data`.
    """
    return Path(os.environ["GMTOOLBOX_DATA"])


@pytest.fixture
def repeats():
    """How often a campaign repeats: n times with --all or --slow, else a fifth of that."""
    return repetition.times


@pytest.fixture
def without_pdf(monkeypatch):
    """Reports without their charts as PDF, which take nine tenths of the time; --all has them."""
    if not repetition.is_whole:
        monkeypatch.setattr("gmtoolbox.bench.site.report.find_spec", lambda name: None)


@pytest.fixture
def without_processes():
    """Batches whose runs are made in this process; with --all they have their own."""
    with runs_in_this_process():
        yield


@pytest.fixture
def scene():
    """Four graphs of one scene, with points and truth."""
    return gm.synth.worms_multi(d=4, m=12, seed=2)


@pytest.fixture
def own_registry(monkeypatch):
    """Methods that are registered in a test are gone after it."""
    registry.gm_methods()
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.fixture
def method(own_registry):
    """Register a throw-away solver around a function (problem, budget) -> Outcome."""

    def make(function, **facts):
        def run(problem, budget, *, maxiter: Annotated[int, Range(1)] = 5):
            """Test."""
            return function(problem, budget)

        registry.solver("test-method", family="test", paper="none", **facts)(run)
        return "test-method"

    return make
