"""Our own HDF5 format: a Problem, lossless and compressed.

    /            attributes  format = "gmtoolbox", version = 1, shape (2,), sense ("min" or "max"),
                 complete, offset;
                             text has a fixed length
    left right   (N,) int32  0-based nodes of each candidate, sorted by right, then left
    cost         (N,) double unary costs, minimised
    a b          (E,) int32  the two candidates of each edge, a < b, sorted
    edge_cost    (E,) double whole cost of the pair
    points1 points2 (n, d) double, neighbours1 neighbours2 (k, 2) int32, ground_truth (n1,) int32
    (-1 = unknown): where given
    nodes1 nodes2 (k,) uint8  names of the nodes, a JSON list: where given

A file written by Octave's `save -hdf5` is read too, as if it were a .mat file.
"""

from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import h5py, np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.io import mat, multi_hdf5
from gmtoolbox.io.files import (
    NODE_BYTES,
    Allowance,
    names_from_text,
    names_to_text,
    replacing,
)
from gmtoolbox.io.h5safe import attribute, member, opened, values
from gmtoolbox.io.mat73 import is_octave, octave_variables

VERSION = 1
REQUIRED = {"left": "i", "right": "i", "cost": "f", "a": "i", "b": "i", "edge_cost": "f"}
OPTIONAL = {
    "points1": "f",
    "points2": "f",
    "neighbours1": "i",
    "neighbours2": "i",
    "ground_truth": "i",
}
NAMES = ("nodes1", "nodes2")


def read(path, key=None):
    """Problem, or MultiProblem, from a .h5 file."""
    name = Path(path).stem
    with opened(path) as file:
        if is_octave(file):
            fields, variables = None, octave_variables(path, file)
        else:
            if multi_hdf5.is_multi(file):
                return multi_hdf5.read(path, file)
            fields = read_fields(path, file)
    try:
        return Problem(name=name, **fields) if fields else mat.problem_of(variables, name, key)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


def write(problem, path):
    """Write a Problem or MultiProblem as a .h5 file."""
    # libver: metadata with checksums, so that HDF5 notices damage instead of following it;
    # fletcher32 does so for the data
    with replacing(path) as draft, h5py.File(draft, "w", libver=("v108", "v108")) as file:
        if isinstance(problem, MultiProblem):
            multi_hdf5.write(problem, file)
        else:
            write_fields(problem, file)


def write_fields(problem, file):
    """Into an open file or a group of it."""
    file.attrs["format"] = np.bytes_("gmtoolbox")
    file.attrs["version"] = VERSION
    file.attrs["shape"] = np.array(problem.shape, dtype=np.int64)
    file.attrs["sense"] = np.bytes_(problem.sense)
    file.attrs["complete"] = problem.complete
    file.attrs["offset"] = problem.offset
    for name in (*REQUIRED, *OPTIONAL):
        array = getattr(problem, name)
        if array is not None:
            packed = (
                {"compression": "gzip", "shuffle": True, "fletcher32": True} if array.size else {}
            )
            file.create_dataset(name, data=array, **packed)
    for name in NAMES:
        if getattr(problem, name) is not None:
            text = names_to_text(getattr(problem, name)).encode()
            file.create_dataset(name, data=np.frombuffer(text, dtype=np.uint8), fletcher32=True)


def read_fields(path, file):
    """Keyword arguments of the Problem."""
    for name, wanted in (("format", "gmtoolbox"), ("version", VERSION)):
        if (found := attribute(file, name)) != wanted:
            raise FileFormatError(path, f"attribute {name} must be {wanted!r}, got {found!r}")
    fields = {name: attribute(file, name) for name in ("shape", "sense", "complete", "offset")}
    missing = [name for name, value in fields.items() if value is None]
    if missing:
        raise FileFormatError(path, f"attribute {missing[0]} is missing")
    fields["shape"] = tuple(int(n) for n in np.ravel(fields["shape"]))
    fields["sense"] = str(fields["sense"])
    allowance = Allowance(path)
    allowance.take("shape", NODE_BYTES * sum(fields["shape"]))
    for name, kind in {**REQUIRED, **OPTIONAL}.items():
        dataset = member(file, name)
        if dataset is None and name in OPTIONAL:
            continue
        if dataset is None:
            raise FileFormatError(path, f"dataset {name} is missing")
        fields[name] = values(dataset, allowance, name)
        if fields[name].dtype.kind != kind:
            raise FileFormatError(
                path,
                f"dataset {name} must hold {'integers' if kind == 'i' else 'floats'}, got"
                f" {fields[name].dtype}",
            )
    for side, name in enumerate(NAMES):
        if (dataset := member(file, name)) is not None:
            text = bytes(values(dataset, allowance, name)).decode("utf-8", "replace")
            fields[name] = names_from_text(name, text, fields["shape"][side])
    return fields
