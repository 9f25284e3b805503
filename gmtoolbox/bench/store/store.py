"""The store: one SQLite file that holds every run of a benchmark.

Write-ahead logging (on shared file systems: a plain journal and an exclusive lock), one writer (the
parent of the runs), one transaction per run: a SIGKILL at any moment loses at most the runs under
way. docs/store.md documents the schema for readers with other tools.

A store that was read once is a Loaded, with distinct names for different things. Names are labels
for people: a file that was rewritten, or another one of the same name, is another problem, and a
method whose options were changed is another variant. Tables group by names, so that variants get
different ones here: `a [3f9c21]` and `a [unverified]`, `fm:patience=10`.
"""

import errno
import json
import math
import os
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from gmtoolbox.bench.store.filesystems import is_shared
from gmtoolbox.bench.store.locks import WriterLock
from gmtoolbox.bench.store.rows import (
    RUN_COLUMNS,
    UNVERIFIED,
    Command,
    InstanceRow,
    Run,
    current_instance,
    current_run,
    pack_command,
    pack_instance,
    pack_run,
    unpack_command,
    unpack_instance,
    unpack_run,
    with_identity,
)
from gmtoolbox.bench.store.schema import READABLE, SCHEMA_VERSION, prepare
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.files import Allowance, refuse_errors, replace_file

__all__ = ["Command", "InstanceRow", "Loaded", "Run", "Store"]

IN_MEMORY = 2**50  # bytes: a store of our own making needs no limit
DONE = (
    "dataset", "instance", "method", "trial", "outcome", "reason", "status", "seed", "time_limit",
    "time", "wall", "solver", "problem", "code",
)  # fmt: skip
SHOWN = 6  # digits of a fingerprint that are shown
NAMES = ("dataset", "instance", "method")  # labels: no part of a run's identity
DROP_FAILED = (
    "DELETE FROM runs WHERE problem = '' AND outcome <> 'ok' AND dataset = ? AND instance = ?"
    " AND method = ? AND trial = ? AND seed = ?"
)
DROP_NEVER_LOADED = (
    "DELETE FROM instances WHERE problem = '' AND n1 IS NULL AND dataset = ?1 AND instance = ?2"
    " AND NOT EXISTS (SELECT 1 FROM runs WHERE problem = '' AND dataset = ?1 AND instance = ?2)"
)


def address_of(path, write):
    """(name, options) for sqlite3.connect. A store that is written in parts (WAL) wants files
    next to it even from its readers; if a folder allows none, and no process can be writing, it is
    read as it is.
    """
    if path is None:
        return ":memory:", {}
    log = path.with_name(path.name + "-wal")
    if write or os.access(path.parent, os.W_OK) or log.exists():
        return path, {}
    return f"file:{quote(str(path.absolute()))}?immutable=1", {"uri": True}


