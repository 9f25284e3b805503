"""HDF5 from strangers: plain local datasets only."""

import h5py
import numpy as np
import pytest

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.io.files import Allowance
from gmtoolbox.io.h5safe import attribute, member, open_hdf5, values


@pytest.fixture
def path(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["plain"] = np.arange(5.0)
        file["soft"] = h5py.SoftLink("/plain")
        file["far"] = h5py.ExternalLink("other.h5", "/x")
        file["empty"] = h5py.Empty("f")
        file.create_group("group")
        file.attrs["fixed"] = np.bytes_("text")
        file.attrs["variable"] = "text"
        file.attrs["number"] = 3
    return tmp_path / "x.h5"


def test_what_is_read(path):
    with open_hdf5(path) as file:
        allowance = Allowance(path)
        assert values(member(file, "plain"), allowance, "plain").tolist() == [0, 1, 2, 3, 4]
        assert values(member(file, "empty"), allowance, "empty").size == 0
        assert member(file, "absent") is None and attribute(file, "absent", 7) == 7
        assert attribute(file, "fixed") == "text" and attribute(file, "number") == 3


@pytest.mark.parametrize(
    "read, message",
    [
        (lambda file, allowance: member(file, "soft"), "SoftLink"),
        (lambda file, allowance: member(file, "far"), "ExternalLink"),
        (lambda file, allowance: attribute(file, "variable"), "variable length"),
        (lambda file, allowance: values(file["group"], allowance, "group"), "must be a dataset"),
    ],
)
def test_what_is_refused(path, read, message):
    with pytest.raises(FileFormatError, match=message), open_hdf5(path) as file:
        read(file, Allowance(path))


def test_the_allowance_is_asked_first(path):
    with pytest.raises(FileFormatError, match="limit"), open_hdf5(path) as file:
        allowance = Allowance(path)
        allowance.remaining = 8
        values(file["plain"], allowance, "plain")


def test_a_missing_file_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError), open_hdf5(tmp_path / "absent.h5"):
        pass


@pytest.mark.parametrize("size", [0, 3, 4])
def test_a_chunk_shorter_than_its_checksum(tmp_path, size):
    """Found by fuzzing: HDF5 2.0 subtracted 4 from the length and ended with SIGSEGV."""
    path = tmp_path / "x.h5"
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        file.create_dataset("x", data=np.arange(4.0), chunks=(4,), fletcher32=True)
    content = bytearray(path.read_bytes())
    node = content.index(b"TREE\x01")  # a node of the chunks' B-tree: 24 bytes, then the first key
    assert content[node + 24] == 4 * 8 + 4
    content[node + 24] = size
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=f"x has a chunk of {size} bytes"):
        with open_hdf5(path) as file:
            values(file["x"], Allowance(path), "x")
