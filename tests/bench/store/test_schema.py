"""Stores of older versions open, and become current ones when they are written."""

import sqlite3

import pytest
from older_store import older

from gmtoolbox.bench.store.schema import SCHEMA_VERSION
from gmtoolbox.bench.store.store import Command, Store
from gmtoolbox.core.errors import InputError

VERSIONS = (1, 2, 3)


def version_of(path):
    return sqlite3.connect(path).execute("PRAGMA user_version").fetchone()[0]


@pytest.mark.parametrize("version", VERSIONS)
def test_older_stores_are_read_and_brought_up_to_date(tmp_path, version):
    path = older(tmp_path / "s.db", version)
    with Store(path) as store:  # reading changes nothing
        (before,) = store.runs()
        assert store.commands() == [] and [run.place for run in store.done()] == [before.place]
    assert version_of(path) == version
    with Store(path, write=True) as store:
        (after,) = store.runs()
        store.add_command(Command("now", "h", "bench", [0.1, 1.0]))
        assert [command.time_limits for command in store.commands()] == [[0.1, 1.0]]
        assert [row.place for row in store.instances()] == [("d", "i", "")]
    assert version_of(path) == SCHEMA_VERSION
    for run in (before, after):
        assert run.key == ("d", "i", "auto", 1, 0) and run.solver == "auto"
        assert run.decided == ({} if version == 3 else None)
        assert run.value == -1.0 and run.time == 0.5 and run.labels.tolist() == [0, 1]
        assert run.gap == (None if version == 1 else 0.0)
        assert run.problem == "" and run.code == ""
    assert before.place == after.place
    stored = sqlite3.connect(path).execute("SELECT identity FROM runs").fetchone()
    assert stored == (after.identity,)


@pytest.mark.parametrize("version", VERSIONS)
def test_older_stores_are_merged(tmp_path, version):
    with Store(older(tmp_path / "old.db", version)) as old, Store() as new:
        new.copy(old)
        assert [run.key for run in new.runs()] == [("d", "i", "auto", 1, 0)]
        assert new.runs()[0].problem == ""


def test_a_store_whose_rows_cannot_be_taken_over_stays_as_it_is(tmp_path):
    path = older(tmp_path / "s.db", 3)
    db = sqlite3.connect(path)
    db.execute("UPDATE runs SET options = 'no JSON'")
    db.commit()
    db.close()
    with pytest.raises(InputError):
        Store(path, write=True)
    assert version_of(path) == 3
    tables = sqlite3.connect(path).execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    assert {name for (name,) in tables} == {"instances", "runs", "commands"}
