"""The live line: what it says, where it goes, how often."""

import math
import sys
import types

import numpy as np
import pytest
from processes import wait_until
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.engine import progress


def test_nothing_a_function_or_a_line():
    seen = []
    with progress.watch_progress(None, "fm") as told:
        assert told is None
    with progress.watch_progress(False, "fm") as told:
        assert told is None
    with progress.watch_progress(lambda *given: seen.append(given), "fm") as told:
        told("event", None, 1, 0.5)  # a caller's function is not told the gap
    assert seen == [("event", None, 1)]
    with progress.watch_progress("verbose", "fm") as told:
        assert isinstance(told, progress.Line)
    with pytest.raises(InputError, match="progress must be"), progress.watch_progress(3, "fm"):
        pass


def test_a_line_for_every_improvement(capsys):
    with progress.watch_progress("verbose", "fm") as line:
        line((0.5, 3.0, 2.0), None, 1, 1 / 3)
        line((0.75, 2.5, 2.5), None, 2, 0.0)
        line((0.8, 2.5, -5.25), None, 3, 3.1)
        line((0.9, 2.5, 2.5), None, 4, 3e-5)
    first, second, wide, narrow = capsys.readouterr().err.splitlines()
    assert first == "fm: value 3, bound 2, gap 33.3 %, 0.5 s"
    assert second == "fm: value 2.5, bound 2.5, gap 0, 0.75 s"
    assert "gap 310 %," in wide and "gap < 0.01 %," in narrow


def test_outside_a_terminal_lines_come_now_and_then(capsys, monkeypatch):
    clock = iter([0.0, 10.0, 10.5, 11.5])
    monkeypatch.setattr(progress.time, "perf_counter", lambda: next(clock))
    with progress.watch_progress(True, "fm") as line:
        for seconds in (0.1, 0.6, 1.6):
            line((seconds, 1.0, -math.inf), None, 1, math.inf)
    assert [text.split(", ")[-1] for text in capsys.readouterr().err.splitlines()] == [
        "0.1 s", "1.6 s",
    ]  # fmt: skip


def test_without_news_only_the_time_is_told():
    assert progress.Line("fm", True).text(2.0) == "fm: 2.0 s"
    line = progress.Line("fm", True)
    line.event = (1.0, 4.0, -math.inf)
    assert line.text(1.0).endswith("bound -, gap -, 1 s")


def test_gm_solve_shows_it(capsys):
    gm.gm_solve(gm.Problem((1, 1), [0], [0], [-1.0]), "fm", progress="verbose", maxiter=3)
    assert "fm: value -1, bound -1" in capsys.readouterr().err


def test_an_offset_does_not_close_the_gap_that_is_shown(capsys):
    """The gap is the driver's: of the costs, before the offset is added."""
    problem = random_problem(np.random.default_rng(0), 5, 5, edges=0.5, offset=1e12)
    gm.gm_solve(problem, "fm", progress="verbose", maxiter=5)
    last = capsys.readouterr().err.splitlines()[-1]
    assert float(last.split("gap ")[1].split("%")[0]) > 1.0


class Notebook:
    """What IPython.display does, noted."""

    def __init__(self, monkeypatch):
        self.shown = []
        module = types.ModuleType("IPython.display")
        module.display = self.display
        monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
        monkeypatch.setitem(sys.modules, "IPython.display", module)
        monkeypatch.setattr("rich.console._is_jupyter", lambda: True)

    def display(self, data, *, display_id, raw):
        assert display_id and raw
        self.shown.append(data)
        return self

    def update(self, data, *, raw):
        assert raw
        self.shown.append(data)


def test_in_a_notebook_the_last_line_stays(monkeypatch, capsys):
    """Without ipywidgets, and without a word on stderr, which would be red."""
    notebook = Notebook(monkeypatch)
    monkeypatch.setattr(progress, "REFRESH", 1e-3)
    with progress.watch_progress(True, "fm") as line:
        wait_until(lambda: len(notebook.shown) > 1)
        line((0.5, 3.0, 2.0), None, 1, 1 / 3)
    texts = [data["text/plain"] for data in notebook.shown]
    assert len(texts) > 2 and "value" not in texts[0]
    assert texts[-1].startswith("fm: value 3, bound 2, gap 33.3 %")
    with progress.watch_progress("verbose", "fm") as line:
        line((0.5, 3.0, 2.0), None, 1, 1 / 3)
    assert capsys.readouterr() == ("fm: value 3, bound 2, gap 33.3 %, 0.5 s\n", "")
