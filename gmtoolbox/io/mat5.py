"""MAT files of versions 4 to 7 as {name: value}.

Version 5 (which 6 and 7 are) is decoded here, for two reasons: scipy cannot read Octave's sparse
logical matrices, whose class byte says uint8 although a sparse matrix follows, and it crashes on
files whose sizes and indices lie. scipy reads version 4, and writes.

Values: numeric and logical arrays (at least 2-D), csc arrays of double, str, {field: value} for a
1 x 1 struct, object arrays for cells and struct arrays, None for classes that hold no data for us.
"""

import io
import math
import struct
import zlib

from gmtoolbox._version import __version__
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.io.files import NODE_BYTES, Allowance, inflate, refuse_errors

HEADER = 128
MAX_DEPTH = 32  # cells in structs in cells ...
MAX_FIELDS = 10_000  # of one struct
CELL_BYTES = 256  # that a cell counts for, whatever is in it
CHARACTER_BYTES = 8  # and a character of a text
INT32, MATRIX, COMPRESSED = 5, 14, 15
STORED = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
    16: "u1",
    17: "u2",
    18: "u4",
}
CODECS = {  # of texts, by the type they are stored as
    1: "latin-1",
    2: "latin-1",
    4: "utf-16",
    16: "utf-8",
    17: "utf-16",
    18: "utf-32",
}
CELL, STRUCT, CHAR, SPARSE, UINT8 = 1, 2, 4, 5, 9
NUMERIC = {
    6: "f8",
    7: "f4",
    8: "i1",
    9: "u1",
    10: "i2",
    11: "u2",
    12: "i4",
    13: "u4",
    14: "i8",
    15: "u8",
}
LEVEL = 1  # of compression: five times as fast as zlib's default, a tenth more bytes
SAMPLE = 2**14  # bytes that are looked at in each of several places
WORTH = 0.6  # compression must bring the sample below this fraction of its size
LOGICAL, COMPLEX = 0x02, 0x08  # bits of the flags byte


def read_version_5(path, content, allowance=None):
    """Every variable of a MAT file given as bytes; the path is for messages and the allowance."""
    with refuse_errors(path, "is no readable MAT file"):
        allowance = allowance or Allowance(path, len(content))
        if is_version_5(content):
            return dict(decode(content, allowance))
        return read_version_4(content, allowance)


def version_5_bytes(variables, compress=True):
    """The bytes of a version 5 file (version 7 if compressed); the same variables give the same
    bytes.
    """
    from scipy.io import savemat  # costs a tenth of a second

    stream = io.BytesIO()
    savemat(stream, variables, oned_as="column")
    content = stream.getbuffer()
    title = f"MATLAB 5.0 MAT-file, written by gmtoolbox {__version__}"
    content[:116] = title.encode().ljust(116)  # scipy has put the time here
    return compress_file(content) if compress else bytes(content)


def compress_file(content):
    """The same file with every variable compressed, which scipy would do slowly (level 6).

    A variable is an element (type, size, data); its compressed form is one of type COMPRESSED that
    holds the whole element. Large ones are squeezed side by side, zlib works without the GIL; those
    that a sample shows to shrink little (costs without a pattern) stay as they are.
    """
    from concurrent.futures import ThreadPoolExecutor  # takes a while

    elements, position = [], HEADER
    while position < len(content):
        size = 8 + struct.unpack_from("<I", content, position + 4)[0]
        elements.append(content[position : position + size])
        position += size
    with ThreadPoolExecutor(2) as pool:
        return b"".join([bytes(content[:HEADER]), *pool.map(compress_element, elements)])


