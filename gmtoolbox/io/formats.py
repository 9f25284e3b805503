"""The formats of problem files: the suffix decides. A module of gmtoolbox.io is imported when its
format is asked for.
"""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.io.declared import declared_complete

FORMATS = {
    ".dd": "dd",
    ".dd.gz": "dd",
    ".dd.xz": "dd",
    ".mat": "mat",
    ".h5": "hdf5",
    ".dat": "qaplib",
}
KEYED = ("gmtoolbox.io.mat", "gmtoolbox.io.hdf5")  # formats with named variables


def format_of(path):
    """Module of gmtoolbox.io for a file name."""
    name = Path(path).name.lower()
    for suffix, module in FORMATS.items():
        if name.endswith(suffix):
            return part(module)
    raise InputError(f"{path}: unknown file type; known are {' '.join(FORMATS)}")


def part(name):
    """A module of gmtoolbox.io, imported when it is needed."""
    return import_module(f"gmtoolbox.io.{name}")


def stem_of(path):
    """The name of an instance: its file's, without the suffix."""
    name = Path(path).name
    suffix = max((known for known in FORMATS if name.lower().endswith(known)), key=len)
    return name[: -len(suffix)]


def load_file(path, *, complete=None, **reading):
    """Problem or MultiProblem from a file; gmtoolbox.load, which also reads folders, has more.
    reading: key, sense and shape, None if not given.
    """
    module = format_of(path)
    given = {name: value for name, value in reading.items() if value is not None}
    sense = given.get("sense")
    if module.__name__ not in KEYED:
        given.pop("sense", None)
        if given:
            raise InputError(f"{path}: {next(iter(given))}= goes with .mat and .h5 files only")
    problem = module.read(path, **given)
    if sense is not None and sense != problem.sense:
        raise InputError(f"{path}: its sense is {problem.sense!r}, got sense={sense!r}")
    if isinstance(problem, MultiProblem):
        if complete:
            raise InputError(f"{path}: complete=True does not go with many graphs")
        return problem
    if complete is not None:
        return replace(problem, complete=complete)
    if not problem.complete and declared_complete(path, stem_of(path)):
        told = "complete, as the dataset.json beside it says"
        origin = f"{problem.origin}; {told}" if problem.origin else told
        return replace(problem, complete=True, origin=origin)
    return problem


def save_file(problem, path, **options):
    """Write a Problem or MultiProblem into one file."""
    format_of(path).write(problem, path, **options)
