"""The rows of a store, and the way between them and the file: every value is checked on the way in.

A store may come from a stranger. SQLite accepts a text in a column of numbers, so each column is
checked for its type here, and the other modules need not check again.
"""

import json
import math
import zlib
from dataclasses import dataclass, field

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.fingerprint import hash_of
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.io.files import inflate


@dataclass
class InstanceRow:
    """One problem of a dataset, with the known facts about its answer."""

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
    sizes: list = None  # many graphs: the nodes of each (see many_graphs.py)
    problem: str = ""  # its fingerprint; '': never loaded, or written by an older version

    @property
    def place(self):
        """The key of the row."""
        return self.dataset, self.instance, self.problem


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
    solver: str = ""  # the method that ran, if `method` is the name of a variant
    decided: dict = field(default_factory=dict)  # options that it decided itself; None: unknown
    problem: str = ""  # fingerprint of the problem; '': unverified
    code: str = ""  # hash of the code of a solver of the user's own

    def __post_init__(self):
        self.solver = self.solver or self.method

    @property
    def key(self):
        """The names under which people find the run, its trial and its seed."""
        return self.dataset, self.instance, self.method, self.trial, self.seed

    @property
    def way(self):
        """How the run was made, whatever it solved: all of its identity but problem and limit, and
        the trial.
        """
        return way_of(self.solver, self.code, self.options, self.seed, self.trial)

    @property
    def identity(self):
        """The hash of problem, method, options, seed and limit."""
        return hash_of(self.problem, *self.way[:-1], limit_digits(self.time_limit))

    @property
    def place(self):
        """The key of the run's row, unique in a store."""
        return self.identity, *self.key[:4]

    def serves(self, time_limit, reads_off=False):
        """Whether this run answers for a time limit: it had the same, or ended by itself within it.

        reads_off  the answer is read off the trace: more time serves, too
        """
        if time_limit == self.time_limit:
            return True
        if self.status in ENDED_BY_ITSELF and (time_limit is None or self.time <= time_limit):
            return True
        longer = self.time_limit is None or time_limit is not None and time_limit < self.time_limit
        return reads_off and longer


def way_of(solver, code, options, seed, trial):
    """Return the values that two runs of one problem must share to be trials of one run."""
    return solver, code, json.dumps(options, sort_keys=True), seed, trial


def limit_digits(time_limit):
    """A time limit as a part of an identity: all digits, the same for 1 and 1.0."""
    return None if time_limit is None else float(time_limit).hex()


@dataclass
class Command:
    """One call of the benchmark: command, time, host, and the limits that its tables show."""

    started: str
    host: str
    command: str
    time_limits: list = field(default_factory=list)


ENDED_BY_ITSELF = ("optimal", "converged", "breakdown")
UNVERIFIED = "unverified"  # the problem of a run whose problem was not kept
OUTCOMES = ("ok", "error", "crash", "timeout", "memory")
ANSWER = ("status", "value", "bound", "time")  # fields of a run with outcome 'ok'
INSTANCE_COLUMNS = tuple(InstanceRow.__dataclass_fields__)
RUN_COLUMNS = tuple(Run.__dataclass_fields__)
PACKED = (
    "labels",
    "trace",
    "snapshots",
    "options",
    "versions",
    "decided",
    "ground_truth",
    "points1",
    "points2",
    "sizes",
)
NEVER_MISSING = {
    name
    for columns in (InstanceRow, Run)
    for name, column in columns.__dataclass_fields__.items()
    if column.default is not None
}
LARGEST = {"n1": 2**31, "n2": 2**31, "n_candidates": 2**31, "n_edges": 2**62}


# ---- into the file


def pack_instance(row):
    """{column: value for SQLite} of an InstanceRow."""
    values = {name: getattr(row, name) for name in INSTANCE_COLUMNS}
    values["complete"] = int(row.complete)
    values["ground_truth"] = None if row.ground_truth is None else json.dumps(row.ground_truth)
    values["points1"], values["points2"] = pack_points(row.points1), pack_points(row.points2)
    values["sizes"] = None if row.sizes is None else json.dumps(row.sizes)
    return values


