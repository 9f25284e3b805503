"""The store: one SQLite file that holds every run of a benchmark.

Write-ahead logging (on shared file systems: a plain journal and an exclusive lock), one writer (the
parent of the runs), one transaction per run: a SIGKILL at any moment loses at most the runs under
way. docs/bench.md documents the schema for people who read the file with other tools.
"""

import errno
import json
import os
import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from gmtoolbox.bench.filesystems import is_shared
from gmtoolbox.bench.locks import WriterLock
from gmtoolbox.bench.rows import (
    Command,
    InstanceRow,
    Run,
    current_run,
    pack_command,
    pack_instance,
    pack_run,
    unpack_command,
    unpack_instance,
    unpack_run,
)
from gmtoolbox.bench.schema import READABLE, SCHEMA_VERSION, prepare
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.files import Allowance, refusing

__all__ = ["Command", "InstanceRow", "Run", "Store"]

IN_MEMORY = 2**50  # bytes: a store of our own making needs no limit
DONE = (
    "dataset", "instance", "method", "trial", "outcome", "reason", "status", "seed", "time_limit",
    "wall",
)  # fmt: skip


def address_of(path, write):
    """(name, options) for sqlite3.connect. A store that is written in parts (WAL) wants files
    beside it even from its readers; where a folder allows none, and nobody can be writing, it is
    read as it is.
    """
    if path is None:
        return ":memory:", {}
    log = path.with_name(path.name + "-wal")
    if write or os.access(path.parent, os.W_OK) or log.exists():
        return path, {}
    return f"file:{quote(str(path.absolute()))}?immutable=1", {"uri": True}


