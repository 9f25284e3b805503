"""Stores as versions 1 to 3 of their schema wrote them."""

import json
import sqlite3
import zlib

INSTANCES = """
CREATE TABLE instances (
    dataset TEXT NOT NULL, instance TEXT NOT NULL, position INTEGER NOT NULL, source TEXT NOT NULL,
    n1 INTEGER, n2 INTEGER, n_candidates INTEGER, n_edges INTEGER, sense TEXT NOT NULL,
    complete INTEGER NOT NULL, optimum REAL, best_known REAL, ground_truth TEXT,
    points1 BLOB, points2 BLOB{sizes}, PRIMARY KEY (dataset, instance)
);
"""
RUNS = """
CREATE TABLE runs (
    dataset TEXT NOT NULL, instance TEXT NOT NULL, method TEXT NOT NULL, trial INTEGER NOT NULL,
    outcome TEXT NOT NULL, reason TEXT NOT NULL, status TEXT, value REAL, bound REAL, time REAL,
    n_iter INTEGER{gap}, labels BLOB, trace BLOB NOT NULL, snapshots BLOB NOT NULL,
    options TEXT NOT NULL, seed INTEGER NOT NULL, time_limit REAL, versions TEXT NOT NULL,
    host TEXT NOT NULL, cpu TEXT NOT NULL, load REAL, started TEXT NOT NULL, wall REAL,
    memory REAL{solver}, PRIMARY KEY (dataset, instance, method, trial{seed})
);
"""
COMMANDS = """
CREATE TABLE commands (
    started TEXT NOT NULL, host TEXT NOT NULL, command TEXT NOT NULL, time_limits TEXT NOT NULL,
    PRIMARY KEY (started, host, command)
);
"""
PARTS = {  # version: what its tables have more than those of version 1
    1: dict(sizes="", gap="", solver="", seed=""),
    2: dict(sizes="", gap=", gap REAL", solver="", seed=""),
    3: dict(
        sizes=", sizes TEXT",
        gap=", gap REAL",
        solver=", solver TEXT NOT NULL, decided TEXT",
        seed=", seed",
    ),
}


def older(path, version, dataset="d", instance="i", method="auto", options=None, value=-1.0):
    """Write a store with one answered run on a problem of two by two nodes; its path."""
    db = sqlite3.connect(path)
    commands = COMMANDS if version == 3 else ""
    text = (INSTANCES + RUNS).format(**PARTS[version])
    db.executescript(f"{text}{commands}PRAGMA user_version = {version};")
    put(db, "instances", dict(
        dataset=dataset, instance=instance, position=0, source="", n1=2, n2=2, n_candidates=4,
        n_edges=1, sense="min", complete=0,
    ))  # fmt: skip
    values = dict(
        dataset=dataset, instance=instance, method=method, trial=1, outcome="ok", reason="",
        status="optimal", value=value, bound=value, time=0.5, n_iter=3,
        labels=zlib.compress(bytes(4) + b"\1\0\0\0"), trace=zlib.compress(b""),
        snapshots=zlib.compress(bytes(8)), options=json.dumps(options or {"run": "aj"}), seed=0,
        time_limit=1.0, versions="{}", host="h", cpu="c", load=0.1, started="then", wall=1.0,
        memory=9.0,
    )  # fmt: skip
    values |= {} if version == 1 else {"gap": 0.0}
    values |= {"solver": method, "decided": "{}"} if version == 3 else {}
    put(db, "runs", values)
    db.commit()
    db.close()
    return path


def put(db, table, values):
    """Write one row."""
    marks = ", ".join("?" * len(values))
    db.execute(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
    )
