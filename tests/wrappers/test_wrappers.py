"""wrapper_<method>: the originals' lines to the letter, one body for all, and the .m files made
from the registry.
"""

import numpy as np
import pytest
from golden import DECLARED_COMPLETE, SMALL, oracle_rows
from small import random_problem
from wrapper_log import parse, without_times

import gmtoolbox as gm
from gmtoolbox import wrappers
from gmtoolbox.core.problem import Problem

METHODS = [method.name for method in gm.gm_methods()]


# the programs that printed such lines
ORIGINALS = "fgmd ga hbp ipfps ipfpu lsm mpm pm rrwm sm smac".split()


@pytest.fixture
def problem():
    """Three nodes, four labels; the identity is the only optimum, -6, and the greedy choice of
    every node.
    """
    left, right = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    index = lambda i: 4 * i + i
    pairs = [(index(0), index(1)), (index(1), index(2)), (index(0), index(2))]
    return Problem(
        (3, 4),
        left,
        right,
        np.where(left == right, -1.0, 0.0),
        *zip(*pairs, strict=True),
        edge_cost=[-1.0] * 3,
    )


def test_lines_to_the_letter(problem, tmp_path, capsys):
    """Blanks at the ends of lines are the originals', and so is the missing lower_bound of a method
    without one.
    """
    path = tmp_path / "three.dd"
    gm.save(problem, path)
    result = wrappers.run_wrapper("fw", path)
    assert (
        without_times(capsys.readouterr().out)
        == "Start optimization: \nModel: n1: 3 n2: 4 \ntime: T upper_bound: -6.000000 labeling:"
        " [1,2,3] \n"
    )
    assert result.method == "fw" and result.labels.tolist() == [0, 1, 2]


def test_log_prints_each_improvement_once(problem):
    lines = []
    log = wrappers.Log(problem, True, lines.append)
    log.print_improvement((0.5, np.inf, -9.0), None, 0)  # a bound alone has no labeling to print
    log.print_improvement((1.0, -1.0, -9.0), np.array([0, -1, -1]), 1)
    log.print_improvement((1.5, -1.0, -8.0), None, 1)
    log.print_improvement((1.7, -2.0, -8.0), None, 2)  # labels unknown: the next line has them
    log.print_improvement((2.0, -3.0, -8.0), np.array([0, 1, -1]), 3)
    log.print_improvement((2.5, -3.0, -8.0), np.array([0, 1, -1]), 4)
    assert lines == [
        "time: 1.000000 upper_bound: -1.000000 lower_bound: -9.000000 labeling: [1,0,0] ",
        "time: 1.500000 upper_bound: -1.000000 lower_bound: -8.000000 labeling: [1,0,0] ",
        "time: 2.000000 upper_bound: -3.000000 lower_bound: -8.000000 labeling: [1,2,0] ",
    ]


def test_infinite_bound_is_written_as_matlab_does(problem):
    lines = []
    wrappers.Log(problem, True, lines.append).print_improvement(
        (1.0, -1.0, -np.inf), np.array([0, -1, -1]), 1
    )
    assert "lower_bound: -Inf " in lines[0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["partial", "affinity"])
def test_every_wrapper_prints_what_the_parser_reads(method, kind, problem, capsys):
    if kind == "affinity":
        problem = Problem.from_matrix(problem.K * -1, shape=(3, 4), Ct=problem.Ct)
    result = getattr(wrappers, wrappers.wrapper_name(method))(problem, time_limit=2.0)
    text = capsys.readouterr().out
    shape, points = parse(text)
    assert text.startswith("Start optimization: \nModel: n1: 3 n2: 4 \ntime: ")
    assert shape == (3, 4) and len(text.splitlines()) == 2 + len(points) and len(points) >= 1
    costs, bounds = (
        np.array([point[1] for point in points]),
        np.array([point[2] for point in points]),
    )
    assert np.all(np.diff([point[0] for point in points]) >= 0)
    assert (
        np.all(np.diff(costs) <= 0)
        and np.all(bounds[1:] >= bounds[:-1])
        and np.all(bounds <= costs + 1e-6)
    )
    for _, cost, _, labels in points:
        assert cost == pytest.approx(problem.total_cost(np.array(labels)), abs=5e-7)
    assert points[-1][3] == result.labels.tolist()
    assert points[-1][1] == pytest.approx(problem.signed(result.value), abs=5e-7)
    assert ("lower_bound" in text) == gm.registry.get_solver(method).has_bound


ANYTIME = "auto aj dd-ls0 fm fm-bca fw hbp ipfps mp mp-fw mp-mcf".split()


@pytest.mark.parametrize("method", ANYTIME)
def test_every_improvement_comes_with_its_labels(method):
    """Also those within one iteration; so the log has a line for each of them."""
    problem = random_problem(np.random.default_rng(4), 7, 8, density=0.9)
    seen, lines = [], []
    progress = lambda event, labels, iteration: seen.append((event[1], labels))
    result = gm.gm_solve(problem, method, maxiter=200, progress=progress)
    improved = [
        (value, labels)
        for k, (value, labels) in enumerate(seen)
        if np.isfinite(value) and (k == 0 or value < seen[k - 1][0])
    ]
    assert improved
    for value, labels in improved:
        assert problem.energy(labels) == pytest.approx(value, abs=1e-9)
    # listening changes nothing
    assert np.array_equal(gm.gm_solve(problem, method, maxiter=200).labels, result.labels)
    wrappers.run_wrapper(method, problem, maxiter=200, write=lines.append)
    printed = list(dict.fromkeys(point[1] for point in parse("\n".join(lines))[1]))
    if wrappers.prints_once(gm.registry.get_solver(method)):
        improved = improved[-1:]
    assert printed == pytest.approx([value for value, _ in improved], abs=1e-6)


def test_names_come_from_the_registry():
    assert {name for name in wrappers.__all__ if name.startswith("wrapper_")} == {
        "wrapper_" + m.replace("-", "_") for m in METHODS
    }
    assert wrappers.wrapper_name("fm-bca") == "wrapper_fm_bca"


@pytest.mark.data
@pytest.mark.parametrize("method", [method for method in METHODS if method in ORIGINALS])
@pytest.mark.parametrize("instance", SMALL)
def test_lines_tell_what_the_originals_found(method, instance, data, capsys):
    """On the original converter's files, raw and transformed: the value that the original program
    printed there.

    a_complete8x is a_complete8 read as a partial problem; its transformed file is not recorded.
    """
    (original,) = (
        row for row in oracle_rows(data) if (row["method"], row["instance"]) == (method, instance)
    )
    if method == "lsm" and all(label is None for label in original["labels"]):
        pytest.skip("the original ended with NaN")
    file = "a_complete8" if instance == "a_complete8x" else instance
    suffixes = ["", {"hbp": "_b", "fgmd": "_b", "pm": "_bnz"}.get(method, "_bn")]
    for suffix in suffixes[: 1 if file != instance else 2]:
        path = data.parent / "oracle" / "instances" / f"{file}{suffix}.mat"
        getattr(wrappers, wrappers.wrapper_name(method))(
            path, **({} if suffix else {"complete": instance in DECLARED_COMPLETE})
        )
        (n1, n2), points = parse(capsys.readouterr().out)
        assert points[-1][1] == pytest.approx(original["value"], abs=2e-6), suffix
        assert len(points[-1][3]) == n1 and (n1 == n2 or suffix == "")
