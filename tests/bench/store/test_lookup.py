"""A store answers for the problem, method, options, seed and limit that it has, whatever the names
say.
"""

import warnings

import numpy as np
import pytest
from inline_server import InlineServer
from multi_cases import random_multi
from older_store import older
from scipy import sparse
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.bench.run.fork_server import ForkServer
from gmtoolbox.bench.run.plan import entries_of, make_plan
from gmtoolbox.bench.run.pool import Pool
from gmtoolbox.bench.run.runner import Settings
from gmtoolbox.bench.run.variants import variant_of
from gmtoolbox.bench.store.lookup import look_up, read_facts
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.fingerprint import fingerprint

K = np.diag([9.0, 1.0, 2.0, 9.0])  # 18, and 36 for 2 K


@pytest.fixture
def quick(monkeypatch):
    """Runs in this process."""
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)


def solve(problems, store, methods="fm", **settings):
    """The runs of gm_batch with a time limit of 20 s."""
    return gm.gm_batch(problems, methods, store=store, **{"time_limit": 20, **settings})


def number_of_runs(store):
    with Store(store) as opened:
        return len(opened.runs())


def test_a_changed_problem_of_the_same_name_is_another_run(quick, tmp_path):
    store = tmp_path / "s.db"
    (one,) = solve({"car": K}, store)
    (two,) = solve({"car": 2 * K}, store)
    assert one.value == 18 and two.value == 36 and one.instance == two.instance == "car"
    assert one.problem != two.problem == fingerprint(gm.Problem.from_matrix(2 * K))
    (again,) = solve([K], store)  # both are kept, and found by what they are
    assert again.started == one.started and again.instance == "problem1"
    assert number_of_runs(store) == 3  # one of them under two names
    for changed in (dict(sense="min"), dict(complete=False), dict(offset=1.0)):
        (run,) = solve({"car": gm.Problem.from_matrix(K, **changed)}, store)
        assert run.started != one.started, changed


def test_dense_sparse_and_saved_are_one_run(quick, tmp_path):
    store = tmp_path / "s.db"
    (first,) = solve({"car": K}, store)
    p = gm.Problem.from_matrix(K)
    given = {"sparse": sparse.csr_array(K), "problem": p}
    for name in ("a.mat", "b.dd.gz", "c.h5"):
        gm.save(p, tmp_path / name)
        given[name] = tmp_path / name
    runs = solve(given, store)
    runs += solve([tmp_path / "a.mat", tmp_path / "b.dd.gz", tmp_path / "c.h5"], store)
    assert {run.started for run in runs} == {first.started} and len(runs) == 8


@pytest.mark.parametrize("server", [InlineServer, pytest.param(ForkServer, marks=pytest.mark.slow)])
def test_files_are_what_they_hold_now(tmp_path, monkeypatch, server):
    """A rewritten file is another problem, and so is a file of the same name elsewhere."""
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", server)
    store, names = tmp_path / "s.db", [tmp_path / "d1" / "a.mat", tmp_path / "d2" / "a.mat"]
    problems = [gm.Problem.from_matrix(M) for M in (K, 2 * K, np.eye(9), 3 * K)]
    for path, p in zip(names, problems, strict=False):
        path.parent.mkdir()
        gm.save(p, path)
    (one,), (two,) = (solve([path], store) for path in names)
    assert (one.value, two.value) == (18, 36) and one.instance == two.instance == "a"
    both = solve(names, store)
    assert [run.started for run in both] == [one.started, two.started]
    assert [run.instance for run in both] == ["d1/a", "d2/a"]
    gm.save(problems[2], names[0])
    (other,) = solve([names[0]], store)
    assert other.value == 3 and len(other.labels) == 3
    gm.save(problems[0], names[0])
    (back,) = solve([names[0]], store)
    assert back.started == one.started and back.value == 18


def test_options_seed_and_limit_are_parts_of_the_identity(quick, tmp_path):
    store = tmp_path / "s.db"
    p = random_problem(np.random.default_rng(0), 5, 5)
    (first,) = solve({"p": p}, store)
    assert first.status in ("optimal", "converged") and first.time < 20
    assert solve({"p": p}, store, time_limit=30)[0].started == first.started  # it had ended
    assert solve({"p": p}, store, {"fm": {}})[0].started == first.started
    assert solve({"p": p}, store, ["called=fm"])[0].started == first.started
    others = [
        solve({"p": p}, store, {"fm": {"patience": 7}}),
        solve({"p": p}, store, seed=1),
        solve({"p": p}, store, "fw"),
        solve({"p": p}, store, time_limit=first.time / 2),  # it was not that quick
    ]
    started = {run.started for (run,) in others}
    assert len(started) == 4 and first.started not in started
    two = solve({"p": p}, store, trials=2)
    assert [run.started == first.started for run in two] == [True, False]


