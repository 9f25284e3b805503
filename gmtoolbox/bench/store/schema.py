"""The tables of a store, and the way from those of older versions to them."""

import json

from gmtoolbox.bench.store.rows import Run

# 1 had no gap; 2 no variants, no seed in the key, no commands, no sizes; 3 no identity of problems
SCHEMA_VERSION = 4
READABLE = (1, 2, 3, SCHEMA_VERSION)

INSTANCES = """
CREATE TABLE IF NOT EXISTS instances (
    dataset TEXT NOT NULL, instance TEXT NOT NULL,
    position INTEGER NOT NULL,         -- order of the instance in its dataset
    source TEXT NOT NULL,              -- path of the file, '' for a problem given in memory
    n1 INTEGER, n2 INTEGER, n_candidates INTEGER, n_edges INTEGER,
    sense TEXT NOT NULL,               -- 'min' or 'max', of every value and bound
    complete INTEGER NOT NULL,
    optimum REAL, best_known REAL,
    ground_truth TEXT,                 -- JSON: the correct labels of each left node, [] = unknown
    points1 BLOB, points2 BLOB,        -- float64 (n, d), zlib
    sizes TEXT,                        -- many graphs: JSON, the nodes of each; NULL: two graphs
    problem TEXT NOT NULL,             -- fingerprint; '': never loaded, or of an older version
    PRIMARY KEY (dataset, instance, problem)
);
"""
RUNS = """
CREATE TABLE IF NOT EXISTS runs (
    dataset TEXT NOT NULL, instance TEXT NOT NULL,
    method TEXT NOT NULL,              -- name in the tables: of a method, or of a variant of one
    trial INTEGER NOT NULL,
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
    solver TEXT NOT NULL,              -- the method that ran
    decided TEXT,                      -- JSON: options that the method decided itself; NULL:
                                       -- written by an older version, they are among the options
    problem TEXT NOT NULL,             -- fingerprint of the problem; '': unverified
    code TEXT NOT NULL,                -- hash of the code of an own solver, else ''
    identity TEXT NOT NULL,            -- hash of problem, solver, code, options, seed, time_limit
    PRIMARY KEY (identity, dataset, instance, method, trial)
);
"""
COMMANDS = """
CREATE TABLE IF NOT EXISTS commands (
    started TEXT NOT NULL, host TEXT NOT NULL,
    command TEXT NOT NULL,             -- the command as typed
    time_limits TEXT NOT NULL,         -- JSON: the limits that its tables show, seconds
    PRIMARY KEY (started, host, command)
);
"""

# columns that tables of older versions lack, as SQL
MISSING = {
    "instances": {"sizes": "NULL", "problem": "''"},
    "runs": {
        "gap": "NULL", "solver": "method", "decided": "NULL", "problem": "''", "code": "''",
        "identity": "identity_of({solver}, options, seed, time_limit)",
    },
}  # fmt: skip


def prepare(db, version):
    """Make the tables of an empty store, or bring those of an older version up to date, in one
    transaction.
    """
    is_older = version not in (0, SCHEMA_VERSION)
    db.create_function("identity_of", 4, identity_of_unknown, deterministic=True)
    db.execute("BEGIN")
    try:
        for table in MISSING if is_older else ():  # a key cannot be changed in place
            db.execute(f"ALTER TABLE {table} RENAME TO older_{table}")
        for statement in (INSTANCES, RUNS, COMMANDS):
            db.execute(statement)
        for table in MISSING if is_older else ():
            take_over(db, table)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def take_over(db, table):
    """Fill a table with the rows of its older version, which goes away."""
    ours, theirs = (
        [column[0] for column in db.execute(f"SELECT * FROM {name} LIMIT 0").description]
        for name in (table, f"older_{table}")
    )
    source = {**MISSING[table], **{name: name for name in ours if name in theirs}}
    source = {name: said.format(**source) for name, said in source.items()}
    db.execute(
        f"INSERT INTO {table} ({', '.join(source)}) SELECT {', '.join(source.values())}"
        f" FROM older_{table}"
    )
    db.execute(f"DROP TABLE older_{table}")


def identity_of_unknown(solver, options, seed, time_limit):
    """The identity of a run of an older version: its problem is unknown."""
    way = dict(options=json.loads(options), seed=seed, time_limit=time_limit)
    return Run("", "", "", 1, solver=solver, **way).identity
