"""Files to Problems and back: the suffix decides the format."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from gmtoolbox.core.errors import InputError
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
            return import_module(f"gmtoolbox.io.{module}")
    raise InputError(f"{path}: unknown file type; known are {' '.join(FORMATS)}")


def stem_of(path):
    """The name of an instance: its file's, without the suffix."""
    name = Path(path).name
    suffix = max((known for known in FORMATS if name.lower().endswith(known)), key=len)
    return name[: -len(suffix)]


def load(path, *, complete=None, key=None):
    """Problem from a file.

    complete=  overrides what the file, and the dataset.json beside it, say
    key=       names the affinity in a .mat or .h5 file, or the struct that holds the problem
    """
    module = format_of(path)
    if key is not None and module.__name__ not in KEYED:
        raise InputError(f"{path}: key= goes with .mat and .h5 files only")
    problem = module.read(path, key) if key is not None else module.read(path)
    if complete is not None:
        return replace(problem, complete=complete)
    if not problem.complete and declared_complete(path, stem_of(path)):
        told = "complete, as the dataset.json beside it says"
        origin = f"{problem.origin}; {told}" if problem.origin else told
        return replace(problem, complete=True, origin=origin)
    return problem


def save(problem, path, **options):
    """Write a Problem; the file appears whole or not at all."""
    format_of(path).write(problem, path, **options)
