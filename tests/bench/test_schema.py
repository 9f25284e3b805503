"""Stores of older versions open, and become current ones when they are written."""

import json
import sqlite3
import zlib

import pytest

from gmtoolbox.bench.schema import INSTANCES, RUNS, SCHEMA_VERSION
from gmtoolbox.bench.store import Command, Store

SECOND = "\n".join(
    line for line in RUNS.splitlines() if not line.strip().startswith(("solver", "de"))
)
SECOND = SECOND.replace("trial, seed)", "trial)").replace(
    "-- written by an older version, they", "--"
)


def older(path, version):
    """A store as version 1 or 2 of the schema wrote it, with one run of `auto`."""
    runs = SECOND if version == 2 else SECOND.replace("    gap REAL,", "    --")
    db = sqlite3.connect(path)
    instances = INSTANCES.replace("    sizes TEXT,", "    --")
    db.executescript(f"{instances}{runs}PRAGMA user_version = {version};")
    db.execute(
        "INSERT INTO instances VALUES ('d','i',0,'',2,2,4,1,'min',0,NULL,NULL,NULL,NULL,NULL)"
    )
    empty = zlib.compress(b"")
    values = dict(
        dataset="d", instance="i", method="auto", trial=1, outcome="ok", reason="",
        status="optimal", value=-1.0, bound=-1.0, time=0.5, n_iter=3,
        labels=zlib.compress(bytes(8)), trace=empty, snapshots=zlib.compress(bytes(8)),
        options=json.dumps({"run": "aj"}), seed=0, time_limit=1.0, versions="{}", host="h",
        cpu="c", load=0.1, started="then", wall=1.0, memory=9.0,
    )  # fmt: skip
    if version == 2:
        values["gap"] = 0.0
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT INTO runs ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    db.commit()
    db.close()
    return path


@pytest.mark.parametrize("version", [1, 2])
def test_older_stores_are_read_and_brought_up_to_date(tmp_path, version):
    path = older(tmp_path / "s.db", version)
    with Store(path) as store:  # reading changes nothing
        (before,) = store.runs()
        assert store.commands() == [] and list(store.done()) == [before.key]
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (version,)
    with Store(path, write=True) as store:
        (after,) = store.runs()
        store.add_command(Command("now", "h", "bench", [0.1, 1.0]))
        assert [command.time_limits for command in store.commands()] == [[0.1, 1.0]]
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    for run in (before, after):
        assert run.key == ("d", "i", "auto", 1, 0) and run.solver == "auto"
        assert run.decided is None and run.value == -1.0 and run.time == 0.5
        assert run.gap == (0.0 if version == 2 else None)


@pytest.mark.parametrize("version", [1, 2])
def test_older_stores_are_merged(tmp_path, version):
    with Store(older(tmp_path / "old.db", version)) as old, Store() as new:
        new.copy(old)
        assert [run.key for run in new.runs()] == [("d", "i", "auto", 1, 0)]
