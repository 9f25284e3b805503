"""The verbs of the server, called without a process: files in, files out, 1-based labels."""

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from small import random_problem
from wrapper_calls import ask_verb

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.wrappers.calls import VERBS


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


def test_summaries_of_variants_differ(tmp_path):
    """dd-ls0, dd-ls3 and dd-ls4, mp, mp-mcf and mp-fw, ipfpu and ipfps."""
    found = ask_verb(tmp_path, "methods")["methods"]
    summaries = [method["summary"] for method in found]
    assert len(set(summaries)) == len(summaries)
    assert next(m["summary"] for m in found if m["name"] == "dd-ls3").endswith("['local', 3]")


def test_problems_are_loaded_and_saved(call, tmp_path):
    problem = random_problem(np.random.default_rng(1), 3, 4)
    gm.save(problem, tmp_path / "x.dd")
    stem = tmp_path / "request"
    arguments = {"folder": str(tmp_path), "path": "x.dd", "target": "y.mat"}
    savemat(f"{stem}.in.mat", {"arguments": arguments})
    VERBS["save_problem"](str(stem), print)
    assert gm.load(tmp_path / "y.mat") == problem


def test_transforms_are_those_of_the_study(tmp_path):
    K = np.array([[5.0, 0, 0, 2], [0, 1, 1, 0], [0, 1, 1, 0], [2, 0, 0, 5]])
    found = ask_verb(tmp_path, "transform_problem", {"K": K}, transforms="_bnz")
    p = gm.transforms.prepare(
        gm.Problem.from_matrix(K).as_costs(), [gm.BIJECTIVE, gm.NONPOSITIVE, gm.ZERO_UNARIES]
    ).problem
    assert (found["K"] != p.materialise().K).nnz == 0 and found["complete"]
    with pytest.raises(InputError, match="letters of bnz"):
        ask_verb(tmp_path, "transform_problem", {"K": K}, transforms="_q")


def test_many_problems_in_one_call(tmp_path):
    K = np.random.default_rng(0).random((9, 9))
    structs = [{"K": K}, {"K": 2 * K}]
    found = ask_verb(
        tmp_path, "solve_many", None, structs, problems=["", ""], method="FM",
        options={"n_jobs": 2.0, "Seed": 3.0},
    )["info"]  # fmt: skip
    expected = gm.gm_solve_many([K, 2 * K], "fm", seed=3)
    assert [info["value"] for info in found] == [r.value for r in expected]
    assert [info["X"].tolist() for info in found] == [r.X.tolist() for r in expected]
    with pytest.raises(InputError, match="problem 2: "):
        ask_verb(
            tmp_path, "solve_many", None, [{"K": K}, {"L": K[:1]}], problems=["", ""], method="fm"
        )


def test_events_of_many_graphs(tmp_path):
    """OutputFcn of gm_solve_multi gets what that of gm_solve gets."""
    X = np.eye(3).ravel()
    arrays = {f"K_{g}_{h}": np.diag(2 * X - 1) for g, h in ((1, 2), (1, 3), (2, 3))}
    told = []
    ask_verb(tmp_path, "solve_multi", arrays, lines=told, d=3.0, events=True, sense="max")
    events = [text.split() for kind, text in told if kind == "event"]
    assert events and all(len(numbers) == 4 for numbers in events)
    assert float(events[-1][1]) == 9.0
