"""Batches as MATLAB asks for them: a row for every problem, options by method, visible progress."""

import numpy as np
import pytest
from wrapper_calls import ask_verb

import gmtoolbox as gm
from gmtoolbox.core.errors import OptionError
from gmtoolbox.wrappers.batch_calls import Reporter, batch_methods

K = np.random.default_rng(2).random((9, 9))


def test_every_problem_has_its_rows(tmp_path):
    """A missing file, a struct that is none, a good file in two folders of one name."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        gm.save(gm.Problem.from_matrix(K), tmp_path / folder / "x.mat")
    lines = []
    with pytest.warns(UserWarning) as caught:
        runs = ask_verb(
            tmp_path, "batch", None, [{}, {}, {"L": K[:1]}, {"K": K}], lines,
            problems=["gone.mat", "a/x.mat", "", "", "b/x.mat"], methods=["fw", "SM"],
            settings={"progress": True, "time_limit": 5.0, "trials": 1.0},
        )["runs"]  # fmt: skip
    names = [(run["instance"], run["method"], run["outcome"]) for run in runs]
    expected = [
        ("gone", "error"),
        ("a/x", "ok"),
        ("problem3", "error"),
        ("problem4", "ok"),
        ("b/x", "ok"),
    ]
    assert names == [(name, m, outcome) for name, outcome in expected for m in ("fw", "sm")]
    said = [str(warning.message) for warning in caught]
    assert any("problem 1" in text and "gone.mat" in text for text in said)
    assert any("problem 3" in text for text in said)
    assert np.isnan(runs[0]["value"]) and "gone.mat" in runs[0]["reason"]
    assert any(kind == "line" and "6/6 runs done" in text for kind, text in lines)


def test_options_are_for_the_methods_that_have_them():
    with pytest.warns(UserWarning, match="method sm: there is no option 'Restarts'; run without"):
        chosen = batch_methods(["fw", "sm"], {"Restarts": 2.0})
    assert chosen == {"fw": {"restarts": 2.0}, "sm": {}}
    with pytest.raises(OptionError, match="no method of this batch has an option 'maxitre' .did"):
        batch_methods(["fw", "sm"], {"maxitre": 2.0})
    assert batch_methods(["ALL"], None) == "all" and batch_methods(["FW"], {}) == ["fw"]


def test_lines_are_told_when_they_are_complete():
    reported = []
    stream = Reporter(lambda *line: reported.append(line))
    print("one", "two", file=stream)
    stream.write("thr")
    assert reported == [("line", "one two")] and not stream.isatty()
    stream.write("ee\n")
    assert reported[1] == ("line", "three")
