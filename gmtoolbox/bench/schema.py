"""The tables of a store, and the way from those of older versions to them."""

SCHEMA_VERSION = 3  # 1 had no gap; 2 no variants, no seed in the key, no commands, no sizes
READABLE = (1, 2, SCHEMA_VERSION)

INSTANCES = """
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
    sizes TEXT,                        -- many graphs: JSON, the nodes of each; NULL: two graphs
    PRIMARY KEY (dataset, instance)
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
    PRIMARY KEY (dataset, instance, method, trial, seed)
);
"""
COMMANDS = """
CREATE TABLE IF NOT EXISTS commands (
    started TEXT NOT NULL, host TEXT NOT NULL,
    command TEXT NOT NULL,             -- what was typed
    time_limits TEXT NOT NULL,         -- JSON: the limits that its tables show, seconds
    PRIMARY KEY (started, host, command)
);
"""
SCHEMA = f"{INSTANCES}{RUNS}{COMMANDS}PRAGMA user_version = {SCHEMA_VERSION};"


def prepare(db, version):
    """Make the tables of an empty store, or bring those of an older version up to date, in one
    transaction.
    """
    steps = ["BEGIN"]
    if version in (1, 2):  # the key cannot be changed in place
        gap = "gap" if version == 2 else "NULL"
        kept = (
            "dataset, instance, method, trial, outcome, reason, status, value, bound, time, n_iter,"
            " labels, trace, snapshots, options, seed, time_limit, versions, host, cpu, load,"
            " started, wall, memory"
        )
        steps += [
            "ALTER TABLE runs RENAME TO older_runs",
            RUNS.strip().rstrip(";"),
            f"INSERT INTO runs ({kept}, gap, solver) SELECT {kept}, {gap}, method FROM older_runs",
            "DROP TABLE older_runs",
            "ALTER TABLE instances ADD COLUMN sizes TEXT",
        ]
    db.executescript(";\n".join([*steps, SCHEMA, "COMMIT;"]))
