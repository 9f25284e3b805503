"""The study's instances, best known values and published results, for the benchmarks. Wants
GMTOOLBOX_DATA.
"""

import gzip
import json
import os
from pathlib import Path

import gmtoolbox as gm


def data_folder():
    if "GMTOOLBOX_DATA" not in os.environ:
        raise SystemExit("set GMTOOLBOX_DATA to the folder of the study's instances")
    return Path(os.environ["GMTOOLBOX_DATA"])


def dataset_of(name):
    return name.rstrip("0123456789")


def instance_names(dataset):
    return sorted(
        (path.stem for path in (data_folder() / dataset).glob(f"{dataset}*.json")),
        key=lambda name: int(name[len(dataset) :]),
    )


def instance(name):
    """(problem, best known value)"""
    folder = data_folder() / dataset_of(name)
    facts = json.loads((folder / f"{name}.json").read_text())
    best = next(
        facts[key]
        for key in ("optimum", "best_published", "best_known")
        if facts.get(key) is not None
    )
    return gm.load(folder / f"{name}.dd.xz", complete=facts["complete"]), best


def published():
    """checkpoint in seconds -> dataset -> instance -> method -> {"value", "bound"}"""
    file = data_folder().parent / "published" / "results.json.gz"
    tables = json.loads(gzip.decompress(file.read_bytes()))["results"]["per_instance"]
    return {int(seconds): table for seconds, table in tables.items()}