@contextmanager
def translate_write_errors(path):
    """Raise the system's error if SQLite cannot write (full disk, deleted folder)."""
    try:
        yield
    except sqlite3.Error as error:
        full = "full" in str(error)
        raise OSError(
            errno.ENOSPC if full else errno.EIO, f"cannot be written: {error}", str(path)
        ) from error
    except UnicodeEncodeError as error:
        raise InputError(f"{path}: a name cannot be stored: {error}") from error


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
        # a view or a trigger would run foreign queries
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
        """Store an InstanceRow in place of an older one of the same name and problem."""
        self._replace("instances", pack_instance(row))

    def add(self, run):
        """Store a run in one transaction, in place of an older one of the same identity and
        names, and of one that failed before its problem was known.
        """
        with self._lock, translate_write_errors(self.path), self._transaction():
            if run.problem:
                self._db.execute(DROP_FAILED, run.key)
                self._db.execute(DROP_NEVER_LOADED, run.key[:2])
            self._insert("runs", pack_run(run))

    def add_name(self, run, key):
        """Store a run that is there under the names of `key`, too."""
        columns = (*RUN_COLUMNS, "identity")
        named = ["?" if name in NAMES else name for name in columns]
        with self._lock, translate_write_errors(self.path):
            self._db.execute(
                f"INSERT OR REPLACE INTO runs ({', '.join(columns)}) SELECT {', '.join(named)}"
                " FROM runs WHERE identity = ? AND dataset = ? AND instance = ? AND method = ?"
                " AND trial = ?",
                (*key[:3], *run.place),
            )

    def add_command(self, command):
        """Record the command and its limits."""
        self._replace("commands", pack_command(command))

    def _replace(self, table, values):
        """Put one row into a table, in a transaction of its own."""
        with self._lock, translate_write_errors(self.path):
            self._insert(table, values)

    @contextmanager
    def _transaction(self):
        """Write everything or nothing inside this context."""
        self._db.execute("BEGIN")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def _insert(self, table, values):
        """Put one row into a table."""
        marks = ", ".join("?" * len(values))
        self._db.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) VALUES ({marks})",
            tuple(values.values()),
        )

    def copy(self, other):
        """Take over everything of another store, in one transaction."""
        other.runs()  # whatever is wrong with them is said before anything is taken over
        rows = [("instances", current_instance(dict(r))) for r in other._select("instances", "1")]
        rows += [("runs", with_identity(current_run(dict(r)))) for r in other._select("runs", "1")]
        rows += [("commands", pack_command(command)) for command in other.commands()]
        known = {(row.dataset, row.instance) for row in self.instances() if row.n1 is not None}
        with self._lock, translate_write_errors(self.path), self._transaction():
            for table, values in rows:
                incomplete = table == "instances" and values["n1"] is None
                if not (incomplete and (values["dataset"], values["instance"]) in known):
                    self._insert(table, values)

    # ---- reading

    def instances(self):
        """Every InstanceRow, dataset by dataset in their order."""
        with self._reading() as allowance:
            rows = self._select("instances", "dataset, position, instance")
            return [unpack_instance(dict(row), allowance) for row in rows]

    def runs(self):
        """Every Run, sorted by key."""
        shapes = {row.place: (row.n1, row.n2) for row in self.instances()}
        with self._reading() as allowance:
            found = []
            for row in self._select("runs", "dataset, instance, method, trial, seed"):
                values = current_run(dict(row))
                place = tuple(values[name] for name in ("dataset", "instance", "problem"))
                found.append(unpack_run(values, allowance, shapes.get(place, (None, None))))
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
        """Return everything, decoded once, with distinct names for different things."""
        return Loaded(self.instances(), self.runs(), self.commands())

    def done(self):
        """Return every Run without its answer, trace and machine, for a batch that is resumed."""
        found = []
        with self._reading():
            for row in self._select("runs", "1"):
                values = current_run(dict(row))
                run = Run(**{name: values[name] for name in DONE})
                run.options = json.loads(values["options"])
                if isinstance(run.options, dict):
                    found.append(run)
        return found

    @contextmanager
    def _reading(self):
        """Return the allowance for the rows; any error of a damaged or foreign file
        becomes a FileFormatError.
        """
        with refuse_errors(self.path, "is a damaged store"):
            # a store may be large, but none of ours expands more than tenfold
            yield Allowance(self.path, self._size() // 10, most=IN_MEMORY)

    def backup(self, path):
        """A consistent copy of the whole store in one plain file."""
        with replace_file(path) as draft, self._lock, translate_write_errors(path):
            copy = sqlite3.connect(draft)
            try:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def _size(self):
        """Return the bytes of the file and of its log."""
        if self.path is None:
            return IN_MEMORY
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def _select(self, table, order):
        """All rows of a table in an order."""
        with self._lock:
            return self._db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()


# ---- a store that was read once


class Loaded:
    """Instances and runs of a store, read as from the store itself.

    shared  {(dataset, instance): names of its problems} if one name has several problems
    """

    def __init__(self, instances, runs, commands=()):
        self._given = instances, runs
        self._commands = list(commands)
        name_of = instance_names(instances, runs)
        self.shared = shared_names(name_of)
        called = variant_names(runs)
        self._instances = [rename_row(row, instance=name_of[row.place]) for row in instances]
        self._runs = [
            rename_row(
                run,
                instance=name_of[run.dataset, run.instance, run.problem],
                method=called[variant_of(run)],
            )
            for run in runs
        ]

    def instances(self):
        """Every InstanceRow."""
        return self._instances

    def runs(self):
        """Every Run."""
        return self._runs

    def commands(self):
        """Every Command."""
        return self._commands

    def only(self, places):
        """The part of it that has the runs at these places, with the instances of those runs."""
        instances, runs = self._given
        runs = [run for run in runs if run.place in places]
        solved = {(run.dataset, run.instance, run.problem) for run in runs}
        return Loaded([row for row in instances if row.place in solved], runs, self._commands)


def rename_row(row, **names):
    """The row, or a copy with other names."""
    is_called_so = all(getattr(row, field) == name for field, name in names.items())
    return row if is_called_so else replace(row, **names)


def instance_names(instances, runs):
    """Return {(dataset, instance, problem): name}: the instance, with its problem if a name has
    several.
    """
    places = {row.place for row in instances}
    places |= {(run.dataset, run.instance, run.problem) for run in runs}
    problems = {}
    for dataset, instance, problem in places:
        problems.setdefault((dataset, instance), []).append(problem)
    found = {}
    for (dataset, instance), several in problems.items():
        for problem in several:
            mark = f" [{problem[:SHOWN] or UNVERIFIED}]" if len(several) > 1 else ""
            found[dataset, instance, problem] = instance + mark
    return found


def shared_names(name_of):
    """{(dataset, instance): new names} of the instances that were renamed."""
    found = {}
    for (dataset, instance, _), name in sorted(name_of.items()):
        if name != instance:
            found.setdefault((dataset, instance), []).append(name)
    return found


def variant_of(run):
    """Return the fields that runs of one name share if they are one variant. Unknown options (an
    older version wrote those that the method decided) make no difference.
    """
    options = None if run.decided is None else json.dumps(run.options, sort_keys=True)
    return run.method, run.solver, run.code, options


def variant_names(runs):
    """Return {variant: name}: the method, with the differences if a name has several."""
    variants = {}
    for run in runs:
        variants.setdefault(run.method, {})[variant_of(run)] = run
    found = {}
    for method, several in variants.items():
        known = {key: run for key, run in several.items() if run.decided is not None}
        found.update(dict.fromkeys(several, method))
        if len(known) > 1:
            found.update({key: f"{method}:{text}" for key, text in differences(known).items()})
    return found


def differences(runs):
    """{key: the options of the run in which it differs from the others, and its solver}."""
    options = [run.options for run in runs.values()]
    names = sorted({name for one in options for name in one})
    differing = [name for name in names if len({json.dumps(one.get(name)) for one in options}) > 1]
    solvers = {(run.solver, run.code[:SHOWN]) for run in runs.values()}
    found = {}
    for key, run in runs.items():
        said = [" ".join((run.solver, run.code[:SHOWN])).strip()] if len(solvers) > 1 else []
        said += [f"{name}={json.dumps(run.options.get(name))}" for name in differing]
        found[key] = ",".join(said)
    return found


def longest(runs):
    """The runs; of those that differ in nothing but their time limit the one with the largest."""
    found = {}
    for run in runs:
        limit = math.inf if run.time_limit is None else run.time_limit
        if run.key not in found or limit > found[run.key][0]:
            found[run.key] = limit, run
    return [run for _, run in found.values()]
