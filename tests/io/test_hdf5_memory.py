"""HDF5 files made in memory are what the library writes to disk."""

import io
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from gmtoolbox.io.hdf5_memory import CHECKSUMS, hdf5_bytes


def fill(file):
    file.attrs["x"] = 1
    numbers = np.arange(5000.0)
    file.create_dataset("a", data=numbers, compression="gzip", shuffle=True, fletcher32=True)


def test_the_bytes_are_those_of_a_file_on_disk(tmp_path):
    for settings in ({}, CHECKSUMS, {"userblock_size": 512}):
        with h5py.File(tmp_path / "x.h5", "w", **settings) as file:
            fill(file)
        on_disk = (tmp_path / "x.h5").read_bytes()
        assert on_disk[settings.get("userblock_size", 0) :] == hdf5_bytes(fill, **settings)


def test_nothing_touches_the_disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hdf5_bytes(fill)
    assert not list(tmp_path.iterdir())


def test_threads_do_not_share_a_file():
    def one(k):
        content = hdf5_bytes(lambda file: file.create_dataset("k", data=np.full(2000, k)))
        with h5py.File(io.BytesIO(content), "r") as file:
            return set(file["k"][:].tolist()) == {k}

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(one, range(40)))