def pack_run(run):
    """{column: value for SQLite} of a Run."""
    values = {name: getattr(run, name) for name in RUN_COLUMNS}
    values["labels"] = None if run.labels is None else pack(np.asarray(run.labels, np.int32))
    trace = np.zeros(0, trace_dtype()) if run.trace is None else run.trace
    values["trace"] = pack(np.column_stack([trace[name] for name in ("time", "value", "bound")]))
    values["snapshots"] = pack_snapshots(run.snapshots)
    values["options"], values["versions"] = json.dumps(run.options), json.dumps(run.versions)
    values["decided"] = None if run.decided is None else json.dumps(run.decided)
    values["identity"] = run.identity
    return values


def pack_command(command):
    """{column: value for SQLite} of a Command."""
    return {
        "started": command.started,
        "host": command.host,
        "command": command.command,
        "time_limits": json.dumps(list(command.time_limits)),
    }


def pack(array):
    """The bytes of an array, compressed."""
    return zlib.compress(np.ascontiguousarray(array).tobytes())


def pack_points(points):
    """Points carry their dimension in front: they are (n, d)."""
    if points is None:
        return None
    return pack(np.concatenate([[float(np.shape(points)[1])], np.ravel(points)]))


def pack_snapshots(snapshots):
    """Their number, all times, all labels, compressed."""
    times = np.array([time for time, _ in snapshots], dtype=np.float64)
    labels = np.array([labels for _, labels in snapshots], dtype=np.int32)
    return zlib.compress(np.int64(len(times)).tobytes() + times.tobytes() + labels.tobytes())


# ---- out of the file


def unpack_instance(values, allowance):
    """The InstanceRow of a row's columns; InputError names the one that is wrong."""
    values = check_columns(current_instance(values), InstanceRow)
    values["complete"] = bool(values["complete"])
    if values["sense"] not in ("min", "max"):
        raise InputError(f"sense must be 'min' or 'max', is {values['sense']!r}")
    for name, limit in LARGEST.items():
        if values[name] is not None and not 0 <= values[name] < limit:
            raise InputError(f"{name} is {values[name]}")
    n1, n2 = values["n1"], values["n2"]
    if values["ground_truth"] is not None:
        values["ground_truth"] = check_truth(json.loads(values["ground_truth"]), n1)
    if values["sizes"] is not None:
        values["sizes"] = check_graph_sizes(json.loads(values["sizes"]), n1)
    for name, n in (("points1", n1), ("points2", n2)):
        values[name] = unpack_points(values[name], n, allowance, name)
    return InstanceRow(**values)


def current_instance(values):
    """Return the columns of an instance, with those that older schemas lack."""
    values = {"sizes": None, "problem": "", **values}
    return {name: values.get(name) for name in INSTANCE_COLUMNS}


def current_run(values):
    """Return the columns of a run, with those that older schemas lack."""
    added = {"gap": None, "solver": values["method"], "decided": None, "problem": "", "code": ""}
    values = {**added, **values}
    return {name: values.get(name) for name in RUN_COLUMNS}


def with_identity(values):
    """The columns of a run for SQLite: those of current_run and the identity."""
    known = {name: values[name] for name in ("problem", "solver", "code", "seed", "time_limit")}
    run = Run("", "", "", 1, options=json.loads(values["options"]), **known)
    return {**values, "identity": run.identity}


def unpack_run(values, allowance, shape=(None, None)):
    """The Run of a row's columns, on an instance of that shape."""
    values = check_columns(current_run(values), Run)
    if values["outcome"] not in OUTCOMES:
        raise InputError(f"outcome must be one of {' '.join(OUTCOMES)}, is {values['outcome']!r}")
    if values["outcome"] == "ok":
        for name in ANSWER:
            if values[name] is None:
                raise InputError(f"an answered run must have {name}")
        if values["status"] == "optimal" and math.isinf(values["bound"]):
            raise InputError("a run with the status 'optimal' must have a bound")
    if values["labels"] is not None:
        labels = np.frombuffer(inflate(values["labels"], allowance, "labels"), np.int32).copy()
        values["labels"] = check_row_labels(labels, shape)
    table = np.frombuffer(inflate(values["trace"], allowance, "trace"), np.float64).reshape(-1, 3)
    if np.isnan(table).any():
        raise InputError("trace holds NaN")
    trace = np.zeros(len(table), trace_dtype())
    for k, name in enumerate(("time", "value", "bound")):
        trace[name] = table[:, k]
    values["trace"] = trace
    values["snapshots"] = unpack_snapshots(values["snapshots"], allowance, shape)
    for name in ("options", "versions", "decided"):
        values[name] = None if values[name] is None else json.loads(values[name])
        unknown = name == "decided" and values[name] is None
        if not (unknown or isinstance(values[name], dict)):
            raise InputError(f"{name} must be a JSON object")
    return Run(**values)


