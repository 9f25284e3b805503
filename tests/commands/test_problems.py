"""gmtoolbox solve, methods, convert: what they print and write."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import call, run, small_file, small_problem

import gmtoolbox as gm

METHODS = [method.name for method in gm.gm_methods()]
METHOD = "fw"


@pytest.fixture
def problem():
    return small_problem()


@pytest.fixture
def file(tmp_path):
    return small_file(tmp_path)


def test_solve_with_every_method(capsys, file):
    status, out, _ = call(capsys, "solve", file, "--method", "all", "--time-limit", 1)
    assert status == 0 and [line.split()[1] for line in out.splitlines()[2:]] == METHODS


def test_solve_json_streams_improvements_and_ends_with_labels(file, problem):
    done = run("solve", file, "--method", METHOD, "--json", "--time-limit", 5)
    records = [json.loads(line, parse_constant=pytest.fail) for line in done.stdout.splitlines()]
    *improvements, last = records
    assert improvements and all(
        record.keys() == {"iteration", "time", "value", "bound"} for record in improvements
    )
    assert all("labels" not in record for record in improvements)
    assert problem.energy(np.array(last["labels"])) == last["value"]
    assert {"iteration", "time", "value", "bound", "status", "options", "seed"} <= last.keys()
    times = [record["time"] for record in records]
    assert times == sorted(times)


def test_solve_prints_the_confidence_as_json(capsys, tmp_path):
    gm.save(gm.Problem((3, 3), [0, 1, 2], [0, 1, 2], [-3.0, -1.0, 5.0]), tmp_path / "p.dd")
    _, out, _ = call(capsys, "solve", tmp_path / "p.dd", "--confidence", "--json")
    *found, last = json.loads(out.splitlines()[-1])["confidence"]
    assert found == pytest.approx([3.0, 1.0]) and last is None


def test_solve_sets_options(capsys, file):
    name, default = next(
        (o.name, o.default) for o in gm.registry.get_solver(METHOD).options if o.name == "maxiter"
    )
    _, out, _ = call(capsys, "solve", file, "--method", METHOD, "--json", "--set", "maxiter=3")
    assert json.loads(out.splitlines()[-1])["options"][name] == 3 != default


def test_methods_lists_the_registry(capsys):
    status, out, _ = call(capsys, "methods")
    assert status == 0 and [line.split()[0] for line in out.splitlines()[2:-3]] == METHODS
    # variants say what makes them one
    assert any(
        line.startswith("dd-ls3") and line.endswith("[local=3]") for line in out.splitlines()
    )
    long = call(capsys, "methods", "--long")[1]
    for method in gm.gm_methods():
        one = call(capsys, "methods", method.name)[1]
        assert method.paper in " ".join(one.split()) and one.rstrip() in long
        assert all(f"  {option.name} = " in one for option in method.options)


def test_methods_of_a_problem_and_refusals(capsys, file):
    status, out, _ = call(capsys, "methods", "--for", file)
    assert status == 0 and out.startswith("Measured on the most similar of")
    status, _, err = call(capsys, "methods", "rwm")
    assert status == 2 and "unknown method 'rwm' (did you mean 'rrwm'?)" in err
    assert "--for does not go with names" in call(capsys, "methods", "sm", "--for", file)[2]


def test_convert_there_and_back(capsys, tmp_path, file, problem):
    assert call(capsys, "convert", file, tmp_path / "b.mat")[0] == 0
    assert call(capsys, "convert", tmp_path / "b.mat", tmp_path / "c.dd.xz")[0] == 0
    assert gm.load(tmp_path / "c.dd.xz") == gm.load(file)


def test_convert_transforms(capsys, tmp_path, file, problem):
    assert (
        call(
            capsys,
            "convert",
            file,
            tmp_path / "t.mat",
            "--bijective",
            "--zero-unary",
            "--nonpositive",
        )[0]
        == 0
    )
    converted = gm.load(tmp_path / "t.mat")
    assert converted.shape[0] == converted.shape[1] == sum(problem.shape)
    assert np.all(converted.cost == 0) and np.all(converted.edge_cost <= 0)


def test_folder_of_datasets_is_solved_as_declared(capsys):
    """The bundled instances: complete where their dataset.json says so, with ground truth."""
    folder = Path(__file__).resolve().parents[2] / "matfiles"
    status, out, _ = call(capsys, "info", folder, "--json")
    records = {record["instance"]: record for record in map(json.loads, out.splitlines())}
    assert status == 0 and records["car-0"]["bijective"] and not records["worms-0"]["bijective"]
    status, out, _ = call(capsys, "solve", folder / "hotel", "--method", "aj", "sm")
    assert status == 0 and "hotel-0" in out and "%" in out and "optimal" in out
