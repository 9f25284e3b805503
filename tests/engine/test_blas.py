"""BLAS has one thread in every solve, whatever it had before and has again afterwards."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.engine import blas, limits
from gmtoolbox.engine.blas import thread_counts
from gmtoolbox.engine.limits import OneThread, list_loaded_modules, one_thread
from gmtoolbox.engine.outcome import Outcome


@pytest.fixture(autouse=True)
def blas_threads():
    """Leave BLAS as it is."""


def counts():
    """Threads of every BLAS that is loaded."""
    return [read() for read, _ in thread_counts(list_loaded_modules()).values()]


class Library:
    """A BLAS that is none."""

    def __init__(self, threads=4):
        self.threads = threads

    def functions(self):
        return (lambda: self.threads), (lambda n: setattr(self, "threads", n))


@pytest.fixture
def libraries(monkeypatch):
    found = {"one": Library(4), "other": Library(3)}
    monkeypatch.setattr(
        limits, "thread_counts", lambda modules: {k: v.functions() for k, v in found.items()}
    )
    return found


def test_paths_of_any_encoding(tmp_path, monkeypatch):
    path = b"/home/Jos\xe9/libopenblas.so"  # not UTF-8
    (tmp_path / "maps").write_bytes(b"7f00-7f01 r-xp 0000 08:01 12   " + path + b"\n")
    monkeypatch.setattr(blas, "MAPS", tmp_path / "maps")
    assert os.fsdecode(path) in blas.library_files()


def test_the_last_one_restores_the_threads(libraries):
    threads = OneThread()
    with threads:
        with threads:
            assert [library.threads for library in libraries.values()] == [1, 1]
        assert [library.threads for library in libraries.values()] == [1, 1]
        libraries["late"] = Library(8)  # imported in the middle of a solve
        threads.look_again()
        assert libraries["late"].threads == 1
    assert [library.threads for library in libraries.values()] == [4, 3, 8]
    threads.look_again()  # nobody solves: nothing is limited
    assert libraries["one"].threads == 4


def test_the_environment_asks_for_more(libraries, monkeypatch):
    monkeypatch.setenv(limits.VARIABLE, "2")
    with OneThread():
        assert libraries["one"].threads == 2
    for wrong in ("0", "-1", "many", ""):
        monkeypatch.setenv(limits.VARIABLE, wrong)
        with pytest.raises(InputError, match=f"{limits.VARIABLE} must be a positive number"):
            one_thread.__enter__()
    monkeypatch.delenv(limits.VARIABLE)
    with one_thread:  # nothing was left behind by those that failed
        assert one_thread.users == 1


def test_every_solve_has_one_thread(method):
    seen = []

    def look(problem, budget):
        seen.extend(counts())
        return Outcome(labels=np.arange(problem.shape[0]))

    np.linalg.eigvalsh(np.eye(3))
    before = counts()
    gm.gm_solve(np.eye(9), method(look), shape=(3, 3), sense="max")
    assert seen == [1] * len(before) and counts() == before
    with pytest.raises(ZeroDivisionError):
        gm.gm_solve(np.eye(9), lambda problem, budget: 1 / 0, shape=(3, 3), sense="max")
    assert counts() == before


def test_solves_in_threads_share_it():
    before, inside, wait = counts(), threading.Event(), threading.Event()

    def hold():
        with one_thread:
            inside.set()
            wait.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    assert inside.wait(20)
    with one_thread:
        pass
    assert counts() == [1] * len(before)
    wait.set()
    other.join(20)
    assert counts() == before


CODE = """
import sys
import numpy as np, scipy.linalg
import gmtoolbox as gm
from gmtoolbox.engine.blas import thread_counts
from gmtoolbox.engine.limits import list_loaded_modules

libraries = thread_counts(list_loaded_modules())
assert all(read() == int(sys.argv[1]) for read, _ in libraries.values()), "not as asked"
rng = np.random.default_rng(0)
A = np.triu(rng.random((130, 130)) < 0.1, 1).astype(float)
B = A * (rng.random((130, 130)) < 0.9)
order = rng.permutation(130)
A, B = A + A.T, (B + B.T)[np.ix_(order, order)]
F, G = rng.random((2, 300, 130))
networks = gm.models.from_graphs(A, B)
points = gm.models.from_points(rng.random((80, 2)), rng.random((90, 2)), F[:80], G[:90])
dense = gm.models.from_koopmans_beckmann(*rng.random((2, 14, 14)))
matches = {(0, 1): rng.permutation(80), (0, 2): rng.permutation(80), (1, 2): rng.permutation(80)}
answers = [
    gm.gm_solve(networks, maxiter=200),
    gm.gm_solve(networks, "faq", restarts=1),
    gm.gm_solve(points, maxiter=200),
    gm.gm_solve(dense, maxiter=300),
    gm.gm_solve(dense, "aj", sdp="at once", maxiter=300),
    *(gm.gm_solve(dense, m, maxiter=20) for m in ("rrwm", "ga", "fgmd", "sm", "smac", "ipfps")),
    gm.synchronise(matches, (80, 80, 80), method="spectral"),
]
for r in answers:
    labels = np.concatenate(r.tracks) if hasattr(r, "tracks") else r.labels
    print(r.method, r.value.hex(), r.bound.hex(), r.n_iter, hash(labels.tobytes()))
print(gm.models.inner_product(F, G).sum().hex(), float(points.cost.sum()).hex())
"""


@pytest.mark.long
def test_no_answer_depends_on_the_threads_of_blas():
    """Methods that multiply, decompose and factorise, in processes with one and with more."""
    printed = []
    for n in ("1", "2"):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, n), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", textwrap.dedent(CODE), n]
        made = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        if "not as asked" in made.stderr:
            pytest.skip("this BLAS has another number of threads than the environment asks for")
        assert made.returncode == 0, made.stderr
        printed.append(made.stdout)
    assert printed[0] == printed[1] and printed[0].count("\n") == 13
