"""HDF5 files made in memory: on a full disk the HDF5 library ends the process (SIGSEGV), so that
only whole files go to disk, by write_bytes.

Not by the library's own file images: HDF5 1.14 changes the flags of an image's first block and
leaves its checksum as it was.
"""

import io

from gmtoolbox.core.lazy import h5py

# metadata with checksums, so that HDF5 notices damage instead of following it; fletcher32 does so
# for the data
CHECKSUMS = {"libver": ("v108", "v108")}


def hdf5_bytes(fill, **settings):
    """Return the bytes of the HDF5 file that fill(file) writes; settings are h5py.File's.

    A user block, if one is asked for, is left out: the caller puts his own in front.
    """
    stream = io.BytesIO()
    with h5py.File(stream, "w", **settings) as file:
        fill(file)
    return stream.getvalue()[settings.get("userblock_size", 0) :]
