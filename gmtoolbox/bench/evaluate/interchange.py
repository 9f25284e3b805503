"""The study's own files: its published results, and its JSON file per run."""

import json
import math
import re
from pathlib import Path

from gmtoolbox.bench.evaluate.evaluation import (
    Cell,
    EvaluatedInstance,
    RunEvaluation,
    in_table_order,
)
from gmtoolbox.bench.evaluate.profiles import StepFunction
from gmtoolbox.bench.store.rows import InstanceRow, Run, pack_run, unpack_run
from gmtoolbox.bench.store.store import longest
from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.text import file_name
from gmtoolbox.io.files import Allowance, read_bytes, write_bytes

# Errors of a file whose JSON has another form
BROKEN = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError)


def read_published(path):
    """Return (RunEvaluation without times, {dataset or 'all': list of StepFunction}) of the study's
    published results.json[.gz].
    """
    try:
        data = json.loads(read_bytes(path)[:-1])
        limits = [float(limit) for limit in data["checkpoints"]]
        problems = {
            name: [published_problem(row) for row in dataset["instances"]]
            for name, dataset in data["datasets"].items()
        }
        evaluation = RunEvaluation(problems, in_table_order(data["algorithms"]), limits)
        for limit in limits:
            for dataset, instances in data["results"]["per_instance"][f"{limit:g}"].items():
                for instance, methods in instances.items():
                    for method, row in methods.items():
                        cell = Cell(
                            number(row["value"], math.inf),
                            number(row["bound"], -math.inf),
                            number(row["accuracy_known_nodes"], None),
                        )
                        evaluation.cells[limit, dataset, instance, method] = [cell]
        curves = {
            dataset: [
                StepFunction(
                    method, list(map(as_number, curve["x"])), [finite(y) / 100 for y in curve["y"]]
                )
                for method, curve in methods.items()
            ]
            for dataset, methods in data["performance_plot_data"].items()
        }
    except FileFormatError:
        raise
    except BROKEN as error:
        raise FileFormatError(
            path, f"is no file of the study's published results ({type(error).__name__}: {error})"
        ) from error
    return evaluation, curves


def published_problem(row):
    """The Problem of an instance of the published results."""
    optimum = None if row["optimum"] is None else finite(row["optimum"])
    return EvaluatedInstance(str(row["name"]), optimum, any(row["groundtruth"] or []))


def number(value, missing):
    """A number, or `missing` for null."""
    return missing if value is None else as_number(value)


def as_number(value):
    """Return a number; infinite if a method never got there or has no bound."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise ValueError(f"a number is expected, got {str(value)[:40]!r}")
    return float(value)


def finite(value):
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"a finite number is expected, got {str(value)[:40]!r}")
    return float(value)


# ---- a JSON file per run: benchmark/<trial>/<method>/<dataset>/<dataset><instance>/data.json.gz

DATA_FILE = "data.json.gz"


def export_study(store, folder):
    """Write every answered run of a store in the study's layout below `folder`; the number of
    files.
    """
    rows = {(row.dataset, row.instance): row for row in store.instances()}
    count = 0
    for run in longest(store.runs()):
        if run.outcome != "ok":
            continue
        row = rows.get((run.dataset, run.instance)) or InstanceRow(run.dataset, run.instance)
        instance = instance_number(row)
        parts = (str(run.trial), run.method, run.dataset, f"{run.dataset}{instance}")
        target = Path(folder, *map(file_name, parts))
        target.mkdir(parents=True, exist_ok=True)
        content = {
            "method": run.method,
            "trial": run.trial,
            "dataset": run.dataset,
            "instance": instance,
            "name": run.instance,
            "datapoints": datapoints(run, -1.0 if row.sense == "max" else 1.0),
        }
        write_bytes(target / DATA_FILE, json.dumps(content).encode())
        count += 1
    return count


def instance_number(row):
    """The study numbers instances: car7 of the dataset car is 7. Others are counted by their
    position.
    """
    digits = row.instance.removeprefix(row.dataset)
    if row.instance.startswith(row.dataset) and re.fullmatch("[0-9]{1,15}", digits):
        return int(digits)
    return row.position + 1


def datapoints(run, sign):
    """Return the trace as costs; an assignment (-1 = unmatched) if the labels are known,
    else an empty one.
    """
    known = {time: labels for time, labels in run.snapshots}
    points = []
    for time, value, bound in run.trace.tolist():
        labels = known.get(time)
        points.append(
            {
                "time": time,
                "value": sign * value,
                "bound": sign * bound,
                "assignment": [] if labels is None else labels.tolist(),
            }
        )
    if points and run.labels is not None:
        points[-1]["assignment"] = run.labels.tolist()
    return points


def import_study(folder, store):
    """Take over every run below a folder in the study's layout; the number of runs."""
    files = sorted(Path(folder).rglob(DATA_FILE))
    if not files:
        raise FileFormatError(
            folder, f"no {DATA_FILE} below this folder: is it the study's benchmark folder?"
        )
    known = {(row.dataset, row.instance) for row in store.instances()}
    for path in files:
        run, number = read_study_run(path)
        if run.key[:2] not in known:
            known.add(run.key[:2])
            store.add_instance(InstanceRow(run.dataset, run.instance, number, str(path)))
        store.add(run)
    return len(files)


def read_study_run(path):
    """(Run, number of the instance) of one file."""
    try:
        data = json.loads(read_bytes(path)[:-1])
        trace, snapshots, best, bound = [], [], math.inf, -math.inf
        for point in data["datapoints"]:
            better = float(point["value"]) < best
            best, bound = min(best, float(point["value"])), max(bound, float(point["bound"]))
            trace.append((float(point["time"]), best, bound))
            if better and point["assignment"]:
                snapshots.append(
                    (float(point["time"]), np.array(point["assignment"], dtype=np.int32))
                )
        name = str(data.get("name", f"{data['dataset']}{data['instance']}"))
        key = str(data["dataset"]), name, str(data["method"]), int(data["trial"])
        number = int(data["instance"])
        if max(abs(number), abs(key[3])) >= 2**62:
            raise ValueError("the numbers of instance and trial must fit 63 bits")
        trace = np.array(trace, dtype=trace_dtype())
        run = Run(*key, status="imported", trace=trace, snapshots=snapshots, decided=None)
        if len(trace) and math.isfinite(best):
            run.value, run.bound = best, bound
            run.time, run.n_iter = float(trace[-1][0]), len(trace)
            run.labels = snapshots[-1][1] if snapshots else None
        else:
            run.outcome, run.reason = "error", "no solution in the imported file"
        "".join(key[:3]).encode()  # names that cannot be stored
        unpack_run(pack_run(run), Allowance(path))  # the store's own rules
    except FileFormatError:
        raise
    except BROKEN as error:
        raise FileFormatError(
            path, f"is no run of the study ({type(error).__name__}: {error})"
        ) from error
    return run, number
