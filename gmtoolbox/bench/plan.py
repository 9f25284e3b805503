"""What a benchmark runs: problems from files, folders, matrices, and every (instance, method,
trial) of them.
"""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from gmtoolbox.bench.store import InstanceRow
from gmtoolbox.bench.worker import Task
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.text import natural
from gmtoolbox.engine.own import packed
from gmtoolbox.engine.registry import adopt, get_solver, gm_methods
from gmtoolbox.io import format_of, load
from gmtoolbox.io.datasets import load_dataset

ALL = "all"


@dataclass(frozen=True)
class File:
    """A problem file outside of any dataset."""

    path: Path

    def load(self):
        return load(self.path)


@dataclass
class Entry:
    """An instance with the thing that children load or solve."""

    row: InstanceRow
    problem: object


@dataclass
class Plan:
    """Entries x methods x trials; tasks() yields (key, Task) in the order of running: a whole trial
    before the next.
    """

    entries: list
    methods: dict  # name -> options, all of them, checked
    trials: int = 1
    time_limits: tuple = ()
    seed: int = 0
    tasks: list = field(init=False)

    def __post_init__(self):
        limit = max(self.time_limits, default=None)
        own = {method: packed(method) for method in self.methods}
        self.tasks = [
            (
                (entry.row.dataset, entry.row.instance, method, trial),
                Task(
                    entry.problem, method, options, self.seed, limit, self.time_limits, own[method]
                ),
            )
            for trial in range(1, self.trials + 1)
            for entry in self.entries
            for method, options in self.methods.items()
        ]

    def shard(self, k, n):
        """The k-th of n equal parts (1-based), dealt like cards so that each gets its share of
        every dataset and method.
        """
        part = replace(self)
        part.tasks = self.tasks[k - 1 :: n]
        return part


def make_plan(problems, methods, *, trials=1, time_limit=None, seed=0):
    """The Plan of what gm_batch was given."""
    limits = (
        ()
        if time_limit is None
        else tuple(time_limit)
        if isinstance(time_limit, (list, tuple))
        else (time_limit,)
    )
    if not all(isinstance(limit, (int, float)) and limit > 0 for limit in limits):
        raise InputError(f"time limits must be positive numbers of seconds, got {time_limit!r}")
    if not isinstance(trials, int) or trials < 1:
        raise InputError(f"trials must be a positive integer, got {trials!r}")
    return Plan(
        unique(entries_of(problems)),
        chosen_methods(methods),
        trials,
        tuple(sorted(float(limit) for limit in limits)),
        seed,
    )


def chosen_methods(methods):
    """name -> checked options of 'all', a name, a list of names or a mapping name -> options; a
    function may stand for a name.
    """
    if callable(methods):
        methods = [methods]
    if isinstance(methods, str):
        methods = (
            [method.name for method in gm_methods() if not method.chooses]
            if methods == ALL
            else [methods]
        )
    given = methods if isinstance(methods, dict) else dict.fromkeys(methods)
    if not given:
        raise InputError("methods must name at least one method")
    return {
        named(method): get_solver(method).check(options or {}) for method, options in given.items()
    }


def named(method):
    """The name of a method; a function becomes a method for this."""
    if callable(method):
        adopt(get_solver(method))
    return get_solver(method).name


def entries_of(problems):
    """Entries of a path, a Problem, a matrix, a list of these, or a mapping name -> one of
    these.
    """
    if isinstance(problems, (str, Path)):
        return path_entries(Path(problems))
    if isinstance(problems, dict):
        return [
            problem_entry(problem, str(name), k)
            for k, (name, problem) in enumerate(problems.items())
        ]
    if isinstance(problems, Problem) or hasattr(problems, "shape"):
        problems = [problems]
    entries = []
    for k, problem in enumerate(problems):
        entries += (
            path_entries(Path(problem))
            if isinstance(problem, (str, Path))
            else [problem_entry(problem, None, k)]
        )
    return entries


def problem_entry(problem, name, position):
    if isinstance(problem, (str, Path)):
        problem = load(problem)
    elif not isinstance(problem, Problem):
        problem = Problem.from_matrix(problem)
    name = name or problem.name or f"problem{position + 1}"
    return Entry(InstanceRow("batch", name, position), problem)


def path_entries(path):
    """A file, a dataset's folder, or a folder of datasets' folders."""
    if path.is_file():
        format_of(path)
        name = path.name.split(".")[0]
        return [
            Entry(
                InstanceRow("files", name, source=os.fspath(path.absolute())), File(path.absolute())
            )
        ]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    if (path / "dataset.json").is_file():
        return dataset_entries(path)
    folders = sorted(file.parent for file in path.glob("*/dataset.json"))
    if not folders:
        raise InputError(f"{path}: neither this folder nor one in it has a dataset.json")
    return [entry for folder in folders for entry in dataset_entries(folder)]


def dataset_entries(folder):
    dataset = load_dataset(folder.absolute())
    return [
        Entry(
            InstanceRow(
                dataset.name,
                instance.name,
                position,
                os.fspath(instance.path),
                complete=instance.complete,
                optimum=instance.optimum,
                best_known=instance.best_known,
                ground_truth=instance.ground_truth
                and [list(labels) for labels in instance.ground_truth],
            ),
            instance,
        )
        for position, instance in enumerate(
            sorted(dataset.instances.values(), key=lambda instance: natural(instance.name))
        )
    ]


def unique(entries):
    """The entries, after a check that no two have the same name."""
    if not entries:
        raise InputError("problems must hold at least one problem")
    seen = set()
    for entry in entries:
        key = entry.row.dataset, entry.row.instance
        if key in seen:
            raise InputError(
                f"two problems are called {key[0]}/{key[1]}: give a dict with a name for each"
            )
        seen.add(key)
    return entries
