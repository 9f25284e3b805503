"""`solve` prints one answer in pairs of name and value, several as a table, within 80 columns."""

import numpy as np
import pytest
from command_line import call, small_file, small_problem

import gmtoolbox as gm


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def facts(out):
    """{name: value} of the lines before the matching."""
    lines = out.split("matching:\n")[0].splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_one_answer_is_pairs_its_first_matches_and_the_next_step(capsys, tmp_path):
    file = tmp_path / "many.dd"
    n = 14
    gm.save(gm.Problem((n, n), range(n), range(n), [-1.0 - k for k in range(n)]), file)
    status, out, err = call(capsys, "solve", file)
    assert (status, err) == (0, "")
    said = facts(out)
    assert said["status"] == "optimal" and float(said["value"]) == -105.0 and said["gap"] == "0"
    assert said["problem"] == "many, 14 x 14 nodes, partial matchings allowed"
    assert said["matched"] == "14 of 14 left nodes" and "accuracy" not in said
    lines = out.split("matching:\n")[1].splitlines()
    assert lines[:2] == ["  0 -> 0", "  1 -> 1"] and len([x for x in lines if "->" in x]) == 10
    assert lines[10] == "  and 4 more (--labels, --json)"
    assert "--output" in out and "--json" in out and "gmtoolbox plot" in " ".join(out.split())


def test_several_answers_are_a_table(capsys, tmp_path):
    problem, file = small_problem(), small_file(tmp_path)
    status, out, err = call(capsys, "solve", file, "--method", "fw", "sm", "--time-limit", 5)
    assert (status, err) == (0, "")
    headings, _, row, _ = out.splitlines()
    assert headings.split() == "instance method value time status".split()
    value = gm.gm_solve(problem, "fw", time_limit=5).value
    assert row.split()[1] == "fw" and float(row.split()[2]) == pytest.approx(value, rel=1e-6)


def test_confidence_names_the_nodes_and_begins_with_the_least_sure(capsys, tmp_path):
    file = tmp_path / "p.h5"
    names = dict(nodes1=["ann", "bob", "cy"], nodes2=["x", "y", "z"])
    gm.save(gm.Problem((3, 3), [0, 1, 2], [0, 1, 2], [-3.0, -1.0, 5.0], **names), file)
    _, out, _ = call(capsys, "solve", file, "--confidence")
    lines = out.split("matching:\n")[1].splitlines()
    assert lines[:2] == [
        "  bob -> y  changing it costs >= 1",
        "  ann -> x  changing it costs >= 3",
    ]
    assert "cy" not in out
    _, out, _ = call(capsys, "solve", file, "--confidence", "-m", "auto", "fm")
    assert out.count("ann -> x  changing it costs >= 3") == 2 and "p auto:" in out


def test_long_names_fit_and_are_told_apart(capsys, tmp_path):
    """Names that differ in the middle were cut to the same words, and letters of two columns made
    lines of 90 columns.
    """
    long = [f"Person number {k} of a department with a very long name" for k in range(12)]
    long[1] = "\u6771\u4eac\u90fd\u5343\u4ee3\u7530\u533a" * 8
    nodes = dict(nodes1=long, nodes2=[f"{name}, on the right side" for name in long])
    file = tmp_path / "p.h5"
    gm.save(gm.Problem((12, 12), range(12), range(12), -1.0 - np.arange(12), **nodes), file)
    _, out, _ = call(capsys, "solve", file, "--confidence")
    lines = [line for line in out.splitlines() if "->" in line]
    widths = [sum(2 if letter >= "\u2e80" else 1 for letter in line) for line in lines]
    assert len(lines) == 10 and max(widths) <= 80
    for k, line in enumerate(lines):
        left, right = line.split(" -> ")
        assert left.lstrip().startswith(f"{k}: ") and right.startswith(f"{k}: ")
    arrows = {sum(2 if c >= "\u2e80" else 1 for c in line.split("->")[0]) for line in lines}
    assert len(arrows) == 1  # the arrows are below each other


def test_everything_fits(capsys, tmp_path):
    rng = np.random.default_rng(0)
    long = tmp_path / "an-instance-with-a-name-that-is-much-longer-than-people-like-it.dd"
    n = 40
    gm.save(gm.Problem((n, n), range(n), range(n), -1e6 * rng.random(n)), long)
    gm.save(small_problem(), tmp_path / "small.dd")
    calls = [
        ("solve", long, "--labels", "--confidence", "-m", "fm"),
        ("solve", tmp_path, "-m", "fm", "fw", "--labels"),
        ("info", tmp_path / "small.dd"),
        ("info", tmp_path),
        ("methods",),
        ("methods", "--long"),
        ("methods", "--for", tmp_path / "small.dd"),
    ]
    for words in calls:
        status, out, _ = call(capsys, *words)
        wide = [line for line in out.splitlines() if len(line) > 80 and str(tmp_path) not in line]
        assert status == 0 and not wide, (words, wide)
