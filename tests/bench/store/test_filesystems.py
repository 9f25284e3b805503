"""Network file systems are told by the list of mounts."""

import os
import sqlite3

import pytest

from gmtoolbox.bench.store import filesystems
from gmtoolbox.bench.store.filesystems import is_shared
from gmtoolbox.bench.store.store import Store


@pytest.fixture
def mounts(tmp_path, monkeypatch):
    """This folder on ext4, in it `home` on NFS, in that `scratch disk` on the machine's own."""
    lines = [
        "20 1 8:1 / / rw - ext4 /dev/sda1 rw",
        f"21 20 0:30 / {tmp_path}/home rw,noatime shared:1 - nfs4 server:/home rw",
        f"22 21 8:2 / {tmp_path}/home/scratch\\040disk rw - xfs /dev/sdb1 rw",
    ]
    (tmp_path / "mountinfo").write_text("\n".join(lines))
    (tmp_path / "home" / "scratch disk").mkdir(parents=True)
    monkeypatch.setattr(filesystems, "MOUNTS", tmp_path / "mountinfo")
    return tmp_path


def test_the_innermost_mount_counts(mounts):
    assert not is_shared(mounts / "x.db") and is_shared(mounts / "home" / "x.db")
    assert not is_shared(mounts / "home" / "scratch disk" / "x.db")
    assert not is_shared(mounts / "homestead" / "x.db")


@pytest.mark.parametrize(
    "name", [os.fsdecode("gemeinsam-für-alle".encode()), os.fsdecode(b"latin-1-\xfc")]
)
def test_names_of_any_encoding(tmp_path, monkeypatch, name):
    line = b"21 20 0:30 / " + os.fsencode(tmp_path / name) + b" rw - nfs4 server:/home rw"
    (tmp_path / "mountinfo").write_bytes(b"20 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + line + b"\n")
    monkeypatch.setattr(filesystems, "MOUNTS", tmp_path / "mountinfo")
    assert is_shared(tmp_path / name / "x.db") and not is_shared(tmp_path / "x.db")


def test_no_list_of_mounts(tmp_path, monkeypatch):
    monkeypatch.setattr(filesystems, "MOUNTS", tmp_path / "none")
    assert not is_shared(tmp_path)


def test_a_store_on_a_shared_file_system_has_no_write_ahead_log(mounts):
    for folder, mode in ((mounts, "wal"), (mounts / "home", "delete")):
        with Store(folder / "s.db", write=True):
            names = {path.name for path in folder.iterdir() if path.name.startswith("s.db")}
            assert ("s.db-shm" in names) == (mode == "wal")
        db = sqlite3.connect(folder / "s.db")
        assert db.execute("PRAGMA journal_mode").fetchone() == (mode,)
        db.close()