def test_many_graphs_are_found_by_what_they_are(quick, tmp_path):
    store = tmp_path / "s.db"
    m, other = (random_multi(seed, (2, 3, 2)) for seed in (1, 2))
    (first,) = solve({"m": m}, store, "mgm")
    (changed,) = solve({"m": other}, store, "mgm")
    gm.save(m, tmp_path / "m.dd")
    (read,) = solve([tmp_path / "m.dd"], store, "mgm")
    assert first.started == read.started != changed.started
    assert first.problem == fingerprint(m) and changed.problem == fingerprint(other)


def test_own_methods_are_found_by_their_code(quick, tmp_path, own_registry):
    def first(problem):
        return np.array([0, 1])

    def second(problem):
        return np.array([1, 0])

    store = tmp_path / "s.db"
    second.__name__ = "first"
    runs = [solve({"p": K}, store, method)[0] for method in (first, second, first)]
    assert [run.value for run in runs] == [18, 3, 18] and {run.method for run in runs} == {"first"}
    assert runs[0].started == runs[2].started != runs[1].started


@pytest.mark.parametrize("version", [1, 2, 3])
def test_runs_of_older_stores_are_unverified_and_made_again(quick, tmp_path, version):
    options = variant_of("fm", None)[1].options
    store = older(tmp_path / "s.db", version, "batch", "car", "fm", options, value=-1.0)
    with pytest.warns(UserWarning, match="1 run of this store .* unverified.* made again"):
        (run,) = solve({"car": K}, store, time_limit=1)
    assert run.value == 18 and run.problem == fingerprint(gm.Problem.from_matrix(K))
    assert number_of_runs(store) == 2  # the old one is kept
    with Store(store) as opened:
        names = [run.instance for run in opened.loaded().runs()]
        assert sorted(names) == [f"car [{run.problem[:6]}]", "car [unverified]"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (again,) = solve({"car": K}, store, time_limit=1)
    assert again.started == run.started


def test_a_file_that_cannot_be_read_fails_once_and_is_run_when_it_can(quick, tmp_path):
    store, path = tmp_path / "s.db", tmp_path / "a.dd"
    path.write_text("p 2 2 1 0\na 0 0 0 one\n")
    (failed,) = solve([path], store)
    (again,) = solve([path], store)
    assert failed.outcome == "error" and failed.problem == "" and again.started == failed.started
    (retried,) = solve([path], store, retry_failed=True)
    assert retried.started != failed.started
    gm.save(gm.Problem.from_matrix(K), path)
    (run,) = solve([path], store)
    assert run.outcome == "ok" and run.value == 18
    assert number_of_runs(store) == 1  # the failure has gone
    with Store(store) as opened:
        assert [row.problem for row in opened.instances()] == [run.problem]


def test_files_are_read_only_where_the_store_may_have_the_answer(quick, tmp_path):
    gm.save(gm.Problem.from_matrix(K), tmp_path / "a.mat")
    solve([tmp_path / "a.mat"], tmp_path / "s.db")
    plan = lambda method: make_plan([tmp_path / "a.mat"], method, time_limit=20)
    with Store(tmp_path / "s.db") as store:
        found = look_up(plan("fw"), store, Settings(), pool=None)  # None cannot read
        assert len(found.tasks) == 1 and found.facts == {}
        with Pool(1) as pool:
            found = look_up(plan("fm"), store, Settings(), pool)
            assert found.tasks == [] and len(found.answers) == 1
            gm.save(gm.Problem.from_matrix(2 * K), tmp_path / "a.mat")
            found = look_up(plan("fm"), store, Settings(), pool)
            assert len(found.tasks) == 1 and found.changed == [("files", "a")]


@pytest.mark.usefixtures("without_processes")
def test_facts_of_files_are_those_of_problems(tmp_path):
    p = gm.Problem.from_matrix(K)
    gm.save(p, tmp_path / "a.mat")
    (tmp_path / "b.mat").write_bytes(b"no file of MATLAB's")
    entries = entries_of([tmp_path / "a.mat", tmp_path / "b.mat"])
    with Pool(2) as pool:
        found = read_facts([*entries, *entries_of({"c": p})], pool, wall=60.0)
    assert found["files", "a"]["problem"] == found["batch", "c"]["problem"] == fingerprint(p)
    assert found["files", "b"] is None and found["files", "a"]["n1"] == 2
