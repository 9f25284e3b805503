"""A folder with a dataset.json and one file per instance, as a sequence of Problems.

dataset.json      {"dataset": name, "complete": bool, "nonpositive": bool, "zero_unary": bool,
                  "instances": [names]}
<name>.dd[.xz]    or any other format that gm.load reads
<name>.json       optional: "optimum", "best_known", "ground_truth" (0-based label per node, null =
unknown),
                  "ground_truth_sets" (several labels may be correct)
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError, did_you_mean
from gmtoolbox.core.text import show
from gmtoolbox.io import load
from gmtoolbox.io.files import read_json
from gmtoolbox.io.formats import MULTI, PROBLEM, suffixes_of


@dataclass(frozen=True)
class Instance:
    """The facts about one instance, known without loading it."""

    name: str
    path: Path
    complete: bool = False
    optimum: float = None  # proven
    best_known: float = None  # the optimum, or the best value anybody reported
    ground_truth: tuple = None  # per left node: a tuple of right labels, empty = unknown

    def load(self, **settings):
        """The Problem, complete as the dataset declares, with the first of the right labels as
        ground truth; settings: sense and shape of gmtoolbox.load.
        """
        problem = load(self.path, complete=self.complete, **settings)
        truth = self.ground_truth and [labels[0] if labels else -1 for labels in self.ground_truth]
        return replace(problem, name=self.name, **({"ground_truth": truth} if truth else {}))


class Dataset(Sequence):
    """The instances of a folder. Indexing (by position or name) and iterating load Problems one by
    one.
    """

    def __init__(self, folder, name, properties, instances):
        self.folder, self.name, self.properties = folder, name, properties
        self.instances = {instance.name: instance for instance in instances}

    @property
    def complete(self):
        """Whether every node of the smaller side must be matched."""
        return self.properties["complete"]

    def __len__(self):
        return len(self.instances)

    def __getitem__(self, which):
        if isinstance(which, str):
            if which not in self.instances:
                raise InputError(
                    f"dataset {self.name!r} has no instance"
                    f" {which!r}{did_you_mean(which, self.instances)}"
                )
            return self.instances[which].load()
        instances = list(self.instances.values())
        if isinstance(which, slice):
            return [instance.load() for instance in instances[which]]
        return instances[which].load()

    def __repr__(self):
        return (
            f"<Dataset {self.name!r}: {len(self)} instances,"
            f" {'complete' if self.complete else 'partial'}>"
        )


def load_dataset(folder):
    """The instances of a folder with a dataset.json; nothing is loaded before it is asked for.

    Parameters
    ----------
    folder : str or Path
        Has a dataset.json, a problem file for each instance that it names and, next to a file,
        perhaps a .json with its optimum and ground truth; see docs/data.md.

    Returns
    -------
    Dataset
        A sequence of Problems, by position or by name.

    Examples
    --------
    >>> import gmtoolbox as gm, json, pathlib
    >>> gm.save(gm.synth.car(seed=0, size=6), "car1.dd")
    >>> described = {"dataset": "car", "complete": True, "instances": ["car1"]}
    >>> _ = pathlib.Path("dataset.json").write_text(json.dumps(described))
    >>> cars = gm.load_dataset(".")
    >>> cars, cars["car1"].shape
    (<Dataset 'car': 1 instances, complete>, (6, 6))
    """
    folder = Path(folder)
    path = folder / "dataset.json"
    description = read_json(path)
    if not isinstance(description.get("instances"), list) or not all(
        isinstance(x, str) for x in description["instances"]
    ):
        raise FileFormatError(path, "'instances' must be a list of names")
    title = description.get("dataset", description.get("name", folder.name))
    for name in (title, *description["instances"]):
        check_name(name, path)
    properties = {
        name: description.get(name, False) for name in ("complete", "nonpositive", "zero_unary")
    }
    for name, value in properties.items():
        if not isinstance(value, bool):
            raise FileFormatError(path, f"{name!r} must be true or false, got {value!r}")
    instances = [
        load_instance(folder, name, properties["complete"], path)
        for name in description["instances"]
    ]
    return Dataset(folder, title, properties, instances)


def load_instance(folder, name, complete, source):
    """Return the Instance of a name, with the facts of the JSON file next to it."""
    if name != Path(name).name:
        raise FileFormatError(source, f"instance {name!r} must be a plain name, not a path")
    names = [name + suffix for suffix in suffixes_of(PROBLEM, MULTI)]
    path = next((folder / file for file in names if (folder / file).is_file()), None)
    if path is None:
        raise FileFormatError(
            source,
            f"no file for instance {name!r}; looked for {' '.join(names)}",
        )
    side = folder / f"{name}.json"
    facts = read_json(side) if side.is_file() else {}
    optimum, *reported = (
        number(facts, key, side) for key in ("optimum", "best_known", "best_published")
    )
    known = [value for value in reported if value is not None]
    best = optimum if optimum is not None else min(known, default=None)
    complete = facts.get("complete", complete)
    if not isinstance(complete, bool):
        raise FileFormatError(side, f"'complete' must be true or false, got {complete!r}")
    return Instance(name, path, complete, optimum, best, label_sets(facts, side))


def check_name(name, path):
    """Names become those of files, rows and pages."""
    if not isinstance(name, str) or not name or not name.isprintable():
        raise FileFormatError(path, f"a name must be a printable text, got {show(name)}")


def number(facts, key, path):
    """Return a finite number, or None if there is none."""
    value = facts.get(key)
    if value is None:
        return None
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not -sys.float_info.max <= value <= sys.float_info.max:
        raise FileFormatError(path, f"{key!r} must be a finite number, got {show(value)}")
    return float(value)


def label_sets(facts, path):
    """Ground truth as one tuple of right labels per left node, or None."""
    given = facts.get("ground_truth_sets") or facts.get("ground_truth")
    if given is None:
        return None
    if not isinstance(given, list):
        raise FileFormatError(path, f"ground truth must be a list, got {show(given)}")
    sets = []
    for labels in given:
        if not isinstance(labels, list):
            labels = [] if labels is None else [labels]
        if not all(type(label) is int and abs(label) < 2**31 for label in labels):
            raise FileFormatError(
                path, f"ground truth must hold integers and null, got {show(labels)}"
            )
        sets.append(tuple(label for label in labels if label >= 0))
    return tuple(sets)
