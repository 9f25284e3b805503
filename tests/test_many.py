"""gm_solve_many: in order, equal to one by one whatever n_jobs is; restarts; errors; Ctrl-C."""

import os
import platform
import threading
import time

import numpy as np
import pytest
from ctrl_c import interrupted_solve
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import many


@pytest.fixture(scope="module")
def problems():
    rng = np.random.default_rng(0)
    return [
        random_problem(rng, *rng.integers(2, 8, 2), complete=bool(k % 2), name=str(k))
        for k in range(40)
    ]


OPTIONS = {"fm": {"patience": 100}, "fm-bca": {"patience": 50}, "fw": {"tol": 1e-6}}
IN_C = [method.name for method in gm.gm_methods() if method.kernel]


@pytest.mark.parametrize("method", [*IN_C, "sm", "auto"])
def test_equal_to_one_by_one_with_one_and_three_threads(problems, method):
    options = OPTIONS.get(method, {})
    alone = [gm.gm_solve(p, method, seed=2, **options) for p in problems]
    for n_jobs in (1, 3):
        assert gm.gm_solve_many(problems, method, seed=2, n_jobs=n_jobs, **options) == alone


def test_whatever_gm_solve_takes(tmp_path, problems):
    gm.save(problems[0], tmp_path / "p.dd")
    K = np.diag([1.0, 5.0, 5.0, 1.0])
    first, second = gm.gm_solve_many(iter([tmp_path / "p.dd", K]), "fm", patience=9)
    assert first.value == gm.gm_solve(problems[0], "fm", patience=9).value
    assert second.labels.tolist() == [1, 0] and second.sense == "max"
    assert gm.gm_solve_many([]) == []
    assert gm.gm_solve_many(problems[:1], complete=False)[0].shape == problems[0].shape


def test_own_functions_are_methods(problems):
    def nothing(problem):
        return np.full(problem.shape[0], -1)

    partial = [p for p in problems if not p.complete]
    results = gm.gm_solve_many(partial, nothing, n_jobs=2)
    assert all(np.all(r.labels == -1) for r in results)


# ---- restarts


@pytest.mark.parametrize("method", ["fm", "fw", "faq"])
def test_restarts_keep_the_best_seed(problems, method):
    short = {"fm": {"maxiter": 3}, "fw": {"maxiter": 12}, "faq": {"maxiter": 1}}[method]
    chosen, later = problems[20:], 0
    for n_jobs in (1, 2):
        found = gm.gm_solve_many(chosen, method, seed=5, restarts=4, n_jobs=n_jobs, **short)
        for p, r in zip(chosen, found, strict=True):
            runs = [gm.gm_solve(p, method, seed=5, **short)]
            more = {"start": "random"} if method == "faq" else {}
            runs += [gm.gm_solve(p, method, seed=5 + k, **short, **more) for k in (1, 2, 3)]
            values = [run.value for run in runs]
            assert r.extra["restarts"] == values and r.value == min(values)
            assert r.seed == 5 + values.index(min(values)), "of equal ones the first"
            again = gm.gm_solve(p, method, seed=r.seed, **r.options)
            assert np.array_equal(again.labels, r.labels), "seed and options run it again"
            later += r.seed > 5
    assert later, "some start was better than the first"


def test_restarts_of_maximised_problems_keep_the_largest():
    rng = np.random.default_rng(1)
    p = random_problem(rng, 8, 8, complete=True, sense="max")
    r = gm.gm_solve_many([p], "fm", restarts=6, maxiter=2)[0]
    assert r.value == max(r.extra["restarts"]) > min(r.extra["restarts"])


def test_faq_starts_anew_where_nodes_may_stay_free():
    p = random_problem(np.random.default_rng(2), 8, 8, signs="nonpositive")
    values = gm.gm_solve_many([p], "faq", restarts=6, maxiter=1)[0].extra["restarts"]
    assert len(set(values[1:])) > 1


