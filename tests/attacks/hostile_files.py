"""Small files that once cost much memory, much time or the heap, by their row in
docs/development/notes.md.
"""

import gzip
import struct
import zlib

import h5py
import numpy as np

REF = h5py.ref_dtype


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def mat5_file(*matrices, compress=False):
    header = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM"
    parts = [element(14, body) for body in matrices]
    if compress:
        packed = [zlib.compress(part, 9) for part in parts]
        parts = [struct.pack("<II", 15, len(part)) + part for part in packed]
    return header + b"".join(parts)


def mat5_sparse(name, shape, rows, starts, values):
    pack = lambda code, numbers: struct.pack(f"<{len(numbers)}{code}", *numbers)
    return (
        element(6, struct.pack("<II", 5, max(len(values), 1)))
        + element(5, pack("i", shape))
        + element(1, name)
        + element(5, pack("i", rows))
        + element(5, pack("i", starts))
        + element(9, pack("d", values))
    )


def mat5_wild_starts(path):
    """(1) column starts that leave the arrays and come back."""
    K = mat5_sparse(b"K", (4, 4), [0], [0, 100000, 0, 100000, 0], [1.0])
    path.write_bytes(mat5_file(K))


def mat5_wild_rows(path):
    """(1) a row beyond the matrix."""
    path.write_bytes(mat5_file(mat5_sparse(b"K", (4, 4), [7], [0, 1, 1, 1, 1], [1.0])))


def mat73_sparse(group, rows, starts, ir=None, data=None):
    group.attrs["MATLAB_class"] = np.bytes_("double")
    group.attrs["MATLAB_sparse"] = np.uint64(rows)
    group["jc"] = np.asarray(starts, np.uint64)
    if ir is not None:
        group["ir"], group["data"] = np.asarray(ir, np.uint64), np.asarray(data, float)


def mat73_wild_starts(path):
    """(1) the same in version 7.3."""
    with h5py.File(path, "w") as file:
        mat73_sparse(file.create_group("K"), 4, [0, 100000, 0, 100000, 0], [0], [1.0])


def octave_wild_starts(path):
    """(1) the same in Octave's HDF5."""
    with h5py.File(path, "w") as file:
        K = file.create_group("K")
        K.attrs["OCTAVE_NEW_FORMAT"] = np.uint8(1)
        K["type"] = np.bytes_("sparse matrix")
        value = K.create_group("value")
        for name, part in (("nr", 4), ("nc", 4), ("data", [1.0]), ("ridx", [0])):
            value[name] = part
        value["cidx"] = [0, 100000, 0, 100000, 0]


def mat73_linked_twice(path, depth=31):
    """(10) every group holds the next one under two names."""
    with h5py.File(path, "w") as file:
        group = file.create_group("s")
        for _ in range(depth):
            inner = group.create_group("a")
            group["b"] = inner
            group = inner
        group["x"] = 1.0


def dd_nodes(path):
    """(11) many nodes, one assignment."""
    path.write_text("p 100000000 100000000 1 0\na 0 99999999 99999999 0\n")


def h5_nodes(path):
    """(11) the same as HDF5."""
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = np.bytes_("gmtoolbox"), 1
        file.attrs["shape"], file.attrs["sense"] = [10**9, 10**9], np.bytes_("min")
        file.attrs["complete"], file.attrs["offset"] = False, 0.0
        for name, kind in (("left", "i4"), ("right", "i4"), ("cost", "f8")):
            file[name] = np.zeros(1, kind)
        for name, kind in (("a", "i4"), ("b", "i4"), ("edge_cost", "f8")):
            file[name] = np.zeros(0, kind)


def mat_listed_nodes(path):
    """(11) a list of one assignment, far out."""
    dense = lambda name, shape, values: (
        element(6, struct.pack("<II", 6, 0))
        + element(5, struct.pack("<ii", *shape))
        + element(1, name)
        + element(9, struct.pack(f"<{len(values)}d", *values))
    )
    path.write_bytes(mat5_file(dense(b"K", (1, 1), [1.0]), dense(b"L12", (1, 2), [2e9, 2e9])))


