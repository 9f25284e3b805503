"""The study's instances, best known values and published results, for the benchmarks. Wants
GMTOOLBOX_DATA.
"""

import gzip
import json
import os
from pathlib import Path

import gmtoolbox as gm

DATASETS = (
    "house-sparse",
    "house-dense",
    "hotel",
    "motor",
    "car",
    "caltech-small",
    "opengm",
    "caltech-large",
)


def data_folder():
    """The folder with a folder for each dataset."""
    if "GMTOOLBOX_DATA" not in os.environ:
        raise SystemExit("set GMTOOLBOX_DATA to the folder of the study's instances")
    return Path(os.environ["GMTOOLBOX_DATA"])


def dataset_of(name):
    """'car' of 'car7'."""
    return name.rstrip("0123456789")


def instance_names(dataset):
    """The names of a dataset's instances, in the order of their numbers."""
    return sorted(
        (path.stem for path in (data_folder() / dataset).glob(f"{dataset}*.json")),
        key=lambda name: int(name[len(dataset) :]),
    )


def instance(name):
    """(problem, best known value)"""
    folder = data_folder() / dataset_of(name)
    facts = json.loads((folder / f"{name}.json").read_text("utf-8"))
    best = next(
        facts[key]
        for key in ("optimum", "best_published", "best_known")
        if facts.get(key) is not None
    )
    return gm.load(folder / f"{name}.dd.xz", complete=facts["complete"]), best


def sample_argument(parser):
    """--sample N, for `files`."""
    parser.add_argument(
        "--sample", type=int, help="at most this many instances of each dataset, evenly spaced"
    )


def files(wanted=(), sample=None):
    """{dataset: [(name, file, facts)]} of every instance, of all datasets or of those wanted, which
    are names of datasets or instances; of each at most `sample`, evenly spaced.
    """
    found = {}
    for folder in sorted(path for path in data_folder().iterdir() if path.is_dir()):
        if not (folder / "dataset.json").exists():
            continue
        for file in sorted(folder.glob("*.dd.xz"), key=lambda path: (len(path.name), path.name)):
            name = file.name.removesuffix(".dd.xz")
            if not wanted or folder.name in wanted or name in wanted:
                facts = json.loads((folder / f"{name}.json").read_text("utf-8"))
                found.setdefault(folder.name, []).append((name, file, facts))
    if sample:
        found = {
            dataset: members[:: -(-len(members) // sample)] for dataset, members in found.items()
        }
    return found


def published_file():
    """Where the study's published results lie, if they do."""
    return data_folder().parent / "published" / "results.json.gz"


def published():
    """checkpoint in seconds -> dataset -> instance -> method -> {"value", "bound"}"""
    file = published_file()
    tables = json.loads(gzip.decompress(file.read_bytes()))["results"]["per_instance"]
    return {int(seconds): table for seconds, table in tables.items()}
