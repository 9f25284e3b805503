"""Mutants of good files: bytes changed, cut, copied, exchanged, odd numbers put in, two files
crossed. Every second mutant of a JSON or HDF5 file stays one and holds other values.
"""

import copy
import io
import json
import struct

import h5py
import numpy as np

ODD = [
    struct.pack(form, value)
    for form, value in (
        ("<i", -1), ("<i", 2**31 - 1), ("<I", 2**31), ("<i", 0), ("<q", -1), ("<q", 2**62),
        ("<d", float("nan")), ("<d", float("inf")), ("<d", 1e308), ("<d", -0.0), ("<H", 65535),
    )
]  # fmt: skip
ODD += [b"\n", b"\0", b"nan", b"1e999", b"-1", b"99999999999999999999", b" ", b"#", b"\x1b[31m"]
ODD_VALUES = [
    None, True, 0, -1, 2**31, 2**70, 1.5, -1e308, float("nan"), float("inf"), "", "x", "1", "../x",
    "..", "\ud800", "\x1b[31m", "a\nb", [], {}, [None], [[]], [[0]], ["x"], [1.5], [0] * 50,
    {"a": 1},
]  # fmt: skip
ODD_KEYS = ["x", "", "0", "1, 0", "-1 3", "\ud800"]
ODD_ARRAYS = [
    np.array([]), np.zeros((2, 0)), np.array(1.0), np.array(-1), np.array([1, 2, 3]), np.arange(50),
    np.array([np.nan]), np.array([np.inf] * 4), np.array([1j]), np.array([True, False]),
    np.array([2**62]), np.zeros((2, 2, 2)), np.array([0, 1, 2, 3, 10**9]), np.array([b"a", b"b"]),
    np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]), np.float16(2), h5py.Empty("f8"), "text", b"x",
]  # fmt: skip


def mutant(rng, contents):
    """Another file, from one of some good ones."""
    content = rng.choice(contents)
    if rng.random() < 0.5 and content[:1] == b"{":
        return json_mutant(rng, json.loads(content))
    if rng.random() < 0.5 and b"\x89HDF" in content[:516]:  # behind MATLAB's 512 bytes, too
        return hdf5_mutant(rng, content)
    return bytes_mutant(rng, content, contents)


def bytes_mutant(rng, content, contents):
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        kind, at = rng.randrange(8), rng.randrange(len(data) + 1)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 2:
            del data[at : at + rng.choice((1, 4, 8, 100))]
        elif kind == 3:
            data[at:at] = rng.choice(ODD)
        elif kind == 4:
            odd = rng.choice(ODD)
            data[at : at + len(odd)] = odd
        elif kind == 5:
            source = rng.randrange(len(data) + 1)
            data[at:at] = data[source : source + rng.choice((1, 8, 64))]
        elif kind == 6 and rng.random() < 0.2:
            del data[at:]
        elif kind == 7:
            other = rng.choice(contents)
            data[at:] = other[rng.randrange(len(other) + 1) :]
    return bytes(data)


def json_mutant(rng, value):
    """Other JSON: some values removed, repeated, renamed or exchanged for odd ones."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = list(places_in(value))
        if not places:
            break
        holder, key = rng.choice(places)
        kind = rng.randrange(8)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, dict):
            holder[rng.choice(ODD_KEYS)] = holder.pop(key)
        elif kind == 1:
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[key] = copy.deepcopy(rng.choice(ODD_VALUES))
    return json.dumps(value).encode()


def hdf5_mutant(rng, content):
    """Other HDF5: some items or attributes removed, exchanged for odd ones or for links."""
    file = io.BytesIO(content)
    with h5py.File(file, "r+") as h5:
        for _ in range(rng.choice((1, 1, 2))):
            names = []
            h5.visit(names.append)
            attributes = [(name, key) for name in ("/", *names) for key in h5[name].attrs]
            name, key = rng.choice(attributes + [(name, None) for name in names])
            kind, value = rng.randrange(8), rng.choice(ODD_ARRAYS)
            if key is not None and kind == 0:
                del h5[name].attrs[key]
            elif key is not None:
                h5[name].attrs[key] = value
            else:
                kept = dict(h5[name].attrs)
                del h5[name]
                if kind < 3:
                    h5[name] = (h5py.SoftLink("/"), h5py.ExternalLink("x", "/"), np.dtype("f8"))[
                        kind
                    ]
                elif kind < 7:
                    new = (
                        h5.create_group(name) if kind == 3 else h5.create_dataset(name, data=value)
                    )
                    new.attrs.update(kept)
    return file.getvalue()


def places_in(value):
    """(holder, key) of everything inside of a JSON value."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places_in(value[key])
