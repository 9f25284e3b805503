"""gm_solve(p, "aj", checkpoint=FOLDER, cluster=): Dask workers share the search, and one is
killed.
"""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest
from cext.aj.test_open import hard
from dask_cluster import AVAILABLE, dask_cluster

import gmtoolbox as gm
from gmtoolbox.solvers import _helpers

wants_dask = pytest.mark.skipif(not AVAILABLE, reason="wants dask.distributed")


@pytest.mark.parametrize(
    "given, said",
    [({}, "needs checkpoint"), ({"checkpoint": "x.ck"}, "needs a folder")],
)
def test_it_needs_a_folder(given, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gm.OptionError, match=said):
        gm.gm_solve(hard(4, np.random.default_rng(0)), "aj", cluster="tcp://127.0.0.1:1", **given)


def pieces_of(folder):
    return {
        file.stem: json.loads(file.read_text("utf-8"))["state"] for file in folder.glob("*.piece")
    }


@wants_dask
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_killed_worker_loses_its_subproblem_only(tmp_path):
    problem, folder = hard(16, np.random.default_rng(1)), tmp_path / "search"
    whole, killed = gm.gm_solve(problem, "aj"), []

    def kill_one(pids):
        """SIGKILL for a worker when the search has been divided."""
        begin = time.monotonic()
        while time.monotonic() - begin < 600 and len(pieces_of(folder)) < 3:
            time.sleep(0.05)
        if len(pieces_of(folder)) >= 3:
            os.kill(pids[0], signal.SIGKILL)
            killed.append(pids[0])

    with dask_cluster(tmp_path, workers=2) as (address, pids):
        folder.mkdir()
        killer = threading.Thread(target=kill_one, args=(pids,))
        killer.start()
        r = gm.gm_solve(problem, "aj", checkpoint=folder, cluster=address)
        killer.join()
    assert killed, "the search was never divided"
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")
    assert r.extra["checkpoint"]["pieces"] >= 3 and r.extra["checkpoint"]["open"] == 0
    states = pieces_of(folder).values()
    assert sum(state["n_iter"] for state in states) > r.n_iter  # the workers took part


@wants_dask
@pytest.mark.long
@pytest.mark.timeout(300)
def test_workers_end_with_the_caller(tmp_path):
    """A time limit of the caller, far from the end of the search; then the workers are free."""
    from distributed import Client

    problem = hard(20, np.random.default_rng(1))
    with dask_cluster(tmp_path, workers=1) as (address, _):
        r = gm.gm_solve(problem, "aj", checkpoint=f"{tmp_path}/f/", cluster=address, time_limit=3)
        assert r.status == "time_limit"
        with Client(address, timeout=60, set_as_default=False) as client:
            assert client.submit(int, 7, pure=False).result(timeout=60) == 7


class Task:
    """A future that has ended."""

    def __init__(self, error=None):
        self.status, self.error = "error" if error else "finished", error

    def exception(self):
        return self.error


@wants_dask
def test_errors_of_all_workers_are_reported():
    from distributed import KilledWorker

    bad, lost = Task(gm.InputError("no folder")), Task(KilledWorker("x", None, 3))
    with pytest.raises(gm.InputError, match="no worker of the cluster could take part: no folder"):
        _helpers.report_failure([bad, bad])
    for tasks in ([], [bad, Task()], [lost, lost], [bad, lost]):
        _helpers.report_failure(tasks)
