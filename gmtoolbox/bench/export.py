"""Runs as columns, CSV, HDF5 and .mat, for people who analyse them elsewhere."""

import csv
import io
import json
import math
from pathlib import Path

from gmtoolbox.bench.rows import PACKED, RUN_COLUMNS, Run
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import h5py, np
from gmtoolbox.core.one_based import one_based
from gmtoolbox.core.text import spreadsheet
from gmtoolbox.io.files import replacing
from gmtoolbox.io.structs import save_variables

SCALARS = tuple(name for name in RUN_COLUMNS if name not in PACKED)
NUMBERS = {name for name in SCALARS if Run.__dataclass_fields__[name].type in (int, float)}


def columns(runs):
    """name -> one array per column, without missing values in numbers but NaN: what
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
    """What a CSV file shows of a value: all digits, and nothing for NaN."""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(float(value))
    return spreadsheet(value) if isinstance(value, str) else value


def export(runs, path):
    """Write runs to .csv, .h5 or .mat; the file appears whole or not at all."""
    path = Path(path)
    if path.suffix not in WRITERS:
        raise InputError(f"{path}: runs are exported as {', '.join(WRITERS)}")
    with replacing(path) as draft:
        WRITERS[path.suffix](runs, draft)


def write_csv(runs, path):
    """The lines of runs_csv."""
    Path(path).write_text(runs_csv(runs), encoding="utf-8")


def write_hdf5(runs, path):
    """Columns as datasets of the group `runs`; traces and labels as groups with one dataset per
    run, named by its number.
    """
    with h5py.File(path, "w") as file:
        group = file.create_group("runs")
        for name, values in columns(runs).items():
            group.create_dataset(
                name, data=values if values.dtype != object else values.astype(h5py.string_dtype())
            )
        for k, run in enumerate(runs):
            file.create_dataset(f"trace/{k}", data=run.trace)
            if run.labels is not None:
                file.create_dataset(f"labels/{k}", data=run.labels).attrs["base"] = 0


def write_mat(runs, path):
    """A struct array `runs`, a struct per run; labels 1-based with 0 = unmatched, as everything in
    .mat files.
    """
    save_variables(path, {"runs": [run_record(run) for run in runs]})


def run_record(run):
    """One run for MATLAB; a failed one has NaN for its numbers and tells the reason."""
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
        "seed": run.seed,
        "time_limit": known(run.time_limit),
        "started": run.started,
        "host": run.host,
    }


WRITERS = {".csv": write_csv, ".h5": write_hdf5, ".mat": write_mat}
