"""A store that is copied whole: readers see whole stores only, a kill loses the last seconds."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gmtoolbox.bench.store import copied_store
from gmtoolbox.bench.store.copied_store import CopiedStore
from gmtoolbox.bench.store.store import Run, Store
from gmtoolbox.core.errors import InputError


def run(trial):
    return Run("d", "i", "m", trial, status="converged", value=1.0, bound=0.0, time=0.1, n_iter=1,
               labels=np.array([0], np.int32))  # fmt: skip


def keys(path):
    with Store(path) as store:
        return [run.trial for run in store.runs()]


def test_goes_on_from_the_copy_and_leaves_only_it(tmp_path, monkeypatch):
    monkeypatch.setattr(copied_store, "EVERY", 0.0)
    path = tmp_path / "part.db"
    for trial in (1, 2):
        with CopiedStore(path) as store:
            with pytest.raises(InputError, match="another benchmark"):
                CopiedStore(path)
            store.add(run(trial))
            folder = store._folder
            assert keys(path) in ([*range(1, trial + 1)], [*range(1, trial)])
        assert not folder.exists() and [p.name for p in tmp_path.iterdir()] == ["part.db"]
    assert keys(path) == [1, 2]


def test_what_is_no_store_stays_as_it_is(tmp_path):
    (tmp_path / "part.db").write_text("something else" * 100)
    with pytest.raises(InputError):
        CopiedStore(tmp_path / "part.db")
    assert (tmp_path / "part.db").read_text("utf-8") == "something else" * 100
    assert [p.name for p in tmp_path.iterdir()] == ["part.db"]


WRITER = """
import sys
sys.path[:0] = {path!r}
from gmtoolbox.bench.store import copied_store
from test_copied_store import run
copied_store.EVERY = 0.0
with copied_store.CopiedStore({store!r}) as store:
    trial = 0
    while True:
        trial += 1
        store.add(run(trial))
"""


@pytest.mark.long
def test_a_kill_leaves_a_whole_store(tmp_path):
    path = [str(Path(__file__).parent), *sys.path]
    code = WRITER.format(path=path, store=str(tmp_path / "part.db"))
    writer = subprocess.Popen([sys.executable, "-c", code])
    try:
        limit = time.monotonic() + 60
        seen = []
        while len(seen) < 20 and time.monotonic() < limit:
            if (tmp_path / "part.db").exists():
                seen = keys(tmp_path / "part.db")  # whole at every moment
                assert seen == [*range(1, len(seen) + 1)]
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=20)
    after = keys(tmp_path / "part.db")
    assert len(after) >= 20 and after == [*range(1, len(after) + 1)]
    with CopiedStore(tmp_path / "part.db") as store:  # the lock ended with the process
        store.add(run(len(after) + 1))
