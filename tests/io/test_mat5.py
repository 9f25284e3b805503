"""MAT files of versions 4 to 7: other writers' files, damage and bombs."""

import io
import struct
import zlib

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.io import files, mat, mat5
from gmtoolbox.io.mat_files import read_variables


def saved(tmp_path, variables, name="x.mat", **options):
    path = tmp_path / name
    scipy.io.savemat(path, variables, **options)
    return path


def test_version_4(tmp_path):
    K = np.random.default_rng(0).random((4, 4))
    assert gm.load(
        saved(tmp_path, {"K": sparse.csc_array(K)}, format="4")
    ) == gm.Problem.from_matrix(K)


def test_never_sparse_int64(tmp_path, random_problem):
    gm.save(random_problem(), tmp_path / "x.mat")
    for name, value in mat5.read_version_5("x", (tmp_path / "x.mat").read_bytes()).items():
        assert not sparse.issparse(value) or value.dtype == np.float64, name


def octave_sparse_logical(compress):
    """A file with Ct as Octave 7 writes a sparse logical: class uint8 + logical, but ir, jc, data
    follow.
    """
    element = lambda kind, data: (
        struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)
    )
    flags = element(6, struct.pack("<II", 9 | 0x200, 3))
    body = flags + element(5, struct.pack("<ii", 2, 2)) + element(1, b"Ct")
    body += (
        element(5, struct.pack("<iii", 0, 1, 1))
        + element(5, struct.pack("<iii", 0, 2, 3))
        + element(9, struct.pack("<ddd", 1, 1, 1))
    )
    matrix = element(14, body)
    if compress:
        packed = zlib.compress(matrix)
        matrix = struct.pack("<II", 15, len(packed)) + packed
    return b"MATLAB 5.0 MAT-file, like Octave".ljust(124) + b"\x00\x01IM" + matrix


@pytest.mark.parametrize("compress", [False, True])
def test_octave_sparse_logical(compress):
    content = octave_sparse_logical(compress)
    with pytest.raises(ValueError):
        scipy.io.loadmat(io.BytesIO(content))
    assert mat5.read_version_5("x", content)["Ct"].toarray().tolist() == [[1, 0], [1, 1]]


MASK = [[1, 0], [1, 1]]


MATRIX = [[0, -0.5, 0, 0], [-0.5, 0, 0, 0], [-1, 0, 2.25, 0], [0, 0, 0, 0]]


