"""The study's tables come out of its published results digit by digit; and of small cases worked by
hand.
"""

import math
import re
from dataclasses import replace

import pytest

from gmtoolbox.bench.evaluate import tables
from gmtoolbox.bench.evaluate.evaluation import Cell, EvaluatedInstance, RunEvaluation
from gmtoolbox.bench.evaluate.interchange import read_published

SMALL = [
    tables.ColumnGroup(name, 1.0, ("opt", "E", "acc"))
    for name in ("hotel", "house-dense", "house-sparse", "car", "motor")
]
SMALL += [
    tables.ColumnGroup("opengm", 1.0, ("opt", "E")),
    tables.ColumnGroup("caltech-small", 1.0, ("opt", "E", "acc")),
]
LARGE = [tables.ColumnGroup("flow", 1.0, ("opt", "E", "D")), tables.ColumnGroup("worms", 1.0)]
LARGE += [
    tables.ColumnGroup(name, limit, ("E", "D", "acc"))
    for name in ("caltech-large", "pairs")
    for limit in (10.0, 100.0)
]
LARGE_METHODS = ["fm", "fw", "dd-ls0", "dd-ls3", "dd-ls4", "fm-bca", "mp", "mp-fw", "mp-mcf"]


# What the paper prints differently from its own published results: (method, column).
KNOWN_EXCEPTIONS = {("ipfpu", 6), ("ipfpu", 7), ("ipfpu", 8)}
KNOWN_EXCEPTIONS |= {("dd-ls3", 11), ("dd-ls3", 15), ("dd-ls4", 11), ("dd-ls4", 15), ("mp-mcf", 14)}


def printed(data, name):
    """The rows of a generated table of the paper: method -> cells, and the whole text in a normal
    form.
    """
    source = (data.parent / "paper" / "comparative-study.tex").read_text("utf-8")
    section = source.split(f"%% file: generated-tables/{name}.tex\n")[1].split("%% file:")[0]
    lines = [normal(line) for line in section.strip().splitlines()]
    return [line for line in lines if line]


def normal(line):
    return re.sub(r"\\bfseries\s*", r"\\bfseries ", " ".join(line.split()))


@pytest.fixture(scope="module")
def published(request):
    data = request.getfixturevalue("data")
    return read_published(data.parent / "published" / "results.json.gz")[0]


@pytest.mark.data
@pytest.mark.parametrize(
    "name, groups, methods",
    [("small-problems", SMALL, None), ("large-problems", LARGE, LARGE_METHODS)],
)
def test_tables_of_the_paper_to_the_digit(data, published, name, groups, methods):
    methods = methods or [method for method in published.methods]
    ours = [
        normal(line) for line in tables.latex_rows(tables.make_table(published, groups, methods))
    ]
    assert ours == printed(data, name)  # values, bold face, rules and all


@pytest.mark.data
def test_full_worms_table_to_the_digit(data, published):
    table = tables.make_table(published, tables.default_groups(published, "worms"))
    ours, theirs = [normal(line) for line in tables.latex_rows(table)], printed(data, "full-worms")
    assert len(ours) == len(theirs)
    different = set()
    for mine, paper in zip(ours, theirs, strict=True):
        a, b = (spread(line) for line in (mine, paper))
        assert a[0] == b[0] and len(a) == len(b)
        method = re.sub(r"\\Salg\{(.*)\}", r"\1", a[0])
        plain = [[cell.replace(r"\bfseries ", "") for cell in row] for row in (a, b)]
        different |= {(method, k) for k, (x, y) in enumerate(zip(*plain, strict=True)) if x != y}
    assert different == KNOWN_EXCEPTIONS


def spread(line):
    """Cells of a row, a spanning one repeated."""
    cells = []
    for cell in line.removesuffix(r" \\").split(" & "):
        span = re.match(r"\\multicolumn\{(\d)\}\{.\}\{(.*)\}", cell)
        cells += [span[2]] * int(span[1]) if span else [cell]
    return cells


def by_hand():
    """Two problems, three methods: one solves all, one half, one has no answer for the second."""
    problems = {"d": [EvaluatedInstance("a", -10.0, True), EvaluatedInstance("b", -100.0, True)]}
    cells = {
        ("best", "a"): Cell(-10.0, -10.5, 1.0), ("best", "b"): Cell(-99.95, -101.0, 0.5),
        ("half", "a"): Cell(-9.99, -math.inf, 0.5), ("half", "b"): Cell(-90.0, -math.inf, 0.0),
        ("none", "a"): Cell(-5.0, -20.0, 0.0),
    }  # fmt: skip
    return RunEvaluation(
        problems,
        ["best", "half", "none"],
        [1.0],
        {(1.0, "d", name, method): [cell] for (method, name), cell in cells.items()},
    )


def test_summary_by_hand():
    evaluation = by_hand()
    assert tables.summary(evaluation, "d", 1.0, "best") == tables.Summary(
        100, pytest.approx(-54.975), pytest.approx(-55.75), 75
    )
    assert tables.summary(evaluation, "d", 1.0, "half") == tables.Summary(
        50, pytest.approx(-49.995), None, 25
    )
    assert tables.summary(evaluation, "d", 1.0, "none") == tables.Summary(0, None, None, None)