def dat_long_word(path):
    """(12) one long word among many short ones."""
    path.write_bytes(b"500 " + b"1" * 10_000 + b" 1" * 499_999)


def dat_bomb(path):
    """(12) gzipped zeros."""
    path.write_bytes(gzip.compress(b"20000 " + b"0 " * 30_000_000, 6))


def mat73_text(path, n=200_000_000):
    """(13) a text that was never written."""
    with h5py.File(path, "w") as file:
        text = file.create_dataset("sense", (n, 1), "u2", chunks=(1 << 20, 1), compression="gzip")
        text.attrs["MATLAB_class"] = np.bytes_("char")
        file["K"] = np.ones((4, 4))
        file["offset"] = 0.0


def dd_newlines(path):
    """(14) newlines, then something wrong."""
    path.write_bytes(gzip.compress(b"p 1 1 1 0\n" + b"\n" * 100_000_000 + b"x", 6))


def mat73_empty_sparse(path, n=100_000_000):
    """(16) a sparse matrix of 1e8 x 1e8 without entries."""
    with h5py.File(path, "w") as file:
        group = file.create_group("K")
        mat73_sparse(group, n, [0])
        del group["jc"]
        group.create_dataset("jc", (n + 1,), "u8", chunks=(1 << 20,), compression="gzip")


def mat73_many_rows(path):
    """(16) many rows, few columns."""
    with h5py.File(path, "w") as file:
        mat73_sparse(file.create_group("K"), 2**62, [0, 0])


def mat5_fields(path):
    """A struct with a field per character."""
    body = (
        element(6, struct.pack("<II", 2, 0))
        + element(5, struct.pack("<ii", 0, 0))
        + element(1, b"K")
        + struct.pack("<HHi", 5, 4, 1)
        + element(1, b"a" * 50_000_000)
    )
    path.write_bytes(mat5_file(body, compress=True))


def mat5_cells(path, n=7_000_000):
    """Very many empty cells."""
    body = (
        element(6, struct.pack("<II", 1, 0))
        + element(5, struct.pack("<ii", n, 1))
        + element(1, b"K")
        + struct.pack("<II", 14, 0) * n
    )
    path.write_bytes(mat5_file(body, compress=True))


def mat5_wide_mask(path, n=20_000):
    """A sparse mask of 4e8 pairs without a one."""
    starts = [0] * (n + 1)
    Ct = mat5_sparse(b"Ct", (n, n), [], starts, [])
    reduced = mat5_sparse(b"reducedK", (0, 0), [], [0], [])
    path.write_bytes(mat5_file(Ct, reduced, compress=True))


def octave_text_lines(path):
    """(14) the same in Octave's text format."""
    path.write_bytes(gzip.compress(b"# Created by Octave\n" + b"\n" * 100_000_000 + b"x", 6))


def octave_text_structs(path):
    """Many structs, none of which is there."""
    path.write_text(OCTAVE + "# type: struct\n# ndims: 2\n 100000 100000\n# length: 0\n")


def octave_text_sparse(path):
    """(16) the same in Octave's text format."""
    sizes = "# nnz: 0\n# rows: 1000000000\n# columns: 1000000000\n"
    path.write_text(OCTAVE + "# type: sparse matrix\n" + sizes)


OCTAVE = "# Created by Octave 7.3\n# name: K\n"
FILES = {  # maker: suffix
    mat5_wild_starts: ".mat",
    mat5_wild_rows: ".mat",
    mat73_wild_starts: ".mat",
    octave_wild_starts: ".h5",
    mat73_linked_twice: ".mat",
    dd_nodes: ".dd",
    h5_nodes: ".h5",
    mat_listed_nodes: ".mat",
    dat_long_word: ".dat",
    dat_bomb: ".dat",
    mat73_text: ".mat",
    dd_newlines: ".dd",
    mat73_empty_sparse: ".mat",
    mat73_many_rows: ".mat",
    mat5_fields: ".mat",
    mat5_cells: ".mat",
    mat5_wide_mask: ".mat",
    octave_text_lines: ".mat",
    octave_text_structs: ".mat",
    octave_text_sparse: ".mat",
}
