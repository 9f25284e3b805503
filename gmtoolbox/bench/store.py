"""The store: one SQLite file that holds every run of a benchmark.

Write-ahead logging, one writer (the parent of the runs), one transaction per run: a SIGKILL at any
moment loses at most the runs under way. docs/bench.md documents the schema for people who read the
file with other tools.
"""

import fcntl
import json
import sqlite3
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype

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


@dataclass
class InstanceRow:
    """One problem of a dataset, with what is known about its answer."""

    dataset: str
    instance: str
    position: int = 0
    source: str = ""
    n1: int = None
    n2: int = None
    n_candidates: int = None
    n_edges: int = None
    sense: str = "min"
    complete: bool = False
    optimum: float = None
    best_known: float = None
    ground_truth: list = None
    points1: object = None
    points2: object = None


@dataclass
class Run:
    """One run of one method on one instance: its answer, or why there is none, and everything about
    how it was made.
    """

    dataset: str
    instance: str
    method: str
    trial: int
    outcome: str = "ok"
    reason: str = ""
    status: str = None
    value: float = None
    bound: float = None
    gap: float = None
    time: float = None
    n_iter: int = None
    labels: object = None
    trace: object = None
    snapshots: list = field(default_factory=list)  # (time, labels), ascending
    options: dict = field(default_factory=dict)
    seed: int = 0
    time_limit: float = None
    versions: dict = field(default_factory=dict)
    host: str = ""
    cpu: str = ""
    load: float = None
    started: str = ""
    wall: float = None
    memory: float = None

    @property
    def key(self):
        return self.dataset, self.instance, self.method, self.trial

    def serves(self, time_limit):
        """Whether this run answers for a time limit: it was given as much, or ended by itself
        before.
        """
        return (
            self.time_limit is None
            or (time_limit is not None and time_limit <= self.time_limit)
            or self.status in FINISHED
        )


FINISHED = ("optimal", "converged", "breakdown")
INSTANCE_COLUMNS = tuple(InstanceRow.__dataclass_fields__)
RUN_COLUMNS = tuple(Run.__dataclass_fields__)


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
        self._db = sqlite3.connect(
            self.path or ":memory:", check_same_thread=False, isolation_level=None, timeout=30
        )
        self._db.row_factory = sqlite3.Row
        try:
            self._prepare(write or path is None)
        except sqlite3.DatabaseError as error:
            self.close()
            raise InputError(f"{self.path}: is no benchmark store: {error}") from error
        except InputError:
            self.close()
            raise

    def _prepare(self, write):
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
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
        self._db.close()
        if self._guard is not None:
            self._guard.close()

    # ---- writing

    def add_instance(self, row):
        values = {name: getattr(row, name) for name in INSTANCE_COLUMNS}
        values["complete"] = int(row.complete)
        values["ground_truth"] = None if row.ground_truth is None else json.dumps(row.ground_truth)
        values["points1"], values["points2"] = pack_points(row.points1), pack_points(row.points2)
        self._replace("instances", values)

    def add(self, run):
        """Store a run in one transaction, in place of an older one of the same key."""
        values = {name: getattr(run, name) for name in RUN_COLUMNS}
        values["labels"] = None if run.labels is None else pack(np.asarray(run.labels, np.int32))
        trace = np.zeros(0, trace_dtype()) if run.trace is None else run.trace
        values["trace"] = pack(
            np.column_stack([trace[name] for name in ("time", "value", "bound")])
        )
        values["snapshots"] = pack_snapshots(run.snapshots)
        values["options"], values["versions"] = json.dumps(run.options), json.dumps(run.versions)
        self._replace("runs", values)

    def _replace(self, table, values):
        with self._lock:
            self._insert(table, values)

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
        with self._lock:
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
        rows = self._select("instances", "dataset, position, instance")
        return [unpack_instance(row) for row in rows]

    def runs(self):
        """Every Run, sorted by key."""
        return [unpack_run(row) for row in self._select("runs", "dataset, instance, method, trial")]

    def loaded(self):
        """Everything, decoded once, for those who look at it several times."""
        return Loaded(self.instances(), self.runs())

    def done(self):
        """key -> Run without its answer, trace and machine: what a resumed batch need not
        repeat.
        """
        columns = (
            "dataset",
            "instance",
            "method",
            "trial",
            "outcome",
            "reason",
            "status",
            "seed",
            "time_limit",
            "options",
        )
        with self._lock:
            rows = self._db.execute(f"SELECT {', '.join(columns)} FROM runs").fetchall()
        runs = [Run(**{**dict(row), "options": json.loads(row["options"])}) for row in rows]
        return {run.key: run for run in runs}

    def backup(self, path):
        """A consistent copy of the whole store in one plain file."""
        with sqlite3.connect(path) as copy, self._lock:
            self._db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.close()

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
    guard = open(path.with_name(path.name + ".lock"), "w")  # noqa: SIM115 - held until the store is closed
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        guard.close()
        raise InputError(f"{path}: another benchmark is writing to this store") from None
    return guard


# ---- blobs


def pack(array):
    return zlib.compress(np.ascontiguousarray(array).tobytes())


def unpack(blob, dtype):
    return np.frombuffer(zlib.decompress(blob), dtype=dtype).copy()


def pack_points(points):
    """Points carry their dimension in front: they are (n, d)."""
    return (
        None
        if points is None
        else pack(np.concatenate([[float(np.shape(points)[1])], np.ravel(points)]))
    )


def unpack_points(blob):
    if blob is None:
        return None
    dimension, *_ = values = unpack(blob, np.float64)
    return values[1:].reshape(-1, int(dimension))


def pack_snapshots(snapshots):
    times = np.array([time for time, _ in snapshots], dtype=np.float64)
    labels = np.array([labels for _, labels in snapshots], dtype=np.int32)
    return zlib.compress(np.int64(len(times)).tobytes() + times.tobytes() + labels.tobytes())


def unpack_snapshots(blob):
    content = zlib.decompress(blob)
    count = int(np.frombuffer(content[:8], np.int64)[0])
    times = np.frombuffer(content[8 : 8 + 8 * count], np.float64)
    labels = np.frombuffer(content[8 + 8 * count :], np.int32).reshape(count, -1) if count else ()
    return [(float(time), row.copy()) for time, row in zip(times, labels, strict=True)]


def unpack_instance(row):
    values = dict(row)
    values["complete"] = bool(values["complete"])
    values["ground_truth"] = (
        None if values["ground_truth"] is None else json.loads(values["ground_truth"])
    )
    values["points1"], values["points2"] = (
        unpack_points(values["points1"]),
        unpack_points(values["points2"]),
    )
    return InstanceRow(**values)


def unpack_run(row):
    values = dict(row)
    values["labels"] = None if values["labels"] is None else unpack(values["labels"], np.int32)
    table = unpack(values["trace"], np.float64).reshape(-1, 3)
    trace = np.zeros(len(table), trace_dtype())
    for k, name in enumerate(("time", "value", "bound")):
        trace[name] = table[:, k]
    values["trace"] = trace
    values["snapshots"] = unpack_snapshots(values["snapshots"])
    values["options"], values["versions"] = (
        json.loads(values["options"]),
        json.loads(values["versions"]),
    )
    return Run(**values)