def test_three_forms_say_the_same():
    evaluation = by_hand()
    table = tables.make_table(evaluation, tables.default_groups(evaluation, "d"))
    lines = tables.as_text(table).splitlines()
    assert lines[0].strip() == "d (1 s)" and lines[1].split() == ["method", "opt", "E", "D", "acc"]
    rows = [line.split() for line in lines[3:]]
    assert rows == [
        ["best", "100*", "-55*", "-56*", "75"],
        ["half", "50", "-50", "--", "25"],
        ["none", "0", "---*"],
    ]
    assert (
        tables.as_csv(evaluation).splitlines()[1].startswith("d,1,best,2,100.0,-54.975,-55.75,75.0")
    )
    assert (
        tables.latex_rows(table)[0]
        == r"\Salg{best} & \bfseries 100 & \bfseries -55 & \bfseries-56 & 75 \\"
    )
    assert tables.latex_rows(table)[2] == r"\Salg{none} & 0 & \multicolumn{3}{g}{---*} \\"


def test_several_seeds_become_averages_and_a_deviation():
    problems = {"d": [EvaluatedInstance("a", -10.0), EvaluatedInstance("b", -10.0)]}
    cells = {
        (1.0, "d", "a", "m"): [Cell(-10.0), Cell(-8.0)],
        (1.0, "d", "b", "m"): [Cell(-10.0), Cell(-10.0)],
    }
    evaluation = RunEvaluation(problems, ["m"], [1.0], cells, seeds={"m": [0, 1]})
    summary = tables.summary(evaluation, "d", 1.0, "m")
    assert (summary.opt, summary.E) == (75, -9.5)
    assert summary.sd == pytest.approx((2**0.5 + 0) / 2)  # of -10, -8 and of -10, -10
    (group,) = tables.default_groups(evaluation, "d")
    assert group.fields == ("opt", "E", "sd", "D")
    text = tables.as_text(tables.make_table(evaluation, [group]))
    assert text.splitlines()[-1].split() == ["m", "75*", "-9.50*", "0.71", "--"]
    assert tables.as_csv(evaluation).startswith(
        "dataset,time_limit,method,instances,opt,E,D,acc,sd"
    )


def test_maximised_problems_keep_their_sense():
    problems = {"d": [EvaluatedInstance("a", -10.0, False, -1.0)]}
    cells = {(1.0, "d", "a", "x"): Cell(-10.0, -11.0), (1.0, "d", "a", "y"): Cell(-8.0, -12.0)}
    evaluation = RunEvaluation(problems, ["x", "y"], [1.0], {key: [c] for key, c in cells.items()})
    table = tables.make_table(evaluation, tables.default_groups(evaluation, "d"))
    assert (
        tables.latex_rows(table)[0] == r"\Salg{x} & \bfseries 100 & \bfseries 10 & \bfseries11 \\"
    )


def test_screens_praise_the_best_alone_and_print_the_gap():
    """-79.4 and -79.6 round to neighbours: the study prints both bold, screens tell them apart."""
    problems = {"d": [EvaluatedInstance("a", -80.0, False)]}
    cells = {
        (1.0, "d", "a", "x"): [Cell(-79.4, -math.inf, None)],
        (1.0, "d", "a", "y"): [Cell(-79.6, -math.inf, None)],
        (1.0, "d", "a", "z"): [Cell(-79.6 * (1 + 1e-16), -math.inf, None)],
    }
    evaluation = RunEvaluation(problems, ["x", "y", "z"], [1.0], cells, {})
    study = tables.make_table(evaluation, tables.default_groups(evaluation, "d"))
    assert [bold for _, name, _, bold in study.cells("x") if name == "E"] == [True]
    groups = tables.screen_groups(evaluation, "d")
    screen = tables.make_table(evaluation, groups, is_study=False)
    said = {m: {n: (text, bold) for _, n, text, bold in screen.cells(m)} for m in "xyz"}
    assert said["x"]["E"] == ("-79.4", False) and said["y"]["E"] == ("-79.6", True)
    assert said["x"]["gap"] == ("0.75 %", False) and said["y"]["gap"] == ("0.5 %", True)
    assert said["z"]["E"] == said["y"]["E"] and said["z"]["gap"] == said["y"]["gap"]


def test_numbers_that_are_printed_alike_are_bold_alike():
    """Of -79.6 and -79.6000000001, both printed as -79.6, one was bold."""
    problems = {"d": [EvaluatedInstance("a", -80.0, False)]}
    cells = {
        (1.0, "d", "a", "x"): [Cell(-79.6, -math.inf, None)],
        (1.0, "d", "a", "y"): [Cell(-79.6000000001, -math.inf, None)],
    }
    evaluation = RunEvaluation(problems, ["x", "y"], [1.0], cells, {})
    groups = tables.screen_groups(evaluation, "d")
    screen = tables.make_table(evaluation, groups, is_study=False)
    said = [[cell[2:] for cell in screen.cells(m) if cell[1] == "E"] for m in "xy"]
    assert said == [[("-79.6", True)], [("-79.6", True)]]


def test_text_fits_the_terminal(monkeypatch):
    evaluation = replace_limits(by_hand(), (1.0, 10.0, 100.0, 300.0))
    monkeypatch.setenv("COLUMNS", "80")
    groups = tables.screen_groups(evaluation, "d")
    text = tables.as_text(tables.make_table(evaluation, groups, is_study=False))
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"d ({limit} s)" in text for limit in (1, 10, 100, 300))


def replace_limits(evaluation, limits):
    """The same evaluation with the cells of its first limit at all of some limits."""
    first = evaluation.limits[0]
    cells = {
        (limit, *key[1:]): value
        for limit in limits
        for key, value in evaluation.cells.items()
        if key[0] == first
    }
    return replace(evaluation, limits=list(limits), cells=cells)
