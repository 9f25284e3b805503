"""Our own HDF5 format: a Problem, lossless and compressed.

    /            attributes  format = "gmtoolbox", version = 1, shape (2,), sense ("min" or "max"),
                 complete, offset;
                             text has a fixed length
    left right   (N,) int32  0-based nodes of each candidate, sorted by right, then left
    cost         (N,) double unary costs, minimised
    a b          (E,) int32  the two candidates of each edge, a < b, sorted
    edge_cost    (E,) double whole cost of the pair
    points1 points2 (n, d) double, neighbours1 neighbours2 (k, 2) int32, ground_truth (n1,) int32
    (-1 = unknown): if given
    nodes1 nodes2 (k,) uint8  names of the nodes, a JSON list: if given

A file written by Octave's `save -hdf5` is read too, as if it were a .mat file.
"""

from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.problem import Problem
from gmtoolbox.io import mat, multi_hdf5
from gmtoolbox.io.formats import EVERYTHING, MULTI, reader, writer
from gmtoolbox.io.h5safe import open_hdf5
from gmtoolbox.io.hdf5_fields import read_fields, write_fields
from gmtoolbox.io.hdf5_memory import CHECKSUMS, hdf5_bytes
from gmtoolbox.io.mat73 import is_octave, octave_variables

SUFFIX = ".h5"


def holds_many(path):
    """Return True if a file says that it holds many graphs."""
    try:
        with open_hdf5(path) as file:
            return multi_hdf5.is_multi(file)
    except FileFormatError:
        return False  # the actual reader raises the error


@reader(SUFFIX)
@reader(SUFFIX, holds=MULTI, recognise=holds_many)
def read(path, key=None, sense=None, shape=None):
    """Problem, or MultiProblem, from a .h5 file; the rest is for those that Octave wrote, see
    mat.read.
    """
    name = Path(path).stem
    with open_hdf5(path) as file:
        if is_octave(file):
            fields, variables = None, octave_variables(path, file)
        else:
            if multi_hdf5.is_multi(file):
                return multi_hdf5.read(path, file)
            fields = read_fields(path, file)
    try:
        if fields is None:
            return mat.problem_of(variables, name, key, sense, shape)
        if key is not None or shape is not None:
            raise InputError("key and shape are for files of Octave, this one is of gmtoolbox")
        return Problem(name=name, **fields)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


@writer(SUFFIX, keeps=EVERYTHING)
def problem_bytes(problem):
    """The bytes of a .h5 file of a Problem."""
    return hdf5_bytes(lambda file: write_fields(problem, file), **CHECKSUMS)


@writer(SUFFIX, holds=MULTI, keeps=EVERYTHING)
def multi_bytes(multi):
    """The bytes of a .h5 file of a MultiProblem."""
    return hdf5_bytes(lambda file: multi_hdf5.write(multi, file), **CHECKSUMS)
