"""MAT files of version 7.3: values, MATLAB's layout, hostile files."""

import h5py
import numpy as np
import pytest
from h5_changes import bomb, put
from hypothesis import given, settings
from hypothesis import strategies as st
from octave_process import needs_octave, run_plain_octave
from repetition import times
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.io import mat73
from gmtoolbox.io.mat_files import read_variables


def save_variables(path, variables):
    path.write_bytes(mat73.variables_bytes(variables))


def test_version_73_values(tmp_path):
    """Everything the writer writes, and cells, empties and complex numbers as MATLAB lays them
    out.
    """
    given = {
        "dense": np.arange(6.0).reshape(2, 3),
        "whole": np.array([[1, 2]], dtype=np.int16),
        "flag": np.array([[True, False]]),
        "text": "min",
        "none": np.zeros((0, 3)),
        "sparse": sparse.csc_array(np.diag([1.0, 0, 2])),
        "void": sparse.csc_array((3, 4)),
        "s": {"G": sparse.csc_array(np.eye(2)), "n": np.array([[3.0]])},
    }
    path = tmp_path / "x.mat"
    save_variables(path, given)
    assert path.read_bytes()[:10] == b"MATLAB 7.3" and path.read_bytes()[124:128] == b"\x00\x02IM"
    with h5py.File(path, "r+") as file:
        one = file.create_dataset("#refs#/a", data=np.ones((2, 1)))
        two = file.create_dataset("#refs#/b", data=np.array([[104], [105]], dtype=np.uint16))
        two.attrs["MATLAB_class"] = np.bytes_("char")
        cell = file.create_dataset("cell", shape=(2, 1), dtype=h5py.ref_dtype)
        cell[0, 0], cell[1, 0] = one.ref, two.ref
        file.create_dataset(
            "complex", data=np.array([[(1.0, 2.0)]], dtype=[("real", float), ("imag", float)])
        )
    found = read_variables(path)
    for name in ("dense", "whole", "flag", "none"):
        assert (
            found[name].shape == given[name].shape and found[name].tolist() == given[name].tolist()
        )
    assert found["text"] == "min" and found["complex"].tolist() == [[1 + 2j]]
    for name in ("sparse", "void"):
        assert (found[name] != given[name]).nnz == 0 and found[name].shape == given[name].shape
    assert (found["s"]["G"] != given["s"]["G"]).nnz == 0 and found["s"]["n"].tolist() == [[3.0]]
    assert (
        found["cell"].shape == (1, 2)
        and found["cell"][0, 0].tolist() == [[1.0, 1.0]]
        and found["cell"][0, 1] == "hi"
    )


def test_layout_is_matlabs(tmp_path):
    """What MATLAB looks for: reversed dimensions and a class everywhere; marks of logicals, empties
    and sparse matrices.
    """
    path = tmp_path / "x.mat"
    void = sparse.csc_array((3, 4))
    K = sparse.csc_array(np.eye(3)[:, :2])
    save_variables(
        path,
        {
            "d": np.ones((2, 3)),
            "b": np.ones((1, 2)) > 0,
            "e": np.zeros((0, 3)),
            "K": K,
            "v": void,
            "s": {"t": "hi"},
        },
    )
    with h5py.File(path) as file:
        classes = {
            "d": b"double",
            "b": b"logical",
            "e": b"double",
            "K": b"double",
            "v": b"double",
            "s": b"struct",
            "s/t": b"char",
        }
        assert {name: file[name].attrs["MATLAB_class"] for name in classes} == classes
        assert (
            file["d"].shape == (3, 2)
            and file["s/t"].dtype == np.uint16
            and file["s/t"][:].ravel().tolist() == [104, 105]
        )
        assert file["b"].dtype == np.uint8 and file["b"].attrs["MATLAB_int_decode"] == 1
        assert file["e"].attrs["MATLAB_empty"] == 1 and file["e"][:].tolist() == [0, 3]
        assert file["K"].attrs["MATLAB_sparse"] == 3 and file["v"].attrs["MATLAB_sparse"] == 3
        assert (
            file["K/ir"][:].tolist() == [0, 1]
            and file["K/jc"][:].tolist() == [0, 1, 2]
            and file["K/data"][:].tolist() == [1, 1]
        )
        assert set(file["v"]) == {"jc"} and file["v/jc"][:].tolist() == [0] * 5


def test_bare_affinity(tmp_path):
    A, B = np.random.default_rng(0).random((2, 4, 4))
    save_variables(tmp_path / "one.mat", {"A": sparse.csc_array(A), "list": np.ones((2, 3))})
    assert gm.load(tmp_path / "one.mat") == gm.Problem.from_matrix(A)
    save_variables(tmp_path / "two.mat", {"A": A, "B": B})
    assert gm.load(tmp_path / "two.mat", key="B") == gm.Problem.from_matrix(B)
    with pytest.raises(gm.FileFormatError, match=r"2 square matrices \(A, B\).*key="):
        gm.load(tmp_path / "two.mat")