class Store:
    """Runs and instances in a file (or in memory, path None). A store opened with write=True is
    locked for others.
    """

    def __init__(self, path=None, write=False):
        self.path = None if path is None else Path(path)
        self._lock, self._guard = threading.Lock(), None
        if self.path is not None and write:
            self._guard = WriterLock(self.path)
        elif self.path is not None and not self.path.is_file():
            raise InputError(f"{self.path}: no such store")
        self._db = None
        try:
            address, options = address_of(self.path, write)
            self._db = sqlite3.connect(
                address, check_same_thread=False, isolation_level=None, timeout=30, **options
            )
            self._db.row_factory = sqlite3.Row
            self._prepare(write or path is None)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # its own messages can be damaged, too
            self.close()
            raise FileFormatError(self.path, f"is no benchmark store: {error}") from error
        except InputError:
            self.close()
            raise

    def _prepare(self, write):
        """Check that the file is a store and, to write, bring its tables up to date."""
        self._db.execute("PRAGMA trusted_schema = OFF")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        # a view or a trigger would run somebody else's queries
        foreign = self._db.execute(
            "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
            " OR sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '%GENERATED%' LIMIT 1"
        ).fetchone()
        if foreign is not None:
            raise InputError(f"{self.path}: holds {foreign[0]!r}, which is no plain table")
        if version not in (0, *READABLE) or (version == 0 and tables):
            raise InputError(
                f"{self.path}: is no benchmark store of schema {SCHEMA_VERSION} (it says {version})"
            )
        if write:
            if self.path is not None and is_shared(self.path):
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # one computer at a time
                self._db.execute("PRAGMA journal_mode = DELETE")
            else:
                self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            prepare(self._db, version)
        elif version == 0:
            raise InputError(f"{self.path}: is an empty file, no benchmark store")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close the file and give the lock back."""
        if self._db is not None:
            self._db.close()
        if self._guard is not None:
            self._guard.close()

    # ---- writing

    def add_instance(self, row):
        """Store an InstanceRow in place of an older one of the same name."""
        self._replace("instances", pack_instance(row))

    def add(self, run):
        """Store a run in one transaction, in place of an older one of the same key."""
        self._replace("runs", pack_run(run))

    def add_command(self, command):
        """Remember what was typed, and with which limits."""
        self._replace("commands", pack_command(command))

    def _replace(self, table, values):
        """Put one row into a table, in a transaction of its own."""
        with self._lock, self._writing():
            self._insert(table, values)

    @contextmanager
    def _writing(self):
        """What SQLite cannot write (the disk is full, the folder is gone) is the system's error."""
        try:
            yield
        except sqlite3.Error as error:
            full = "full" in str(error)
            raise OSError(
                errno.ENOSPC if full else errno.EIO, f"cannot be written: {error}", str(self.path)
            ) from error
        except UnicodeEncodeError as error:
            raise InputError(f"{self.path}: a name cannot be stored: {error}") from error

    def _insert(self, table, values):
        """Put one row into a table."""
        marks = ", ".join("?" * len(values))
        self._db.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) VALUES ({marks})",
            tuple(values.values()),
        )

    def copy(self, other):
        """Take over everything of another store, in one transaction."""
        rows = [("instances", dict(row)) for row in other._select("instances", "1, 2")]
        rows += [("runs", current_run(dict(row))) for row in other._select("runs", "1, 2")]
        rows += [("commands", pack_command(command)) for command in other.commands()]
        known = {(row.dataset, row.instance) for row in self.instances() if row.n1 is not None}
        other.runs()  # whatever is wrong with them is said before anything is taken over
        with self._lock, self._writing():
            self._db.execute("BEGIN")
            try:
                for table, values in rows:
                    incomplete = table == "instances" and values["n1"] is None
                    if not (incomplete and (values["dataset"], values["instance"]) in known):
                        self._insert(table, values)
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    # ---- reading

    def instances(self):
        """Every InstanceRow, dataset by dataset in their order."""
        with self._reading() as allowance:
            rows = self._select("instances", "dataset, position, instance")
            return [unpack_instance(dict(row), allowance) for row in rows]

    def runs(self):
        """Every Run, sorted by key."""
        shapes = {(row.dataset, row.instance): (row.n1, row.n2) for row in self.instances()}
        with self._reading() as allowance:
            found = []
            for row in self._select("runs", "dataset, instance, method, trial, seed"):
                shape = shapes.get((row["dataset"], row["instance"]), (None, None))
                found.append(unpack_run(dict(row), allowance, shape))
            return found

    def commands(self):
        """Every Command that wrote runs here, the oldest first; none in older stores."""
        with self._reading():
            there = self._db.execute(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'commands'"
            ).fetchone()
            rows = self._select("commands", "started, host, command") if there else ()
            return [unpack_command(dict(row)) for row in rows]

    def loaded(self):
        """Everything, decoded once, for those who look at it several times."""
        return Loaded(self.instances(), self.runs(), self.commands())

    def done(self):
        """key -> Run without its answer, trace and machine: what a resumed batch need not
        repeat.
        """
        found = {}
        with self._reading():
            for row in self._select("runs", "1"):
                values = current_run(dict(row))
                packed = {name: values[name] for name in ("options", "decided")}
                run = Run(**{name: values[name] for name in DONE}, solver=values["solver"])
                run.options, run.decided = (text and json.loads(text) for text in packed.values())
                if isinstance(run.options, dict):
                    found[run.key] = run
        return found

    @contextmanager
    def _reading(self):
        """The allowance for what the rows expand to; whatever a damaged or foreign file trips over
        becomes a FileFormatError.
        """
        with refusing(self.path, "is a damaged store"):
            # a store may be large, but none of ours expands more than tenfold
            yield Allowance(self.path, self._size() // 10, most=IN_MEMORY)

    def backup(self, path):
        """A consistent copy of the whole store in one plain file."""
        with sqlite3.connect(path) as copy, self._lock:
            self._db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.close()

    def _size(self):
        """Bytes of the file and of what is not yet in it."""
        if self.path is None:
            return IN_MEMORY
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def _select(self, table, order):
        """All rows of a table in an order."""
        with self._lock:
            return self._db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()


class Loaded:
    """Instances and runs of a store, read as from the store itself."""

    def __init__(self, instances, runs, commands=()):
        self._instances, self._runs, self._commands = instances, runs, list(commands)

    def instances(self):
        """Every InstanceRow."""
        return self._instances

    def runs(self):
        """Every Run."""
        return self._runs

    def commands(self):
        """Every Command."""
        return self._commands

    def only(self, asked):
        """The part of it that `asked(key)` is true for, with the instances of those runs."""
        runs = [run for run in self._runs if asked(run.key)]
        names = {run.key[:2] for run in runs}
        rows = [row for row in self._instances if (row.dataset, row.instance) in names]
        return Loaded(rows, runs, self._commands)
