"""Files to Problems and back: the suffix decides the format."""

from importlib import import_module
from pathlib import Path

from gmtoolbox.core.errors import InputError

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


def load(path, *, complete=None, key=None):
    """Problem from a file; complete= overrides what the file says, key= names the affinity in a
    .mat file.
    """
    from dataclasses import replace

    module = format_of(path)
    if key is not None and module.__name__ not in KEYED:
        raise InputError(f"{path}: key= goes with .mat and .h5 files only")
    problem = module.read(path, key) if key is not None else module.read(path)
    return problem if complete is None else replace(problem, complete=complete)


def save(problem, path, **options):
    """Write a Problem; the file appears whole or not at all."""
    format_of(path).write(problem, path, **options)