def plain(value):
    """Nested lists of a value as it was read, whatever kind of array held it."""
    if isinstance(value, dict):
        return {field: plain(part) for field, part in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return [[plain(part) for part in row] for row in value]
    return (
        value
        if isinstance(value, str)
        else (value.toarray() if sparse.issparse(value) else value).tolist()
    )


OCTAVE = {
    "K": MATRIX,
    "Kd": MATRIX,
    "Ct": MASK,
    "CtD": MASK,
    "offset_i": [[7]],
    "offset_d": [[3.5]],
    "i32": [[1, 2], [3, 4]],
    "u8": [[1, 2, 3]],
    "sg": [[1.5]],
    "cplx": [[1 + 2j, 3]],
    "b": [[True]],
    "em": [],
    "esp": [[0] * 4] * 3,
    "sa": [[{"x": [[1]]}, {"x": [[2]]}, {"x": [[3]]}]],
    "s": {"G": [[1, 0, 1], [0, 1, 0]], "H": [[1, 2], [3, 4]], "name": "gph", "n": [[3]]},
    "c": [[[[1]], "two", [[1, 0], [0, 3]]], [[], [[4]], {"a": [[1]]}]],
}


SCIPY = {
    "K": MATRIX,
    "Kcsr": MATRIX,
    "Karr": MATRIX,
    "Kd": MATRIX,
    "Ct": MASK,
    "Ctb": MASK,
    "off_int": [[0]],
    "off_float": [[3.5]],
    "i32": [[1, 2]],
    "vec": [[0, 1, 2]],
    "boolv": [[True, False]],
    "c": [[[[1]], "two", [[1, 0], [0, 1]]]],
}


TALL = [[0, -0.5, 0], [-0.5, 2.25, 0], [0, 0, -1], [3, 0, 0]]


SAMPLES = {
    "oct_v6.mat": OCTAVE,
    "oct_v7.mat": OCTAVE,
    "oct_v4.mat": {"Kd": MATRIX},
    "oct_v7_denseK.mat": {"Kd": MATRIX},
    "oct_v7_sparseK.mat": {"K": MATRIX},
    "oct_v7_struct.mat": {"s": OCTAVE["s"]},
    "oct_hdf5.h5": {name: OCTAVE[name] for name in ("Ct", "K", "Kd", "i32", "s")},
    "py_v5.mat": {"K": [[1.5, 0], [1.5, 1.5]], "emptysp": [[0] * 3] * 3},
    "py_v5_comp.mat": SCIPY,
    "py_v5_raw.mat": SCIPY,
    "py_v5_1d_col.mat": {"vec": [[0], [1], [2]]},
    **{
        f"py_sparse_{kind}.mat": {"A": MASK}
        for kind in ("bool", "uint8", "int32", "int64", "float32", "float64", "complex128")
    },
    "matlab_style_v73.mat": {"K": TALL, "Kd": TALL, "n": [[5]], "s": {"H": [[0, 2, 4], [1, 3, 5]]}},
}


@pytest.mark.data
def test_files_of_octave_scipy_and_matlab(data):
    samples = data.parent / "oracle" / "mat-samples"
    assert {path.name for path in samples.iterdir()} == SAMPLES.keys()
    for name, expected in SAMPLES.items():
        found = read_variables(samples / name)
        for variable, value in expected.items():
            assert plain(found[variable]) == value, f"{name}: {variable}"
    assert (
        gm.load(samples / "oct_v7_sparseK.mat")
        == gm.load(samples / "oct_v4.mat")
        == gm.load(samples / "oct_v7_denseK.mat")
    )
    masked = gm.Problem.from_matrix(MATRIX, Ct=MASK)
    for name in ("oct_v6.mat", "oct_v7.mat", "oct_hdf5.h5", "py_v5_comp.mat", "py_v5_raw.mat"):
        assert gm.load(samples / name) == masked, name
    assert "Ct (2, 2): mask" in gm.load(samples / "oct_hdf5.h5").origin


@settings(max_examples=times(150), deadline=None)
@given(st.data())
def test_damaged_files_never_crash(tmp_path_factory, random_problem, load_damaged, data):
    content = mat5.version_5_bytes(
        mat.variables_of(random_problem(seed=2), "costs"), compress=data.draw(st.booleans())
    )
    load_damaged(tmp_path_factory.getbasetemp() / "damaged.mat", content, data)


@settings(max_examples=times(200), deadline=None)
@given(st.binary(max_size=200))
def test_noise_never_crashes(noise):
    for head in (
        b"",
        b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM",
        b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI",
    ):
        try:
            mat5.read_version_5("noise", head + noise)
        except gm.FileFormatError:
            pass


def test_indices_out_of_range_are_refused(tmp_path):
    content = bytearray(octave_sparse_logical(False))
    at = content.index(struct.pack("<iii", 0, 1, 1))
    content[at : at + 4] = struct.pack("<i", 2**30)
    with pytest.raises(gm.FileFormatError, match="no readable MAT file"):
        mat5.read_version_5("x", bytes(content))


def test_bombs_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_DECOMPRESSED", 10**6)
    scipy.io.savemat(tmp_path / "bomb.mat", {"K": np.zeros((1000, 1000))}, do_compression=True)
    with pytest.raises(gm.FileFormatError, match="limit of 1000000 bytes"):
        gm.load(tmp_path / "bomb.mat")


def test_deep_nesting_is_refused(tmp_path):
    nested = np.empty((1, 1), dtype=object)
    nested[0, 0] = 1.0
    for _ in range(60):
        outer = np.empty((1, 1), dtype=object)
        outer[0, 0] = nested
        nested = outer
    path = saved(tmp_path, {"c": nested})
    with pytest.raises(gm.FileFormatError, match="nested more than 32 deep"):
        gm.load(path)
