"""INFO of gm_solve: saved, loaded and judged, as MATLAB asks for it."""

import numpy as np
import pytest
from wrapper_calls import ask_verb

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.wrappers.calls import result_variables
from gmtoolbox.wrappers.result_calls import result_of

K = np.random.default_rng(5).random((9, 9))


@pytest.mark.parametrize("suffix", ["json", "mat", "csv", "h5", "npz"])
@pytest.mark.parametrize("method", ["rrwm", "fw", "aj"])
def test_info_comes_back(suffix, method, tmp_path):
    """Scores, options and all numbers, by Python and by gm_load."""
    result = gm.gm_solve(K, method)
    info = result_variables(result)["info"]
    ask_verb(tmp_path, "save_result", None, [info], target=f"r.{suffix}")
    found = gm.load_result(tmp_path / f"r.{suffix}")
    assert found == result and (found.scores is None) == (result.scores is None)
    answer = ask_verb(tmp_path, "load_file", path=f"r.{suffix}")
    assert np.array_equal(answer["X"], result.X) and answer["info"]["value"] == result.value
    if result.scores is not None:
        assert np.array_equal(answer["info"]["scores"], result.scores)


@pytest.mark.parametrize("version", ["6", "7", "7.3"])
def test_versions_of_mat_files(version, tmp_path):
    result = gm.gm_solve(K, "rrwm")
    info = result_variables(result)["info"]
    ask_verb(tmp_path, "save_result", None, [info], target="r.mat", version=version)
    assert gm.load_result(tmp_path / "r.mat") == result
    with pytest.raises(InputError, match="version"):
        ask_verb(tmp_path, "save_result", None, [info], target="r.mat", version="8")


@pytest.mark.parametrize(
    "field, value",
    [
        ("labels", np.ones(2)), ("labels", "x"), ("value", "much"), ("seed", 0.5),
        ("trace", np.ones((2, 2))), ("scores", np.ones((2, 2))), ("options", 3.0),
        ("extra", "x"), ("status", 1.0), ("shape", np.ones(3)), ("method", None),
    ],
)  # fmt: skip
def test_a_changed_info_is_refused(field, value, tmp_path):
    info = result_variables(gm.gm_solve(K, "rrwm"))["info"]
    changed = (
        {**info, field: value}
        if value is not None
        else {n: v for n, v in info.items() if n != field}
    )
    with pytest.raises(InputError, match="INFO"):
        result_of(changed)


def test_a_problem_is_loaded_as_one(tmp_path):
    p = gm.synth.car(seed=0, size=5)
    gm.save(p, tmp_path / "p.mat")
    assert "K" in ask_verb(tmp_path, "load_file", path="p.mat")
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(InputError, match="x.json"):
        ask_verb(tmp_path, "load_file", path="x.json")


def test_evaluation(tmp_path):
    truth = np.array([2.0, 1, 4, 3])
    found = ask_verb(
        tmp_path, "evaluate_result", {"labels": np.array([2.0, 1, 3, 0]), "truth": truth}
    )
    expected = gm.evaluate([1, 0, 2, -1], [1, 0, 3, 2])
    assert (found["recall"], found["precision"]) == (expected.recall, expected.precision)
    assert found["verdicts"].tolist() == ["correct", "correct", "wrong", "missed"]
    p = gm.synth.car(seed=0, size=6)
    gm.save(p, tmp_path / "p.mat")
    labels = gm.gm_solve(p).labels
    found = ask_verb(tmp_path, "evaluate_result", {"labels": labels + 1.0}, path="p.mat")
    assert found["recall"] == gm.evaluate(labels, p).recall
