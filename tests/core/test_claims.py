"""claims: what contradicts itself is not believed; from bounds of methods to saved results."""

import json

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.claims import check_labels
from gmtoolbox.core.errors import FileFormatError, InputError


@pytest.fixture
def problem():
    """The best matching [0, 1] costs 1.2, the other one 2."""
    return gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [0.0, 0.1, 1.9, 1.2], complete=True)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_a_bound_that_its_own_matching_refutes_proves_nothing(problem, sense, own_registry):
    @gm.solver("liar", has_bound=True)
    def liar(problem, budget):
        budget.record(bound=-10.0)
        budget.record(bound=5.0)
        return gm.Outcome(labels=np.array([1, 0]), bound=1e9)

    with pytest.warns(RuntimeWarning, match="'liar' reports the lower bound 1000000000, but .* 2:"):
        r = gm.gm_solve(problem.changed(sense=sense), "liar")
    assert r.status == "converged" and np.isinf(r.bound) and np.isinf(r.gap)
    assert np.isinf(r.trace["bound"]).all()


def test_a_bound_that_passes_the_value_by_rounding_is_capped(problem, own_registry):
    @gm.solver("close", has_bound=True)
    def close(problem, budget):
        return gm.Outcome(labels=np.array([0, 1]), bound=1.2 * (1 + 1e-12))

    r = gm.gm_solve(problem, "close")
    assert r.status == "optimal" and r.bound == r.value


def test_bounds_of_methods_without_bounds_are_refused(problem, own_registry):
    def whispers(problem, budget):
        budget.record(bound=2.0)
        return [1, 0]

    with pytest.raises(InputError, match="'whispers' reports a bound; register it"):
        gm.gm_solve(problem, whispers)


LIES = {
    "optimal without a bound": ({"bound": None, "gap": None}, "needs a bound and a gap"),
    "a gap without a bound": ({"bound": None}, "needs a bound and a gap"),
    "optimal without a gap": ({"gap": None}, "needs a bound and a gap"),
    "another status": ({"status": "best ever"}, "status must be one of"),
    "a bound beyond the value": ({"bound": 99.0}, "beyond the value"),
    "a gap of 0 that is not": ({"bound": 0.0, "gap": 0.0}, "the gap is 0, but"),
    "a negative gap": ({"gap": -1.0}, "needs a bound and a gap"),
    "no value": ({"value": {"float": "nan"}}, "beyond the value"),
    "a text for a value": ({"value": "x"}, "value must be a number"),
    "another sense": ({"sense": "maybe"}, "sense must be"),
    "a label twice": ({"labels": [0, 0]}, "used twice"),
    "too few labels": ({"labels": [0]}, "n1 = 2 entries"),
    "unknown labels": ({"labels": [7, 8]}, "must lie in"),
    "half a label": ({"labels": [0.5, 1]}, "must be integers"),
}


@pytest.mark.parametrize("lie", LIES)
def test_files_that_contradict_themselves_are_refused(problem, tmp_path, lie):
    change, message = LIES[lie]
    gm.gm_solve(problem, "aj").save(tmp_path / "r.json")
    record = json.loads((tmp_path / "r.json").read_text("utf-8"))
    (tmp_path / "f.json").write_text(json.dumps({**record, **change}))
    with pytest.raises(FileFormatError, match=message):
        gm.load_result(tmp_path / "f.json")


@pytest.mark.parametrize("method", ["aj", "fw", "fm-bca", "sm", "auto"])
@pytest.mark.parametrize("suffix", [".json", ".npz", ".h5", ".mat", ".csv"])
def test_honest_files_are_read(method, suffix, tmp_path):
    rng = np.random.default_rng(0)
    for offset in (0.0, 1e12, -1e12):
        for sense in ("min", "max"):
            K = rng.normal(size=(9, 9))
            p = gm.Problem.from_matrix(K + K.T, sense=sense, complete=False).changed(offset=offset)
            r = gm.gm_solve(p, method, seed=0)
            r.save(tmp_path / f"r{suffix}")
            assert gm.load_result(tmp_path / f"r{suffix}") == r


def test_labels_of_unmatched_nodes_may_repeat():
    check_labels(np.array([-1, 2, -1]), (3, 3))
