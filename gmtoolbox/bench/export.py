"""Runs as columns, CSV, HDF5 and .mat, for analysis elsewhere."""

import csv
import io
import json
import math

from gmtoolbox.bench.store.rows import PACKED, RUN_COLUMNS, UNVERIFIED, Run
from gmtoolbox.core.lazy import h5py, np
from gmtoolbox.core.text import spreadsheet
from gmtoolbox.core.values import one_based
from gmtoolbox.io.formats import RUNS, save_file, writer
from gmtoolbox.io.hdf5_memory import hdf5_bytes
from gmtoolbox.io.mat_files import struct_bytes

SCALARS = tuple(name for name in RUN_COLUMNS if name not in PACKED)
NUMBERS = {name for name in SCALARS if Run.__dataclass_fields__[name].type in (int, float)}


def columns(runs):
    """name -> one array per column, without missing values in numbers but NaN, as
    pandas.DataFrame, and from there Parquet, take.
    """
    table = {}
    for name in SCALARS:
        values = [getattr(run, name) for run in runs]
        if name in ("trial", "seed"):
            table[name] = np.array(values, dtype=np.int64)
        elif name in NUMBERS:
            table[name] = np.array(
                [math.nan if value is None else value for value in values], dtype=float
            )
        else:
            table[name] = np.array(
                ["" if value is None else value for value in values], dtype=object
            )
    table["problem"] = np.array([run.problem or UNVERIFIED for run in runs], dtype=object)
    table["options"] = np.array([json.dumps(run.options) for run in runs], dtype=object)
    table["decided"] = np.array([json.dumps(run.decided or {}) for run in runs], dtype=object)
    table["versions"] = np.array([json.dumps(run.versions) for run in runs], dtype=object)
    return table


def runs_csv(runs):
    """One line per run; labels as 0-based numbers separated by blanks, -1 = unmatched."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    table = columns(runs)
    writer.writerow([*table, "labels (0-based)"])
    for k, run in enumerate(runs):
        labels = "" if run.labels is None else " ".join(map(str, run.labels.tolist()))
        writer.writerow([*(cell(column[k]) for column in table.values()), labels])
    return out.getvalue()


def cell(value):
    """Return a value as it appears in a CSV file: all digits, and nothing for NaN."""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(float(value))
    return spreadsheet(value)


def export(runs, path):
    """Write runs to .mat, .csv or .h5; the file appears whole or not at all."""
    save_file(runs, path, holds=RUNS)


@writer(".csv", holds=RUNS)
def csv_bytes(runs):
    """The lines of runs_csv."""
    return runs_csv(runs).encode("utf-8", "backslashreplace")


@writer(".h5", holds=RUNS)
def hdf5_export(runs):
    """Columns as datasets of the group `runs`; traces and labels as groups with one dataset per
    run, named by its number.
    """

    def fill(file):
        group = file.create_group("runs")
        for name, values in columns(runs).items():
            group.create_dataset(
                name, data=values if values.dtype != object else values.astype(h5py.string_dtype())
            )
        for k, run in enumerate(runs):
            file.create_dataset(f"trace/{k}", data=run.trace)
            if run.labels is not None:
                file.create_dataset(f"labels/{k}", data=run.labels).attrs["base"] = 0

    return hdf5_bytes(fill)


@writer(".mat", holds=RUNS)
def mat_bytes(runs):
    """A struct array `runs`, a struct per run; labels 1-based with 0 = unmatched, as everything in
    .mat files.
    """
    return struct_bytes({"runs": [run_record(run) for run in runs]})


def run_record(run):
    """Return one run for MATLAB; a failed one has NaN for its numbers and the reason."""
    known = lambda number: float("nan") if number is None else float(number)
    trace = (
        np.zeros((0, 3))
        if run.trace is None
        else np.column_stack([run.trace[name] for name in run.trace.dtype.names])
    )
    return {
        "dataset": run.dataset,
        "instance": run.instance,
        "method": run.method,
        "trial": run.trial,
        "outcome": run.outcome,
        "reason": run.reason,
        "status": run.status or "",
        "value": known(run.value),
        "bound": known(run.bound),
        "gap": known(run.gap),
        "time": known(run.time),
        "n_iter": known(run.n_iter),
        "labels": np.zeros((0, 0)) if run.labels is None else one_based(run.labels),
        "trace": trace,
        "options": {name: value for name, value in run.options.items() if value is not None},
        "decided": {k: v for k, v in (run.decided or {}).items() if v is not None},
        "solver": run.solver,
        "problem": run.problem or UNVERIFIED,
        "seed": run.seed,
        "time_limit": known(run.time_limit),
        "started": run.started,
        "host": run.host,
    }