def unpack_command(values):
    """The Command of a row's columns."""
    values = {name: values.get(name) for name in Command.__dataclass_fields__}
    for name, value in values.items():
        expect(name, value, str, "a text")
    limits = json.loads(values["time_limits"])
    good = isinstance(limits, list) and all(
        type(limit) in (int, float) and math.isfinite(limit) and limit > 0 for limit in limits
    )
    if not good:
        raise InputError("time_limits must hold a list of positive numbers")
    return Command(**{**values, "time_limits": [float(limit) for limit in limits]})


def check_columns(values, kind):
    """The columns that a row class has, each held against the type it is annotated with."""
    found = {}
    for name, column in kind.__dataclass_fields__.items():
        value = found[name] = values.get(name)
        if value is None:
            if name in NEVER_MISSING and name != "decided" and not (kind is Run and name in ANSWER):
                raise InputError(f"column {name} is missing")
        elif name in ("ground_truth", "options", "versions", "decided", "sizes"):
            expect(name, value, str, "JSON")
        elif name in PACKED:
            expect(name, value, bytes, "bytes")
        elif column.type is str:
            expect(name, value, str, "a text")
        elif column.type in (int, bool):
            expect(name, value, int, "a whole number")
        else:
            expect(name, value, (int, float), "a number")
            found[name] = float(value)
            if math.isnan(value):
                raise InputError(f"column {name} holds NaN")
    return found


def expect(name, value, kind, shown):
    """InputError unless a column's value has this kind; `shown` names the kind."""
    if not isinstance(value, kind):
        raise InputError(f"column {name} must hold {shown}, got {type(value).__name__}")


def check_graph_sizes(sizes, n1):
    """The nodes of each of many graphs, n1 in all."""
    good = isinstance(sizes, list) and all(type(n) is int and n >= 0 for n in sizes)
    if not good or len(sizes) < 2 or sum(sizes) != n1:
        raise InputError(f"sizes must hold the nodes of at least two graphs, n1 = {n1} in all")
    return sizes


def check_truth(truth, n1):
    """The list of true labels of each left node."""
    good = isinstance(truth, list) and all(
        isinstance(labels, list) and all(type(label) is int for label in labels) for labels in truth
    )
    if not good or n1 is not None and len(truth) != n1:
        raise InputError("ground_truth must hold a list of labels for each left node")
    return truth


def check_row_labels(labels, shape):
    """Return the labels, each -1 or a right node of the shape if that is known."""
    n1, n2 = shape
    if n1 is not None and len(labels) != n1 or len(labels) and labels.min() < -1:
        raise InputError(f"labels must hold n1 = {n1} numbers of at least -1")
    if n2 is not None and len(labels) and labels.max() >= n2:
        raise InputError(f"labels must lie below n2 = {n2}, got {labels.max()}")
    return labels


def unpack_points(blob, n, allowance, name):
    """Return the (n, d) points of packed bytes; None for None."""
    if blob is None:
        return None
    dimension, *_ = values = np.frombuffer(inflate(blob, allowance, name), np.float64)
    points = values[1:].reshape(-1, int(dimension)).copy()
    if n is not None and len(points) != n:
        raise InputError(f"{name} must hold {n} points, got {len(points)}")
    return points


def unpack_snapshots(blob, allowance, shape):
    """Return [(time, labels)] of packed bytes."""
    content = inflate(blob, allowance, "snapshots")
    count = int(np.frombuffer(content[:8], np.int64)[0])
    if not 0 <= 8 * count <= len(content) - 8:
        raise InputError(f"snapshots claims {count} times in {len(content)} bytes")
    times = np.frombuffer(content[8 : 8 + 8 * count], np.float64)
    labels = np.frombuffer(content[8 + 8 * count :], np.int32).reshape(count, -1) if count else ()
    return [
        (float(time), check_row_labels(row.copy(), shape))
        for time, row in zip(times, labels, strict=True)
    ]
