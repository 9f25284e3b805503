"""HDF5 files made in memory: on a full disk the HDF5 library ends the process (SIGSEGV), so that
only whole images of files go to disk, by write_bytes.
"""

import secrets

from gmtoolbox.core.lazy import h5py

GROWTH = 2**20  # bytes by which the image grows
# metadata with checksums, so that HDF5 notices damage instead of following it; fletcher32 does so
# for the data
CHECKSUMS = {"libver": ("v108", "v108")}


def hdf5_bytes(fill, **settings):
    """Return the bytes of the HDF5 file that fill(file) writes; settings are h5py.File's.

    A user block, if one is asked for, is left out: the caller puts his own in front.
    """
    name = secrets.token_hex(8)  # two files of one name in two threads would be one
    memory = {"driver": "core", "backing_store": False, "block_size": GROWTH}
    with h5py.File(name, "w", **memory, **settings) as file:
        fill(file)
        file.flush()
        return file.id.get_file_image()
