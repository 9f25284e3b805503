"""The fields of one Problem in an open HDF5 file, or in a group of it."""

import h5py
import pytest

import gmtoolbox as gm
from gmtoolbox.io.hdf5_fields import read_fields, write_fields


@pytest.fixture
def group(tmp_path):
    """A group of an open file."""
    with h5py.File(tmp_path / "x.h5", "w") as file:
        yield file.create_group("pair_0_1")


def test_group_keeps_every_field(tmp_path, group, random_problem):
    wanted = random_problem(complete=True, offset=0.1)
    write_fields(wanted, group)
    assert gm.Problem(**read_fields(tmp_path / "x.h5", group)) == wanted


def test_missing_field_is_named(tmp_path, group, random_problem):
    write_fields(random_problem(), group)
    del group["cost"]
    with pytest.raises(gm.FileFormatError, match="dataset cost is missing"):
        read_fields(tmp_path / "x.h5", group)
    del group.attrs["sense"]
    with pytest.raises(gm.FileFormatError, match="attribute sense is missing"):
        read_fields(tmp_path / "x.h5", group)
