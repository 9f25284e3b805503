"""Many graphs in one HDF5 file."""

from multi_cases import check_kept


def test_hdf5_keeps_everything(tmp_path, scene):
    check_kept(scene, tmp_path, "m.h5")
