"""Problem files as commands take them: the arguments that describe them, and the way to Problems.
Imports wait until a command runs, since most are heavy.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.engine.registry import gm_methods


def complete_argument(sub):
    """Add --complete and --no-complete."""
    sub.add_argument(
        "--complete",
        action=argparse.BooleanOptionalAction,
        help="every node of the smaller side must be matched",
    )


def matrix_arguments(sub):
    """Add --sense and --shape."""
    sub.add_argument(
        "--sense",
        choices=("min", "max"),
        help="of .mat files that do not state it: min if they hold costs, max if affinities",
    )
    sub.add_argument(
        "--shape",
        nargs=2,
        type=int,
        metavar=("N1", "N2"),
        help="nodes of the two graphs, for a matrix in a .mat file without Ct",
    )


def reading_of(given):
    """Return the arguments of gmtoolbox.load that a command has."""
    return {name: getattr(given, name, None) for name in ("complete", "sense", "shape")}


def holds_many(path):
    """Return True if a file or folder holds many graphs, without parsing all of it."""
    from gmtoolbox.io import is_multi

    return is_multi(path)


def load(path, **settings):
    """The problem of a file."""
    from gmtoolbox.io import load as load_file

    return load_file(path, **settings)


def problems(paths, complete=None, **settings):
    """The problems of files and folders, one after the other, named, and as a dataset.json declares
    them; settings: sense and shape of gmtoolbox.load.
    """
    from gmtoolbox.bench.run.plan import dataset_folders, path_entries

    for path in map(Path, paths):
        if path.is_dir() and holds_many(path):
            found = [load(path, **settings)]
        elif path.is_dir() and dataset_folders(path):
            found = (entry.problem.load(**settings) for entry in path_entries(path))
        else:
            found = (
                replace(problem, name=problem.name or file.name)
                for file in files_of(path)
                for problem in [load(file, **settings)]
            )
        for problem in found:
            as_told = complete is None or isinstance(problem, MultiProblem)
            yield problem if as_told else replace(problem, complete=complete)


def files_of(path):
    """The file itself, or every problem file in a folder and below."""
    from gmtoolbox.bench.run.plan import problem_files

    if not path.exists():
        known = {method.name for method in gm_methods()}
        hint = f"; a method is named by --method {path}" if str(path) in known else ""
        raise InputError(f"{path}: no such file or folder{hint}")
    return [file for _, file in problem_files(path)] if path.is_dir() else [path]
