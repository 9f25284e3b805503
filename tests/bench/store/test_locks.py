"""One writer, and nothing left behind."""

import os
import threading

import pytest

from gmtoolbox.bench.store.locks import WriterLock
from gmtoolbox.core.errors import InputError


def test_lock_goes_away_with_its_writer(tmp_path):
    path = tmp_path / "s.db"
    lock = WriterLock(path)
    assert (tmp_path / "s.db.lock").exists()
    with pytest.raises(InputError, match="another benchmark is writing"):
        WriterLock(path)
    lock.close()
    lock.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_stays(tmp_path):
    (tmp_path / "s.db.lock").write_text("notes")
    WriterLock(tmp_path / "s.db").close()
    assert (tmp_path / "s.db.lock").read_text("utf-8") == "notes"
    with pytest.raises(InputError, match="does not exist"):
        WriterLock(tmp_path / "none" / "s.db")


@pytest.mark.long
def test_never_two_writers(tmp_path):
    """Threads that take and give back the lock as fast as they can: removing the file lets no two
    of them in.
    """
    inside, most, turns, guard = [], [0], [0], threading.Lock()

    def worker():
        while turns[0] < 300:
            try:
                lock = WriterLock(tmp_path / "s.db")
            except InputError:
                continue
            with guard:
                inside.append(1)
                most[0] = max(most[0], len(inside))
            os.sched_yield()
            with guard:
                inside.pop()
                turns[0] += 1
            lock.close()

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert most == [1] and turns[0] >= 300
