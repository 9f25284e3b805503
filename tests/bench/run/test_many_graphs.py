"""Many graphs in a benchmark: plan, runs, store, judging and tables."""

import json

import numpy as np
import pytest
from inline_server import runs_in_this_process
from multi_cases import random_multi

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.evaluation import consistency, correctness, evaluate_runs
from gmtoolbox.bench.evaluate.tables import default_groups, make_table
from gmtoolbox.bench.printing import runs_table
from gmtoolbox.bench.run.many_graphs import multi_solver
from gmtoolbox.bench.run.plan import make_plan
from gmtoolbox.bench.site.pages import size_text
from gmtoolbox.bench.store.rows import InstanceRow, pack_instance, unpack_instance
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.io.files import Allowance


def scene():
    """Three graphs of one scene, with truth and points."""
    return gm.synth.worms_multi(d=3, m=12, seed=2)


def two_graphs():
    return gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -2.0])


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of two graphs and of many, run with methods for each."""
    path = tmp_path_factory.mktemp("many") / "bench.db"
    problems = {"scene": scene(), "pair": two_graphs()}
    methods = {"mgm": {"bound": "pairs", "maxiter": 60}, "sync": {"maxiter": 30}, "fm-bca": {}}
    with runs_in_this_process():
        gm.gm_batch(problems, methods, time_limit=[5.0, 20.0], store=path)
    with Store(path) as opened:
        yield opened


def test_each_kind_is_solved_by_its_methods(store):
    runs = {(run.instance, run.method): run for run in store.runs()}
    assert set(runs) == {("scene", "mgm"), ("scene", "sync"), ("pair", "fm-bca")}
    assert all(run.outcome == "ok" for run in runs.values()), [r.reason for r in runs.values()]
    m = scene()
    run = runs["scene", "mgm"]
    r = gm.gm_solve_multi(m, bound="pairs", maxiter=60, seed=0)
    assert run.value == r.value and run.bound == r.bound and np.array_equal(run.labels, r.flat)
    assert run.trace["value"][-1] == run.value and run.options["maxiter"] == 60


def test_the_row_tells_graphs_truth_and_points(store):
    row = next(row for row in store.instances() if row.instance == "scene")
    m = scene()
    assert row.sizes == list(m.sizes) and row.n1 == m.n_nodes and len(row.points1) == m.n_nodes
    assert size_text(row).startswith("3 graphs of ")
    labels = np.concatenate(gm.gm_solve_multi(m, maxiter=60).tracks)
    tracks = np.split(labels, np.cumsum(m.sizes)[:-1])
    assert correctness(row, labels) == gm.track_f1(tracks, m.truth)
    assert consistency(row, labels) == 1.0
    assert correctness(row, None) is None


def test_tables_keep_the_kinds_apart(store):
    evaluation = evaluate_runs(store.loaded())
    row = next(row for row in store.instances() if row.instance == "scene")
    mgm = next(run for run in store.runs() if run.method == "mgm")
    cell = evaluation.cell(20.0, "batch", evaluation.problems["batch"][row.position], "mgm")
    assert cell.value == mgm.value and cell.accuracy == correctness(row, mgm.labels)
    assert "scene" in runs_table(store) and "pair" in runs_table(store)
    assert evaluation.methods_of(["batch"]) == evaluation.methods
    assert make_table(evaluation, default_groups(evaluation, "batch")).methods


def test_a_dataset_of_files_and_its_own_methods(tmp_path):
    gm.save(random_multi(0, (2, 3, 2)), tmp_path / "many.dd")
    gm.save(two_graphs(), tmp_path / "pair.dd")
    (tmp_path / "dataset.json").write_text(
        json.dumps({"dataset": "mixed", "instances": ["many", "pair"]})
    )
    keys = {key[1:3] for key, _ in make_plan(tmp_path, ["auto"]).tasks}
    assert keys == {("many", "mgm"), ("pair", "auto")}
    every = {key[1:3] for key, _ in make_plan(tmp_path, "all").tasks}
    assert {("many", "mgm"), ("many", "sync"), ("pair", "fm-bca")} <= every
    assert ("pair", "mgm") not in every and ("many", "fm-bca") not in every
    for methods, said in ((["rrwm"], "many graphs"), (["mgm"], "two graphs")):
        with pytest.raises(InputError, match=f"holds {said}"):
            make_plan(tmp_path, methods)
    entries = make_plan([tmp_path / "many.dd"], ["quick=mgm:bound=none,maxiter=9"])
    assert entries.methods["quick"].options == {"bound": "none", "maxiter": 9}
    assert entries.entries[0].row.dataset == "many graphs"


@pytest.mark.parametrize(
    "options, said",
    [
        ({"bund": "auto"}, "no option 'bund'.*bound"),
        ({"bound": "magic"}, "bound must be one of"),
        ({"maxiter": 0}, "maxiter must be a positive"),
    ],
)
def test_options_are_checked_before_any_run(options, said):
    with pytest.raises(InputError, match=said):
        multi_solver("mgm").check(options)
    assert multi_solver("rrwm") is None


@pytest.mark.parametrize("sizes", [[3], [2, 2], ["3", 1], {"a": 4}, [5, -1]])
def test_sizes_of_a_stranger_are_refused(sizes):
    row = InstanceRow("d", "i", n1=4, n2=4, sizes=[2, 2])
    packed = pack_instance(row)
    allowance = Allowance(None, 2**20, most=2**20)
    assert unpack_instance(packed, allowance).sizes == [2, 2]
    packed["n1"] = 4
    packed["sizes"] = json.dumps(sizes)
    if sizes == [2, 2]:
        packed["n1"] = 5
    with pytest.raises(InputError, match="sizes must hold"):
        unpack_instance(packed, allowance)


@pytest.mark.usefixtures("without_processes")
def test_a_wrong_run_costs_only_itself(tmp_path):
    """A file that breaks off is an error of its own runs."""
    (tmp_path / "torn.dd").write_text("gm 0 1\np 1 1 1 0\na 0 0 0 -1\ngm 0 2\np 1 1 1 0\n")
    gm.save(random_multi(0, (2, 2)), tmp_path / "good.dd")
    runs = gm.gm_batch([tmp_path / "torn.dd", tmp_path / "good.dd"], "mgm", time_limit=5.0)
    assert [run.outcome for run in runs] == ["error", "ok"]
