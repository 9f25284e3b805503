"""The study's own files: its published results, and its JSON file per run."""

import gzip
import json
import math
from pathlib import Path

from gmtoolbox.bench.evaluate import Cell, Evaluation, Problem, in_table_order
from gmtoolbox.bench.profiles import Curve
from gmtoolbox.errors import FileFormatError


def read_published(path):
    """(Evaluation without times, dataset or 'all' -> list of Curve) of the study's published results.json[.gz]."""
    try:
        content = Path(path).read_bytes()
        data = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
        limits = [float(limit) for limit in data["checkpoints"]]
        problems = {name: [published_problem(row) for row in dataset["instances"]] for name, dataset in data["datasets"].items()}
        evaluation = Evaluation(problems, in_table_order(data["algorithms"]), limits)
        for limit in limits:
            for dataset, instances in data["results"]["per_instance"][f"{limit:g}"].items():
                for instance, methods in instances.items():
                    for method, row in methods.items():
                        cell = Cell(number(row["value"], math.inf), number(row["bound"], -math.inf), row["accuracy_known_nodes"])
                        evaluation.cells[limit, dataset, instance, method] = cell
        curves = {
            dataset: [Curve(method, curve["x"], [y / 100 for y in curve["y"]]) for method, curve in methods.items()]
            for dataset, methods in data["performance_plot_data"].items()
        }
    except (KeyError, TypeError, AttributeError, ValueError, EOFError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
            raise
        raise FileFormatError(path, f"is no file of the study's published results ({type(error).__name__}: {error})") from error
    return evaluation, curves


def published_problem(row):
    return Problem(row["name"], row["optimum"], any(row["groundtruth"] or []))


def number(value, missing):
    return missing if value is None else float(value)
