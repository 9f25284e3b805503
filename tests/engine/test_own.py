"""Solvers of one's own: as a function, decorated, from a file, and in the processes of gm_batch."""

import subprocess
import sys
import threading

import numpy as np
import pytest

import gmtoolbox as gm

PROBLEM = gm.synth.car(seed=0, size=6)
MINE = '''
import numpy as np

import gmtoolbox as gm


def in_order(problem):
    return np.arange(problem.shape[0])


@gm.solver("mine")
def mine(problem, budget, *, times: int = 1):
    """Takes everything in order."""
    return gm.Outcome(labels=in_order(problem), n_iter=times)
'''


pytestmark = pytest.mark.usefixtures("own_registry")


def in_order(problem):
    return np.arange(problem.shape[0])


def test_any_function_is_a_method():
    result = gm.gm_solve(PROBLEM, in_order)
    assert result.labels.tolist() == list(range(6)) and result.method == "in_order"
    assert result.value == PROBLEM.energy(np.arange(6)) and result.status == "converged"

    def unary_scores(problem, budget, *, power: float = 1.0):
        return np.exp(-power * problem.cost)

    assert gm.gm_solve(PROBLEM, unary_scores, power=2).options == {"power": 2.0}
    with pytest.raises(gm.OptionError, match="no option 'pwer'"):
        gm.gm_solve(PROBLEM, unary_scores, pwer=2)


def test_decorating_again_replaces_and_ours_stay():
    for answer in (1, 2):

        @gm.solver("mine")
        def mine(problem, budget, answer=answer):
            return gm.Outcome(labels=np.arange(problem.shape[0]), n_iter=answer)

        assert gm.gm_solve(PROBLEM, "mine").n_iter == answer
    assert "mine" in [method.name for method in gm.gm_methods()]
    with pytest.raises(gm.InputError, match="'fm' is a method already"):
        gm.solver("fm")(in_order)


@pytest.mark.parametrize(
    "returned, message",
    [
        (None, "it returned NoneType"),
        ("text", "it returned str"),
        (np.zeros(3), r"it returned an array of shape \(3,\)"),
        (gm.Outcome(labels=np.zeros(6)), "labels"),
        (gm.Outcome(labels=np.zeros(6, int)), "'wrong' returned no matching: .* used twice"),
        (gm.Outcome(scores=np.full((6, 6), np.nan)), "scores that are not finite"),
        (gm.Outcome(labels=np.arange(6), bound=5.0), "has_bound=True"),
    ],
)
def test_a_wrong_return_value_gets_one_clear_message(returned, message):
    def wrong(problem):
        return returned

    with pytest.raises(gm.InputError, match=message):
        gm.gm_solve(PROBLEM, wrong)


def test_batch_runs_functions_in_processes():
    shift = 0

    def closure(problem):
        return np.roll(np.arange(problem.shape[0]), shift)

    runs = gm.gm_batch({"p": PROBLEM}, [closure, "sm"], time_limit=20)
    assert [run.method for run in runs] == ["closure", "sm"]
    assert runs[0].outcome == "ok" and runs[0].labels.tolist() == list(range(6)), runs[0].reason


@pytest.mark.long
def test_import_a_file_on_the_command_line(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    gm.save(PROBLEM, tmp_path / "p.h5")

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "gmtoolbox", *map(str, arguments)],
            capture_output=True, text=True, timeout=200, cwd=tmp_path, check=False,
        )  # fmt: skip

    done = run(
        "bench", "p.h5", "--import", "mine.py", "-m", "mine", "sm", "-t", "5", "--format", "runs"
    )
    assert done.returncode == 0 and "mine" in done.stdout, done.stderr
    done = run("solve", "p.h5", "--import", "mine.py", "-m", "mine", "-o", "r.json", "--labels")
    assert done.returncode == 0 and "labels (0-based): 0 1 2 3 4 5" in done.stdout, done.stderr
    assert gm.load_result(tmp_path / "r.json").method == "mine"
    (tmp_path / "bad.py").write_text("import no_such_module_here\n")
    done = run("solve", "p.h5", "--import", "bad.py")
    assert done.returncode == 2 and "ModuleNotFoundError" in done.stderr
    done = run("solve", "p.h5", "p.h5", "-o", "r.json")
    assert done.returncode == 2 and "one file and one method" in done.stderr


# ---- beside the methods: threads, progress, tables


def test_solves_in_threads_give_the_same():
    wanted = gm.gm_solve(PROBLEM, "fm", maxiter=5)
    found = {}

    def solve(k):
        found[k] = gm.gm_solve(PROBLEM, "fm", maxiter=5)

    threads = [threading.Thread(target=solve, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 6 and all(result == wanted for result in found.values())


def test_progress_tells_lines(capsys):
    plain = gm.gm_solve(PROBLEM, "fm-bca", maxiter=20)
    for progress in (True, "verbose"):
        assert gm.gm_solve(PROBLEM, "fm-bca", maxiter=20, progress=progress) == plain
        said = capsys.readouterr()
        assert said.out == "" and "fm-bca: value" in said.err and "bound" in said.err
    with pytest.raises(gm.InputError, match="progress must be True, 'verbose' or a function"):
        gm.gm_solve(PROBLEM, progress="loud")


def test_live_line_on_a_terminal(monkeypatch, capsys):
    from rich.console import Console

    monkeypatch.setattr(Console, "is_terminal", True)
    gm.gm_solve(PROBLEM, "fm-bca", maxiter=20, progress=True)
    assert "fm-bca: value" in capsys.readouterr().err


def test_methods_print_as_a_table_of_80_columns():
    shown = repr(gm.gm_methods())
    assert max(map(len, shown.splitlines())) <= 80
    assert all(method.name in shown for method in gm.gm_methods())
    assert gm.gm_methods()._repr_html_().count("<tr>") == len(gm.gm_methods()) + 1


def test_refused_init_names_those_that_take_it():
    with pytest.raises(gm.InputError, match=r"'sm' cannot use init; those that can are aj, .*fw"):
        gm.gm_solve(PROBLEM, "sm", init=np.arange(6))
