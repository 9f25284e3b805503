"""The runs of a benchmark: problems from files, folders, matrices, and every (instance, method,
seed, trial) of them.
"""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from gmtoolbox.bench.run.many_graphs import check_methods, holds_many
from gmtoolbox.bench.run.variants import ALL, choose_methods
from gmtoolbox.bench.run.worker import Task
from gmtoolbox.bench.store.store import InstanceRow
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.text import natural
from gmtoolbox.core.values import as_list, check_count
from gmtoolbox.driver import as_problem
from gmtoolbox.engine.own import pack_solver
from gmtoolbox.engine.own_code import code_of
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.io import is_multi, load
from gmtoolbox.io.datasets import load_dataset
from gmtoolbox.io.formats import MULTI, PROBLEM, format_of, suffixes_of
from gmtoolbox.multi import METHODS

MOST_REPEATS = 100_000  # trials, or seeds of a range: every run is listed before the first starts


@dataclass(frozen=True)
class File:
    """A problem file outside of any dataset."""

    path: Path

    def load(self, **settings):
        """The Problem or MultiProblem of the file; settings are those of gmtoolbox.load."""
        return load(self.path, **settings)


@dataclass
class Entry:
    """An instance with the thing that children load or solve."""

    row: InstanceRow
    problem: object

    @property
    def name(self):
        """(dataset, instance): a label for people."""
        return self.row.dataset, self.row.instance


@dataclass
class Plan:
    """Entries x methods x seeds x trials; tasks are (key, Task) in the order of running: a whole
    trial before the next.
    """

    entries: list
    methods: dict  # name -> Variant
    trials: int = 1
    time_limits: tuple = ()
    seeds: tuple = (0,)
    tasks: list = field(init=False)

    def __post_init__(self):
        limit = max(self.time_limits, default=None)
        own = {
            name: (None, "")
            if variant.many
            else (pack_solver(variant.solver), code_of(variant.solver))
            for name, variant in self.methods.items()
        }
        kinds = {entry.name: holds_many(entry.problem) for entry in self.entries}
        check_methods(kinds, [variant.solver for variant in self.methods.values()])
        self.tasks = [
            (
                (*entry.name, name, trial, seed),
                Task(
                    entry.problem,
                    variant.solver,
                    variant.options,
                    seed,
                    limit,
                    self.time_limits,
                    *own[name],
                ),
            )
            for trial in range(1, self.trials + 1)
            for seed in self.seeds
            for entry in self.entries
            for name, variant in self.methods.items()
            if variant.many == kinds[entry.name]
        ]

    def shard(self, k, n):
        """The k-th of n equal parts (1-based): every n-th task, so that each part has as much of
        every dataset and method.
        """
        part = replace(self)
        part.tasks = self.tasks[k - 1 :: n]
        return part


def make_plan(problems, methods, *, trials=1, time_limit=None, seed=0):
    """Return the Plan of the arguments of gm_batch."""
    limits = tuple(time_limit) if isinstance(time_limit, (list, tuple)) else (time_limit,)
    limits = () if time_limit is None else limits
    given = bool(limits) or time_limit is None
    if not given or not all(isinstance(limit, (int, float)) and limit > 0 for limit in limits):
        raise InputError(f"time limits must be positive numbers of seconds, got {time_limit!r}")
    if check_count("trials", trials) > MOST_REPEATS:
        raise InputError(f"trials must be at most {MOST_REPEATS}, got {trials}")
    if isinstance(seed, range) and seed[MOST_REPEATS:]:
        raise InputError(f"there must be at most {MOST_REPEATS} seeds, got {seed!r}")
    seeds = tuple(seed) if isinstance(seed, (list, tuple, range)) else (seed,)
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in seeds)
    if not seeds or not whole or len(set(seeds)) < len(seeds):
        raise InputError(f"seed must be a whole number or several different ones, got {seed!r}")
    entries = unique(entries_of(problems))
    return Plan(
        entries,
        for_all_kinds(methods, entries),
        trials,
        tuple(sorted(float(limit) for limit in limits)),
        seeds,
    )


def for_all_kinds(methods, entries):
    """Return the variants of the given methods; 'all' and 'auto' include methods for many graphs if
    there are such instances.
    """
    variants = choose_methods(methods)
    if any(holds_many(entry.problem) for entry in entries):
        more = METHODS[:1] if DEFAULT_METHOD in variants else ()
        more = METHODS if methods == ALL else more
        variants = {**choose_methods(more), **variants} if more else variants
    return variants


