"""HDF5 files from strangers: only plain local datasets, of a limited size, through known
filters.
"""

from contextlib import contextmanager

from gmtoolbox.core.lazy import h5py, np
from gmtoolbox.io.files import refuse_errors

CHECKSUM = 3
# All that are allowed: others would load plug-ins
FILTERS = {1: "deflate", 2: "shuffle", CHECKSUM: "fletcher32", 32000: "lzf"}


@contextmanager
def open_hdf5(path):
    """The file, read only; everything HDF5 trips over becomes a FileFormatError."""
    with open(path, "rb"):  # a missing file is the operating system's error, not a format error
        pass
    with refuse_errors(path, "is no readable HDF5 file"), h5py.File(path, "r") as file:
        yield file


def member(group, name):
    """The member of a group, None if absent; links that leave the group are refused."""
    link = group.get(name, getlink=True)
    if link is None:
        return None
    if not isinstance(link, h5py.HardLink):
        raise ValueError(f"{name} is a {type(link).__name__}; links are not followed")
    return group[name]


def attribute(item, name, default=None):
    """An attribute as str, number or array. Variable-length ones are refused: their heap has no
    checksum, and HDF5 can be led in circles by it.
    """
    if name not in item.attrs:
        return default
    dtype = item.attrs.get_id(name).dtype
    text = h5py.check_string_dtype(dtype)
    if dtype.kind == "O" or (text is not None and text.length is None):
        raise ValueError(
            f"attribute {name} has variable length; fixed-length text and numbers are read"
        )
    value = item.attrs[name]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def values(dataset, allowance, name):
    """The whole dataset as an array, if it is plain; name is its name in messages (HDF5 is slow to
    find out).
    """
    if not isinstance(dataset, h5py.Dataset):
        raise ValueError(f"{name} must be a dataset, is a {type(dataset).__name__}")
    if dataset.external or dataset.is_virtual:
        raise ValueError(f"{name} keeps its data in another file; that is not followed")
    plist = dataset.id.get_create_plist()
    filters = [plist.get_filter(k)[0] for k in range(plist.get_nfilters())]
    unknown = [code for code in filters if code not in FILTERS]
    if unknown:
        raise ValueError(f"{name} uses filter {unknown[0]}; known are {' '.join(FILTERS.values())}")
    if dataset.shape is None:
        return np.zeros(0)
    if CHECKSUM in filters:
        check_chunks(dataset, name)
    allowance.take(name, dataset.size * dataset.dtype.itemsize)
    return dataset[()]


def check_chunks(dataset, name):
    """HDF5 takes the four bytes of a checksum from a chunk's length without looking whether it has
    this many, and then reads to the end of the memory.
    """
    sizes, chunks = [], dataset.id
    if hasattr(chunks, "chunk_iter"):  # HDF5 1.14
        chunks.chunk_iter(lambda chunk: sizes.append(chunk.size))
    else:
        sizes += [chunks.get_chunk_info(k).size for k in range(chunks.get_num_chunks())]
    if min(sizes, default=5) <= 4:
        raise ValueError(f"{name} has a chunk of {min(sizes)} bytes, which is none")