# ---- refusals


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"restarts": 0}, "restarts must be a positive number"),
        ({"restarts": True}, "restarts must be a positive number"),
        ({"n_jobs": 0}, "n_jobs must be a positive integer or -1"),
        ({"n_jobs": 1.5}, "n_jobs must be a positive integer or -1"),
        ({"seed": -1}, "seed must be"),
        ({"time_limit": 0}, "time_limit must be"),
        ({"patiense": 3}, "has no option 'patiense'"),
    ],
)
def test_bad_arguments(problems, given, message):
    with pytest.raises(gm.InputError, match=message):
        gm.gm_solve_many(problems[:2], "fm", **given)


def test_methods_without_a_seed_take_no_restarts(problems):
    with pytest.raises(gm.InputError, match="takes no restarts; those that do are faq, fm, fw"):
        gm.gm_solve_many(problems[:2], "rrwm", restarts=2)


@pytest.mark.parametrize("method", ["fm", "sm"])
def test_errors_name_the_first_problem_they_are_about(problems, method):
    blocked = random_problem(np.random.default_rng(1), 3, 3)
    blocked = blocked.forbid([(0, 1), (1, 1), (2, 1)]).problem.changed(complete=True)
    given = [*problems[:5], blocked, *problems[5:9], blocked]
    with pytest.raises(gm.InfeasibleError, match=r"^problem 5: complete=True asks for 3"):
        gm.gm_solve_many(given, method, n_jobs=2)
    with pytest.raises(gm.InputError, match=r"^problem 1: K\[0, 0\] is NaN"):
        gm.gm_solve_many([problems[0], np.full((4, 4), np.nan)], method)


# ---- limits and interrupts


def test_each_problem_has_its_time_limit():
    p = gm.synth.hotel(seed=0, size=30)
    results = gm.gm_solve_many([p, p], "fm", time_limit=0.02, patience=10**9, maxiter=10**9)
    assert [r.status for r in results] == ["time_limit"] * 2
    assert all(r.time >= 0.02 for r in results)


def patient(problem, budget):
    """A method in Python that ends when it is asked to."""
    for _ in budget.iterations():
        time.sleep(0.01)
    return np.full(problem.shape[0], -1)


@pytest.mark.parametrize("method", ["fm", patient])
def test_ctrl_c_ends_all_of_it(method):
    """Also while the kernel runs in C, and where methods run in Python threads; twice in a row."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals come to the main thread")
    forever = {"patience": 10**9, "maxiter": 10**9} if method == "fm" else {}
    problems = [gm.synth.opengm(seed=0)] * 8
    for seconds in (0.3, 0.1):
        with interrupted_solve(seconds), pytest.raises(KeyboardInterrupt):
            gm.gm_solve_many(problems, method, n_jobs=2, **forever)
        assert not [t for t in threading.enumerate() if t.name.startswith(many.THREAD)]
    assert len(gm.gm_solve_many(problems[:2], "fm", maxiter=1)) == 2


def test_from_a_thread_of_the_caller(problems):
    found = []
    thread = threading.Thread(
        target=lambda: found.extend(gm.gm_solve_many(problems[:6], "fm-bca", patience=9, n_jobs=2))
    )
    thread.start()
    thread.join(60)
    assert found == [gm.gm_solve(p, "fm-bca", patience=9) for p in problems[:6]]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators keep other amounts")
@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="its allocator reuses nothing that was just freed",
)
def test_memory_is_kept_from_problem_to_problem():
    """Pages that every problem asks for anew take a third of its time, and make threads wait."""
    import resource  # Windows has none

    problems = [gm.synth.hotel(seed=k, size=20) for k in range(40)]

    def faults():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    gm.gm_solve_many(problems, "aj")
    begin = faults()
    gm.gm_solve_many(problems, "aj")
    assert faults() - begin < 30 * len(problems)  # it was more than 200 each