def compress_element(element):
    """Return the element, compressed if that is worth its time."""
    if len(element) > 16 * SAMPLE:
        places = range(SAMPLE, len(element) - SAMPLE, len(element) // 8)
        sample = b"".join(bytes(element[place : place + SAMPLE]) for place in places)
        if len(zlib.compress(sample, LEVEL)) > WORTH * len(sample):
            return bytes(element)
    data = zlib.compress(element, LEVEL)
    return struct.pack("<II", COMPRESSED, len(data)) + data


def read_version_4(content, allowance):
    """{name: value} of a version 4 file."""
    from scipy.io import loadmat  # costs a tenth of a second

    variables = loadmat(io.BytesIO(content), mat_dtype=False)
    for name, value in variables.items():
        if sparse.issparse(value):  # scipy's is a list of entries, all within the shape
            allowance.take(name, NODE_BYTES * sum(value.shape))
            variables[name] = sparse.csc_array(value)
    return {name: value for name, value in variables.items() if not name.startswith("__")}


def is_version_5(content):
    """Whether bytes begin like a file of version 5, 6 or 7."""
    return len(content) >= HEADER and content[126:128] in (b"IM", b"MI") and 0 not in content[:4]


def make_sparse(values, rows, starts, shape, allowance, name):
    """A csc array whose column starts begin at 0, never fall and end within the entries, and whose
    rows are in range: nothing that follows them would look, scipy included.
    """
    n_rows, n_cols = (int(n) for n in shape)
    if n_rows < 0 or n_cols < 0 or len(starts) != n_cols + 1:
        raise ValueError(
            f"{name}: a sparse matrix with dimensions {shape} does not go with {len(starts)} column"
            " starts"
        )
    allowance.take(name, NODE_BYTES * n_rows)
    for array, what in ((rows, "row indices"), (starts, "column starts")):
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise ValueError(f"{name}: the {what} must be a list of integers, got {array.dtype}")
    rows, starts = rows.astype(np.int64), starts.astype(np.int64)
    if starts[0] != 0 or np.any(starts[1:] < starts[:-1]):
        raise ValueError(f"{name}: the column starts must begin with 0 and never fall")
    nnz = int(starts[-1])
    if nnz > min(len(rows), len(values)):
        raise ValueError(
            f"{name}: a sparse matrix claims {nnz} entries and has {len(rows)} rows and"
            f" {len(values)} values"
        )
    values, rows = values[:nnz], rows[:nnz]
    if nnz and not 0 <= rows.min() <= rows.max() < n_rows:
        raise ValueError(f"{name}: row indices must be in 0..{n_rows - 1}")
    values = values.astype(complex if values.dtype.kind == "c" else float)
    matrix = sparse.csc_array((values, rows, starts), shape=(n_rows, n_cols))
    matrix.sum_duplicates()
    return matrix


# ---- version 5: tagged data elements, matrices being elements that contain elements


def decode(content, allowance):
    """(name, value) of each variable."""
    order = "<" if content[126:128] == b"IM" else ">"
    position = HEADER
    while position + 8 <= len(content):
        kind, size = struct.unpack_from(order + "II", content, position)
        end = position + 8 + size
        if end > len(content):
            raise ValueError(
                f"the variable at byte {position} claims {size} bytes, more than the file has left"
            )
        element = content[position:end]
        if kind == COMPRESSED:
            element = inflate(element[8:], allowance, f"the variable at byte {position}")
        elements = Elements(element, order, allowance)
        if elements.peek() == MATRIX:
            yield matrix(elements.enter())
        position = end
    if any(content[position:]):
        raise ValueError(f"the variable at byte {position} is cut off")


class Elements:
    """Data elements, read one after the other."""

    def __init__(self, data, order, allowance, depth=0):
        if depth > MAX_DEPTH:
            raise ValueError(f"cells and structs are nested more than {MAX_DEPTH} deep")
        self.data, self.order, self.depth, self.position = memoryview(data), order, depth, 0
        self.allowance = allowance

    def remaining(self):
        """Number of bytes that were not read yet."""
        return len(self.data) - self.position

    def element(self):
        """(type, bytes) of the next data element."""
        if self.remaining() < 8:
            raise ValueError("a data element is cut off")
        kind, size = struct.unpack_from(self.order + "II", self.data, self.position)
        start = self.position + 8
        if kind >> 16:  # up to four bytes live in the tag
            kind, size, start = kind & 0xFFFF, kind >> 16, self.position + 4
            following = self.position + 8
        else:
            following = start + size + (0 if kind == MATRIX else -size % 8)
        if start + size > len(self.data):
            raise ValueError(f"a data element claims {size} bytes, more than its variable has left")
        self.position = min(following, len(self.data))
        return kind, self.data[start : start + size]

    def peek(self):
        """Type of the next data element, 0 at the end."""
        position = self.position
        kind = self.element()[0] if self.remaining() >= 8 else 0
        self.position = position
        return kind

    def enter(self):
        """The next element, which must be a matrix, with elements of its own."""
        kind, data = self.element()
        if kind != MATRIX:
            raise ValueError(f"a matrix is expected, got data of type {kind}")
        return Elements(data, self.order, self.allowance, self.depth + 1)

    def array(self):
        """The next element, which must be numbers."""
        kind, data = self.element()
        if kind not in STORED:
            raise ValueError(f"numbers are expected, got data of type {kind}")
        dtype = np.dtype(self.order + STORED[kind])
        return np.frombuffer(data[: len(data) // dtype.itemsize * dtype.itemsize], dtype)


def matrix(elements):
    """(name, value) of one matrix of any class."""
    if elements.remaining() == 0:
        return "", np.zeros((0, 0))
    flags = int(elements.array().astype(np.uint32)[0])
    matrix_class, flags = flags & 0xFF, flags >> 8
    dims = tuple(int(n) for n in elements.array())
    if len(dims) < 2 or min(dims) < 0:
        raise ValueError(f"dimensions must be at least two and not negative, got {dims}")
    name = bytes(elements.element()[1]).decode("utf-8")
    if matrix_class == SPARSE or (
        matrix_class == UINT8 and flags & LOGICAL and elements.peek() == INT32
    ):
        return name, sparse_matrix(elements, dims, flags, name)
    if matrix_class in NUMERIC:
        return name, dense_matrix(elements, dims, NUMERIC[matrix_class], flags)
    if matrix_class == CHAR:
        return name, text(elements, dims) if elements.remaining() else ""
    if matrix_class in (CELL, STRUCT):
        return name, container(elements, dims, matrix_class)
    return name, None


def text(elements, dims):
    """A char array as one text, row after row. A character may take several units of its encoding,
    so dims have only the rows.
    """
    kind, data = elements.element()
    if kind not in CODECS:
        raise ValueError(f"a text is expected, got data of type {kind}")
    wide = {"<": "-le", ">": "-be"}[elements.order] if CODECS[kind] in ("utf-16", "utf-32") else ""
    elements.allowance.take("a text", CHARACTER_BYTES * len(data))
    found = bytes(data).decode(CODECS[kind] + wide, "replace")
    if dims[0] == 1:
        return found
    units = np.frombuffer(found.encode("utf-32-le"), "<u4")
    return shape_values(units, dims).ravel().tobytes().decode("utf-32-le")


def shape_values(values, dims):
    """Values in the shape `dims`, column-major."""
    if len(values) != math.prod(dims):
        raise ValueError(f"dimensions {dims} do not go with {len(values)} values")
    return values.reshape(dims, order="F")


def dense_matrix(elements, dims, dtype, flags):
    """A numeric or logical array."""
    values = elements.array() if math.prod(dims) or elements.remaining() else np.zeros(0)
    if flags & COMPLEX:
        return shape_values(values + 1j * elements.array(), dims)
    return shape_values(values, dims).astype(bool if flags & LOGICAL else dtype)


def sparse_matrix(elements, dims, flags, name):
    """A csc array."""
    rows, starts = elements.array(), elements.array()
    values = elements.array() if elements.remaining() else np.zeros(0)
    if flags & COMPLEX:
        values = values + 1j * elements.array()
    if len(dims) != 2:
        raise ValueError(f"{name}: a sparse matrix has two dimensions, got {dims}")
    return make_sparse(values, rows, starts, dims, elements.allowance, name)


def container(elements, dims, matrix_class):
    """Cells and structs."""
    fields = [None]
    if matrix_class == STRUCT:
        width = int(elements.array()[0])
        names = bytes(elements.element()[1])
        if width < 1 or len(names) // width > MAX_FIELDS:
            raise ValueError(
                f"a struct has at most {MAX_FIELDS} fields with names, got {len(names)} characters"
                f" in names of {width}"
            )
        fields = [
            names[k : k + width].split(b"\0")[0].decode("utf-8")
            for k in range(0, len(names), width)
        ]
    count = math.prod(dims)
    if count * len(fields) > elements.remaining() // 8:
        raise ValueError(
            f"a cell or struct array claims {count} elements, more than its variable has room for"
        )
    elements.allowance.take("cells and structs", CELL_BYTES * count * len(fields))
    cells = np.empty(count, dtype=object)
    for k in range(count):
        values = [matrix(elements.enter())[1] for _ in fields]
        cells[k] = values[0] if matrix_class == CELL else dict(zip(fields, values, strict=True))
    return cells[0] if matrix_class == STRUCT and count == 1 else cells.reshape(dims, order="F")
