"""The store: one SQLite file that holds every run of a benchmark.

Write-ahead logging, one writer (the parent of the runs), one transaction per run: a SIGKILL at any
moment loses at most the runs under way. docs/bench.md documents the schema for people who read the
file with other tools.
"""

import errno
import fcntl
import json
import os
import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path

from gmtoolbox.bench.rows import (
    InstanceRow,
    Run,
    pack_instance,
    pack_run,
    unpack_instance,
    unpack_run,
)
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.files import Allowance

__all__ = ["InstanceRow", "Run", "Store"]

SCHEMA_VERSION = 2  # 1 had no gap
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS instances (
    dataset TEXT NOT NULL, instance TEXT NOT NULL,
    position INTEGER NOT NULL,         -- order of the instance in its dataset
    source TEXT NOT NULL,              -- path of the file, '' for a problem given in memory
    n1 INTEGER, n2 INTEGER, n_candidates INTEGER, n_edges INTEGER,
    sense TEXT NOT NULL,               -- 'min' or 'max', of every value and bound
    complete INTEGER NOT NULL,
    optimum REAL, best_known REAL,
    ground_truth TEXT,                 -- JSON: per left node the list of right labels, [] = unknown
    points1 BLOB, points2 BLOB,        -- float64 (n, d), zlib
    PRIMARY KEY (dataset, instance)
);
CREATE TABLE IF NOT EXISTS runs (
    dataset TEXT NOT NULL, instance TEXT NOT NULL, method TEXT NOT NULL, trial INTEGER NOT NULL,
    outcome TEXT NOT NULL,             -- 'ok', 'error', 'crash', 'timeout', 'memory'
    reason TEXT NOT NULL,              -- why, for every outcome but 'ok'
    status TEXT, value REAL, bound REAL, time REAL, n_iter INTEGER,
    gap REAL,                          -- as the solver decided it, from costs without the offset
    labels BLOB,                       -- int32 (n1), zlib; -1 = unmatched
    trace BLOB NOT NULL,               -- float64 (k, 3): time, value, bound; zlib
    snapshots BLOB NOT NULL,           -- labels known at the time limits:
                                       -- float64 times (k), int32 labels (k, n1); zlib
    options TEXT NOT NULL, seed INTEGER NOT NULL, time_limit REAL,
    versions TEXT NOT NULL, host TEXT NOT NULL, cpu TEXT NOT NULL, load REAL,
    started TEXT NOT NULL, wall REAL, memory REAL,
    PRIMARY KEY (dataset, instance, method, trial)
);
PRAGMA user_version = {SCHEMA_VERSION};
"""


IN_MEMORY = 2**50  # bytes: a store of our own making needs no limit
DONE = (
    "dataset", "instance", "method", "trial", "outcome", "reason", "status", "seed", "time_limit",
)  # fmt: skip


class Store:
    """Runs and instances in a file (or in memory, path None). A store opened with write=True is
    locked for others.
    """

    def __init__(self, path=None, write=False):
        self.path = None if path is None else Path(path)
        self._lock, self._guard = threading.Lock(), None
        if self.path is not None and write:
            self._guard = lock_file(self.path)
        elif self.path is not None and not self.path.is_file():
            raise InputError(f"{self.path}: no such store")
        self._db = None
        try:
            self._db = sqlite3.connect(
                self.path or ":memory:", check_same_thread=False, isolation_level=None, timeout=30
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
        if version not in (0, 1, SCHEMA_VERSION) or (version == 0 and tables):
            raise InputError(
                f"{self.path}: is no benchmark store of schema {SCHEMA_VERSION} (it says {version})"
            )
        if write:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            if version == 1:
                self._db.execute("ALTER TABLE runs ADD COLUMN gap REAL")
            self._db.executescript(f"BEGIN;{SCHEMA}COMMIT;")
        elif version == 0:
            raise InputError(f"{self.path}: is an empty file, no benchmark store")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._db is not None:
            self._db.close()
        if self._guard is not None:
            self._guard.close()

    # ---- writing

    def add_instance(self, row):
        self._replace("instances", pack_instance(row))

    def add(self, run):
        """Store a run in one transaction, in place of an older one of the same key."""
        self._replace("runs", pack_run(run))

    def _replace(self, table, values):
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
        marks = ", ".join("?" * len(values))
        self._db.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) VALUES ({marks})",
            tuple(values.values()),
        )

    def copy(self, other):
        """Take over everything of another store, in one transaction."""
        rows = [
            (table, dict(row))
            for table in ("instances", "runs")
            for row in other._select(table, "1, 2")
        ]
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
            for row in self._select("runs", "dataset, instance, method, trial"):
                shape = shapes.get((row["dataset"], row["instance"]), (None, None))
                found.append(unpack_run(dict(row), allowance, shape))
            return found

    def loaded(self):
        """Everything, decoded once, for those who look at it several times."""
        return Loaded(self.instances(), self.runs())

    def done(self):
        """key -> Run without its answer, trace and machine: what a resumed batch need not
        repeat.
        """
        nothing = dict.fromkeys(("value", "bound", "time", "n_iter", "labels"))
        with self._reading():
            runs = [
                Run(**{**{name: row[name] for name in DONE}, **nothing, "options": options})
                for row in self._select("runs", "1")
                if isinstance(options := json.loads(row["options"]), dict)
            ]
        return {run.key: run for run in runs}

    @contextmanager
    def _reading(self):
        """The allowance for what the rows expand to; whatever a damaged or foreign file trips over
        becomes a FileFormatError.
        """
        try:
            # a store may be large, but none of ours expands more than tenfold
            yield Allowance(self.path, self._size() // 10, most=IN_MEMORY)
        except FileFormatError:
            raise
        except Exception as error:  # a broken store trips over whichever rule it breaks first
            raise FileFormatError(
                self.path, f"is a damaged store: {type(error).__name__}: {error}"
            ) from error

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
        with self._lock:
            return self._db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()


class Loaded:
    """Instances and runs of a store, read as from the store itself."""

    def __init__(self, instances, runs):
        self._instances, self._runs = instances, runs

    def instances(self):
        return self._instances

    def runs(self):
        return self._runs


def lock_file(path):
    """An open file whose lock says that this process writes the store."""
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    name = path.with_name(path.name + ".lock")
    try:  # neither emptied nor followed, whatever it is
        guard = os.fdopen(os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+b")
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{name}: is a symbolic link, it must be a plain file") from None
        raise
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        guard.close()
        raise InputError(f"{path}: another benchmark is writing to this store") from None
    return guard
