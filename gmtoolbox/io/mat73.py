"""MATLAB's version 7.3, which is HDF5 behind a 512-byte text header, and Octave's `save -hdf5`, as
{name: value}.

Layout of 7.3: a dense array is a dataset with reversed dimensions and attribute MATLAB_class; a
sparse one a group with attribute MATLAB_sparse (its number of rows) and datasets ir, jc, data; a
struct a group; a cell a dataset of object references; empty arrays carry MATLAB_empty and hold
their dimensions. Values are those of mat5.
"""

import struct

from gmtoolbox._version import __version__
from gmtoolbox.core.lazy import h5py, np, sparse
from gmtoolbox.io.files import Allowance
from gmtoolbox.io.h5safe import attribute, member, open_hdf5, values
from gmtoolbox.io.hdf5_memory import hdf5_bytes
from gmtoolbox.io.mat5 import CHARACTER_BYTES, MAX_DEPTH, make_sparse

TEXT_HEADER = 512  # bytes in front of the HDF5 file
MAX_DIMENSIONS = 32  # of an array
SIGNATURE = b"\x89HDF\r\n\x1a\n"
MAX_CELLS = 10**4  # cells and fields to visit in one file: links can make one count many times
CLASSES = {"f8": "double", "f4": "single"} | {
    f"{kind[0]}{size}": f"{kind}{8 * size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)
}


def read_variables(path):
    """{name: value} of a 7.3 file, or of an HDF5 file of Octave."""
    with open_hdf5(path) as file:
        if is_octave(file):
            return octave_variables(path, file)
        reader = Hdf5Reader(path, file)
        return {
            name: reader.value(member(file, name), name)
            for name in file
            if not name.startswith("#")
        }


class Hdf5Reader:
    """Follows groups and references within limits of size, number and depth."""

    def __init__(self, path, file):
        self.file, self.allowance, self.visited = file, Allowance(path), 0

    def value(self, item, name, depth=0):
        """The value of a dataset or group; `name` is for messages."""
        if depth > MAX_DEPTH:
            raise ValueError(
                f"{name}: cells and structs are nested more than {MAX_DEPTH} deep, or refer to"
                " themselves"
            )
        if isinstance(item, h5py.Group):
            if "MATLAB_sparse" in item.attrs:
                return self.sparse(item, name)
            self.visit(len(item), name)
            return {
                field: self.value(member(item, field), f"{name}.{field}", depth + 1)
                for field in item
            }
        matlab_class = str(attribute(item, "MATLAB_class", ""))
        if attribute(item, "MATLAB_empty", 0):
            dims = np.ravel(values(item, self.allowance, name))[: MAX_DIMENSIONS + 1].tolist()
            if not 2 <= len(dims) <= MAX_DIMENSIONS or 0 not in dims:
                raise ValueError(f"{name} is marked empty, but has dimensions {dims}")
            return "" if matlab_class == "char" else np.zeros([int(n) for n in dims])
        if item.dtype == h5py.ref_dtype:
            return self.cells(item, name, depth)
        array = values(item, self.allowance, name)
        array = array.T if array.ndim > 1 else array.reshape(1, -1)
        if array.dtype.names == ("real", "imag"):
            return array["real"] + 1j * array["imag"]
        if array.dtype.kind not in "biuf":
            return None
        if matlab_class == "char":
            return characters(array, self.allowance, name)
        return array != 0 if matlab_class == "logical" else array

    def sparse(self, group, name):
        """The csc array of a group."""
        rows = int(attribute(group, "MATLAB_sparse"))
        starts = member(group, "jc")
        if starts is None:
            raise ValueError(f"{name} is sparse, but has no jc")
        starts = values(starts, self.allowance, name)
        data, index = member(group, "data"), member(group, "ir")
        if (data is None) != (index is None):
            raise ValueError(f"{name} is sparse, but has no {'data' if data is None else 'ir'}")
        if data is None:  # no entries
            data, index = np.zeros(0), np.zeros(0, np.int64)
        else:
            data, index = (values(part, self.allowance, name) for part in (data, index))
        if data.dtype.names == ("real", "imag"):
            data = data["real"] + 1j * data["imag"]
        shape = (rows, len(starts) - 1)
        return make_sparse(data, index, starts, shape, self.allowance, name)

    def visit(self, n, name):
        """Count n more cells or fields; ValueError if they are too many."""
        self.visited += n
        if self.visited > MAX_CELLS:
            raise ValueError(
                f"{name}: more than {MAX_CELLS} cells and fields, or some that refer to themselves"
            )

    def cells(self, item, name, depth):
        """The object array of a cell."""
        references = values(item, self.allowance, name).T
        self.visit(references.size, name)
        cells = np.empty(references.shape, dtype=object)
        for where, reference in np.ndenumerate(references):
            if not reference:
                raise ValueError(f"{name} holds a reference to nothing")
            cells[where] = self.value(self.file[reference], f"{name}{{{where}}}", depth + 1)
        return cells


