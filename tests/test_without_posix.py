"""What Windows lacks is not missed: the package imports, solves and runs benchmarks where there is
no `fcntl`, no `resource`, no fork and no waiting for pipes.

A sitecustomize takes them away, in the process that tests start and in all that it starts itself.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LESS = """
import os, select, signal, socket, subprocess, sys
subprocess.fcntl = None
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "wait3", "wait4", "killpg", "setsid", "setpgid", "getppid",
             "getloadavg", "sysconf", "set_blocking", "O_NOFOLLOW", "sched_getaffinity",
             "register_at_fork"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2"):
    delattr(signal, name)
for name in ("AF_UNIX", "send_fds", "recv_fds"):
    delattr(socket, name)
subprocess.Popen.kill = lambda self: self.poll() is None and os.kill(self.pid, 9)
def refuse(*arguments):
    raise OSError("an operation was attempted on something that is not a socket")
select.select = refuse
"""


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """Run code in such a process; its output."""
    folder = tmp_path_factory.mktemp("windows")
    (folder / "sitecustomize.py").write_text(LESS)
    paths = os.pathsep.join([str(folder), str(ROOT)])

    def run(code, cwd=None):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={**os.environ, "PYTHONPATH": paths},
            cwd=cwd or folder,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


def test_the_modules_are_really_gone(without):
    code = """
    import os, sys
    try:
        import fcntl
    except ImportError:
        print("gone", hasattr(os, "fork"))
    """
    assert without(code) == ["gone", "False"]


def test_every_module_imports(without):
    code = """
    import pkgutil, importlib, gmtoolbox
    for module in pkgutil.walk_packages(gmtoolbox.__path__, "gmtoolbox."):
        if module.name != "gmtoolbox.__main__":
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name not in ("torch", "dask", "distributed"):  # extras
                    raise
    print("all")
    """
    assert without(code) == ["all"]


@pytest.mark.long
def test_it_solves_also_in_the_helper_process(without):
    code = """
    import gmtoolbox as gm
    p = gm.synth.car(seed=0, size=6)
    values = [gm.gm_solve(p, method).value for method in ("auto", "ilp", "rrwm")]
    print(len(set(round(value, 6) for value in values)), gm.gm_solve(p).status)
    """
    assert without(code) == ["1", "optimal"]


@pytest.mark.long
def test_a_benchmark_runs_in_spawned_processes(without, tmp_path):
    code = """
    import os, gmtoolbox as gm
    from gmtoolbox.bench.store.store import Store

    def crash(problem):
        print("good bye", flush=True)
        os._exit(7)

    def hang(problem):
        while True:
            pass

    p = gm.synth.car(seed=0, size=6)
    runs = gm.gm_batch({"car": p}, ["sm", "fm", crash], n_jobs=2, store="runs.db")
    for run in runs:
        print(run.method, run.outcome)
    print(runs[2].reason.replace(" ", "_"))
    (lost,) = gm.gm_batch({"car": p}, [hang], wall=8)
    print(lost.outcome)
    with Store("runs.db") as store:
        print(len(store.runs()))
    """
    said = without(code, cwd=tmp_path)
    assert said == [
        *("sm", "ok", "fm", "ok", "crash", "crash"),
        "ended_with_exit_status_7;_its_last_words:_good_bye",
        "timeout",
        "3",
    ]


def test_the_command_line(without, tmp_path):
    code = f"""
    from gmtoolbox.cli import main
    code = main(["solve", {str(ROOT / "matfiles" / "car" / "car-0.mat")!r}, "--json"])
    print("exit", code)
    """
    assert without(code, cwd=tmp_path)[-2:] == ["exit", "0"]