@needs_octave
def test_octave_reads_our_73(tmp_path, random_problem):
    problem = random_problem(offset=1.0)
    gm.save(problem, tmp_path / "ours.mat", version="7.3")
    script = (
        "v = load('ours.mat'); K = v.K; n = numel(K.jc) - 1; j = repelem(1:n,"
        " diff(double(K.jc(:))'));A = sparse(double(K.ir(:)) + 1, j(:), K.data(:), n, n);"
        " assert(v.offset == 1);d = struct(); d.K = A; d.Ct = zeros(4, 6); c = v.Ct; k ="
        " repelem(1:6, diff(double(c.jc(:))'));d.Ct = sparse(double(c.ir(:)) + 1, k(:), 1, 4, 6) >"
        " 0; d.offset = 1; save('-hdf5', 'theirs.h5', '-struct', 'd');"
    )
    run_plain_octave(script, tmp_path)
    theirs = gm.load(tmp_path / "theirs.h5")
    assert (theirs.K != problem.K).nnz == 0 and theirs.offset == 1.0 and theirs.sense == "min"


def v73(tmp_path, change):
    path = tmp_path / "x.mat"
    save_variables(path, {"K": sparse.csc_array(np.eye(4))})
    with h5py.File(path, "r+") as file:
        change(file)
    return path


def self_reference(file):
    loop = file.create_dataset("loop", shape=(1, 1), dtype=h5py.ref_dtype)
    loop[0, 0] = loop.ref


def two_references(file):
    """A cell of two references to itself: 2^depth cells if nobody counts."""
    loop = file.create_dataset("loop", shape=(2, 1), dtype=h5py.ref_dtype)
    loop[0, 0] = loop[1, 0] = loop.ref


def many_references(file):
    """A million cells behind two datasets of a thousand references each."""
    leaf = file.create_dataset("#refs#/leaf", data=np.ones((1, 1)))
    inner = file.create_dataset(
        "#refs#/inner", data=np.full((1000, 1), leaf.ref), dtype=h5py.ref_dtype
    )
    file.create_dataset("cells", data=np.full((1000, 1), inner.ref), dtype=h5py.ref_dtype)


def external_link(file):
    file["E"] = h5py.ExternalLink("/etc/passwd", "/")


def soft_link(file):
    file["E"] = h5py.SoftLink("/E")


def external_storage(file):
    file.create_dataset("E", shape=(4, 4), dtype="u1", external=[("/etc/passwd", 0, 16)])


def virtual(file):
    layout = h5py.VirtualLayout(shape=(4,), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "data", shape=(4,))
    file.create_virtual_dataset("E", layout)


HOSTILE = [
    (self_reference, "nested more than 32 deep, or refer to themselves"),
    (two_references, "refer to themselves"),
    (many_references, "more than 1500 cells"),
    (external_link, "E is a ExternalLink; links are not followed"),
    (soft_link, "E is a SoftLink; links are not followed"),
    (external_storage, "keeps its data in another file"),
    (virtual, "keeps its data in another file"),
    (bomb, "expands to more than the limit"),
    (lambda file: file.__delitem__("K/jc"), "K is sparse, but has no jc"),
    (lambda file: file.__delitem__("K/ir"), "K is sparse, but has no ir"),
    (lambda file: file.__delitem__("K/data"), "K is sparse, but has no data"),
    (put("K/ir", np.array([0, 1, 2, 99], dtype=np.uint64)), "no readable HDF5 file"),
    (put("K/jc", np.array([0, 1, 9, 3, 4], dtype=np.uint64)), "no readable HDF5 file"),
    (put("K/jc", np.array([b"text"])), "no readable HDF5 file"),
    (put("K/data", np.ones(3)), "no readable HDF5 file"),
    (put("K", np.ones((2, 3))), "K must be a square matrix"),
    (put("K", h5py.Empty("f8")), "square|empty"),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("change, message", HOSTILE)
def test_hostile_73_files(tmp_path, monkeypatch, change, message):
    monkeypatch.setattr(mat73, "MAX_CELLS", 1500)
    path = v73(tmp_path, change)
    with pytest.raises(gm.FileFormatError) as caught:
        gm.load(path)
    assert str(path) in str(caught.value) and any(
        part in str(caught.value) for part in message.split("|")
    )


@settings(max_examples=times(30), deadline=None)
@given(st.data())
@pytest.mark.timeout(120)
def test_damaged_73_files_never_crash(tmp_path_factory, random_problem, load_damaged, data):
    path = tmp_path_factory.getbasetemp() / "damaged.mat"
    gm.save(random_problem(seed=1), path, version="7.3")
    load_damaged(path, path.read_bytes(), data, first=512)