def characters(array, allowance, name):
    """Return an array of character codes as one text; an invalid code becomes a mark."""
    allowance.take(name, CHARACTER_BYTES * array.size)
    codes = np.where((array >= 0) & (array < 0x110000), array, 0xFFFD).astype("<u4")
    return codes.tobytes().decode("utf-32-le", "replace")


def text(value):
    """A str of bytes or anything else."""
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value)


# ---- writing 7.3


def variables_bytes(variables):
    """The bytes of a 7.3 file of dense and sparse arrays, strings, logicals and {field: value}
    structs.
    """

    def fill(file):
        for name, value in variables.items():
            put(file, name, value)

    header = (
        f"MATLAB 7.3 MAT-file, written by gmtoolbox {__version__}".encode().ljust(116)
        + b"\0" * 8
        + struct.pack("<H", 0x0200)
        + b"IM"
    )
    return header.ljust(TEXT_HEADER, b"\0") + hdf5_bytes(fill, userblock_size=TEXT_HEADER)


def put(group, name, value):
    """Write one value into a group."""
    if isinstance(value, dict):
        inner = group.create_group(name)
        inner.attrs["MATLAB_class"] = np.bytes_("struct")
        for field, part in value.items():
            put(inner, field, part)
    elif sparse.issparse(value):
        put_sparse(group.create_group(name), sparse.csc_array(value))
    elif isinstance(value, str):
        codes = np.array([[ord(c)] for c in value], dtype=np.uint16)
        dataset = group.create_dataset(name, data=codes)
        dataset.attrs["MATLAB_class"] = np.bytes_("char")
        dataset.attrs["MATLAB_int_decode"] = np.int32(2)
    else:
        put_dense(group, name, np.asarray(value))


def put_dense(group, name, array):
    """Write an array, transposed as MATLAB stores it."""
    array = array if array.ndim > 1 else array.reshape(-1, 1)
    empty, logical = array.size == 0, array.dtype == bool
    if empty:
        stored = np.array(array.shape, dtype=np.uint64)
    else:
        stored = (array.astype(np.uint8) if logical else array).T
    dataset = group.create_dataset(name, data=stored, **choose_packing(stored))
    kind = "logical" if logical else CLASSES[array.dtype.str[1:]]
    dataset.attrs["MATLAB_class"] = np.bytes_(kind)
    if logical:
        dataset.attrs["MATLAB_int_decode"] = np.int32(1)
    if empty:
        dataset.attrs["MATLAB_empty"] = np.uint8(1)


def put_sparse(group, matrix):
    """Write a csc matrix into its group."""
    group.attrs["MATLAB_class"] = np.bytes_("double")
    group.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
    parts = {"jc": matrix.indptr.astype(np.uint64)}
    if matrix.nnz:
        entries = {"data": matrix.data.astype(float), "ir": matrix.indices.astype(np.uint64)}
        parts = {**entries, **parts}
    for name, part in parts.items():
        group.create_dataset(name, data=part, **choose_packing(part))


def choose_packing(array):
    """Return the keywords that compress a dataset if it is worth it."""
    return {"compression": "gzip", "shuffle": True} if array.size > 64 else {}


# ---- Octave's own HDF5


def is_octave(file):
    """Whether Octave wrote the file."""
    return any("OCTAVE_NEW_FORMAT" in member(file, name).attrs for name in list(file)[:1])


def octave_variables(path, file):
    """{name: value} of an HDF5 file of Octave."""
    reader = Hdf5Reader(path, file)
    return {name: octave_value(member(file, name), name, reader) for name in file}


def octave_value(group, name, reader, depth=0):
    """A variable is a group of `type` and `value`; sparse: nr, nc, cidx, ridx, data; struct: one
    group per field.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"{name}: structs are nested more than {MAX_DEPTH} deep")
    if not isinstance(group, h5py.Group) or "type" not in group or "value" not in group:
        raise ValueError(f"{name} is no variable of Octave: type and value are missing")
    allowance = reader.allowance
    kind, value = text(values(member(group, "type"), allowance, name)), member(group, "value")
    if "sparse" in kind:
        part = {
            key: np.ravel(values(member(value, key), allowance, name))
            for key in ("nr", "nc", "cidx", "ridx", "data")
        }
        shape = (int(part["nr"][0]), int(part["nc"][0]))
        return make_sparse(part["data"], part["ridx"], part["cidx"], shape, allowance, name)
    if kind == "scalar struct":
        reader.visit(len(value), name)
        return {
            field: octave_value(member(value, field), f"{name}.{field}", reader, depth + 1)
            for field in value
        }
    if "OCTAVE_EMPTY_MATRIX" in group.attrs:
        return np.zeros((0, 0))
    if not isinstance(value, h5py.Dataset) or value.dtype.kind not in "biuf":
        return None
    array = values(value, allowance, name)
    if "string" in kind:
        return characters(np.ravel(array), allowance, name)
    return array.reshape(1, 1) if array.ndim == 0 else array.T
