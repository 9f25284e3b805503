"""The verbs of the server, called without a process: files in, files out, 1-based labels."""

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.wrappers.calls import VERBS, as_flag, as_integer, driver_arguments


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def ask(verb, arrays=None, **arguments):
        stem = tmp_path / "request"
        content = {"arguments": {"folder": str(tmp_path), **arguments}, **(arrays or {})}
        savemat(f"{stem}.in.mat", content)
        VERBS[verb](str(stem), print)
        return loadmat(f"{stem}.out.mat", squeeze_me=True)

    return ask


def test_hello_tells_the_version(call):
    assert call("hello")["version"] == gm.__version__


def test_solving_answers_one_based(call):
    K = np.random.default_rng(0).random((9, 9))
    answer = call("solve", {"K": K}, method="ilp")
    expected = gm.gm_solve(K, "ilp")
    fields = answer["info"] if "info" in answer else answer
    labels = fields["labels"].item() if fields["labels"].dtype == object else fields["labels"]
    assert np.ravel(labels).tolist() == (expected.labels + 1).tolist()


def test_methods_are_those_of_the_registry(call):
    answer = call("methods")["methods"]
    assert [str(name) for name in answer["name"]] == [method.name for method in gm.gm_methods()]


def test_problems_are_loaded_and_saved(call, tmp_path):
    problem = random_problem(np.random.default_rng(1), 3, 4)
    gm.save(problem, tmp_path / "x.dd")
    stem = tmp_path / "request"
    arguments = {"folder": str(tmp_path), "path": "x.dd", "target": "y.mat"}
    savemat(f"{stem}.in.mat", {"arguments": arguments})
    VERBS["save_problem"](str(stem), print)
    assert gm.load(tmp_path / "y.mat") == problem


def test_init_is_zero_based_inside():
    assert driver_arguments({"init": [2.0, 0.0, 1.0]})["init"].tolist() == [1, -1, 0]
    with pytest.raises(InputError, match="whole numbers"):
        driver_arguments({"init": [0.5]})


def test_numbers_of_matlab_are_doubles():
    assert as_integer("seed", 3.0) == 3 and as_flag("resume", 1.0) is True
    with pytest.raises(InputError, match="seed"):
        as_integer("seed", 3.5)