def entries_of(problems):
    """Entries of a path, a Problem, a matrix, a list of these, or a mapping name -> one of
    these.
    """
    if isinstance(problems, (str, Path)):
        return path_entries(problems)
    if isinstance(problems, dict):
        return [
            problem_entry(problem, str(name), k)
            for k, (name, problem) in enumerate(problems.items())
        ]
    if isinstance(problems, (Problem, MultiProblem)) or hasattr(problems, "shape"):
        problems = [problems]
    if isinstance(problems, list) and all(isinstance(one, Entry) for one in problems):
        return problems
    entries = []
    for k, problem in enumerate(as_list("problems", problems)):
        if isinstance(problem, (str, Path)):
            entries += path_entries(problem)
        else:
            entries.append(problem_entry(problem, None, k))
    return entries


def problem_entry(problem, name, position):
    """The Entry of a problem, matrix or path given by itself."""
    if isinstance(problem, (str, Path)):
        problem = load(problem)
    elif not isinstance(problem, (Problem, MultiProblem)):
        problem = as_problem(problem)
    name = name or problem.name or f"problem{position + 1}"
    return Entry(InstanceRow("batch", name, position), problem)


def path_entries(path):
    """Return the entries of a file, a dataset's folder, a folder of datasets' folders, or a folder
    of problem files.
    """
    if not os.fspath(path):  # to pathlib it is the current folder, with everything in it
        raise InputError("the path of a problem must not be empty, got ''")
    path = Path(path)
    if path.is_file():
        format_of(path, PROBLEM, MULTI)
        dataset = "many graphs" if is_multi(path) else "files"
        return [file_entry(dataset, path.name.split(".")[0], path)]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    if folders := dataset_folders(path):
        return [entry for folder in folders for entry in dataset_entries(folder)]
    dataset = path.absolute().name or "files"
    return [
        file_entry(dataset, name, file, k) for k, (name, file) in enumerate(problem_files(path))
    ]


def file_entry(dataset, name, path, position=0):
    """The Entry of a problem file."""
    path = path.absolute()
    return Entry(InstanceRow(dataset, name, position, os.fspath(path)), File(path))


def dataset_folders(path):
    """Return the folder itself, or those in it that have a dataset.json."""
    if (path / "dataset.json").is_file():
        return [path]
    return sorted(file.parent for file in path.glob("*/dataset.json"))


def problem_files(folder):
    """(name, file) of every problem file in a folder and below, each instance once."""
    found, known = {}, suffixes_of(PROBLEM, MULTI)
    for suffix in known:  # in the order of preference
        for file in sorted(folder.rglob(f"*{suffix}")):
            name = file.relative_to(folder).as_posix().removesuffix(suffix)
            found.setdefault(name, file)
    if not found:
        raise InputError(
            f"{folder}: no dataset.json and no problem files in this folder; known are"
            f" {' '.join(known)}"
        )
    return [(name, found[name]) for name in sorted(found, key=natural)]


def dataset_entries(folder):
    """The Entries of a dataset's folder, in the order of their names."""
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
    """The entries with names that differ: files of one name in different folders are called by
    their folders, too.
    """
    if not entries:
        raise InputError("problems must hold at least one problem")
    named = {}
    for entry in entries:
        named.setdefault(entry.name, []).append(entry)
    for (dataset, instance), several in named.items():
        if len(several) > 1:
            sources = {entry.row.source for entry in several}
            if "" in sources or len(sources) < len(several):
                raise InputError(
                    f"two problems are called {dataset}/{instance}: give a dict with a name for"
                    " each"
                )
            for entry, name in zip(several, shortest([e.row.source for e in several]), strict=True):
                entry.row.instance = name
    return entries


def shortest(paths):
    """The ends of different paths, with as many folders as make them differ, without their suffixes
    if they differ without.
    """
    parts = [Path(path).parts for path in paths]
    bare = [(*folders, name.split(".")[0]) for *folders, name in parts]
    parts = bare if len(set(bare)) == len(bare) else parts
    for count in range(1, max(map(len, parts)) + 1):
        ends = ["/".join(part[-count:]) for part in parts]
        if len(set(ends)) == len(ends):
            break
    return ends


def default_datasets(given):
    """Return the given folders, else $GMTOOLBOX_DATA, else the instances of the source."""
    if given:
        return given
    folder = os.environ.get("GMTOOLBOX_DATA") or "matfiles"
    if not Path(folder).is_dir():
        raise InputError(
            f"no datasets given, and there is no folder {folder!r} here; set GMTOOLBOX_DATA or"
            " name one"
        )
    return [folder]
