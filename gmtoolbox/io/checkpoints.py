"""Checkpoint files: the state of a long search, with the identity of the run that it belongs to.

A checkpoint is one JSON object: `format`, `identity` (fields that must be the same in a run that
continues), `state` (of the run) and `sha256`, the hash of both. Large arrays lie in a file of their
own: a line of JSON like that, whose `state` lists names, types and shapes, then their bytes. Both
appear on disk whole or not at all, and a file that was changed or cut off is refused.
"""

import json
import math
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.io.files import replace_file

FORMAT = "gmtoolbox checkpoint 1"
ARRAYS = "gmtoolbox arrays 1"


def write_checkpoint(path, identity, state):
    """Write a checkpoint so that a crash at any moment leaves the old file or the new one."""
    write_whole(path, [header(FORMAT, identity, state)])


def write_arrays(path, identity, arrays):
    """Write {name: array} in the same way."""
    shapes = [[name, x.dtype.str, list(x.shape)] for name, x in arrays.items()]
    content = [np.ascontiguousarray(x) for x in arrays.values()]
    write_whole(path, [header(ARRAYS, identity, shapes, content), *content])


def header(kind, identity, state, content=()):
    """Return the line of JSON that a file begins with."""
    fields = {"format": kind, "identity": identity, "state": state}
    fields["sha256"] = checksum(identity, state, content)
    return (json.dumps(fields, allow_nan=False) + "\n").encode()


def write_whole(path, parts):
    """Write the parts of a file, all of them or none."""
    with replace_file(path) as draft:
        with open(draft, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
    with suppress(OSError):  # the new name, too; not every system can
        folder = os.open(Path(path).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_checkpoint(path, identity):
    """Return the state of a checkpoint, None if there is no such file; InputError if it belongs to
    another run, FileFormatError if it is damaged.
    """
    return read_whole(path, FORMAT, identity, lambda state, content: (state, [content]))


def read_arrays(path, identity):
    """Return {name: array} of a file of arrays; otherwise as read_checkpoint."""

    def cut(shapes, content):
        arrays, at = {}, 0
        for name, kind, shape in shapes:
            kind = np.dtype(kind)
            size = kind.itemsize * math.prod(shape)
            if kind.hasobject or size < 0 or at + size > len(content):
                raise ValueError("the arrays are not in the file")
            arrays[name] = np.frombuffer(content[at : at + size], kind).reshape(shape)
            at += size
        return arrays, [content]

    return read_whole(path, ARRAYS, identity, cut)


def read_whole(path, kind, identity, take):
    """Return the first part of take(state, bytes after the line); the second one are the bytes that
    the checksum covers.
    """
    try:
        line, end, content = Path(path).read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    try:
        fields = json.loads(line)
        known, state = fields["identity"], fields["state"]
        taken, covered = take(state, content)
        is_sum = fields["sha256"] == checksum(known, state, covered)
        is_whole = fields["format"] == kind and is_sum and bool(end)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        is_whole = False
    if not is_whole:
        raise FileFormatError(path, "is not a checkpoint, or was damaged; it is left as it is")
    compare_identities(path, known, identity)
    return taken


def compare_identities(path, known, wanted):
    """InputError if the checkpoint belongs to another run; it names the first difference."""
    for name, value in wanted.items():
        if known.get(name) != value:
            other = f"a run with {name} {known.get(name)!r}, got {value!r}"
            owner = "another problem" if name == "problem" else other
            raise InputError(f"{path} is the checkpoint of {owner}")


def checksum(identity, state, content=()):
    """Return the hash of the content of a checkpoint, as it comes back from its file."""
    text = json.dumps([identity, state], sort_keys=True, allow_nan=False)
    whole = sha256(text.encode())
    for part in content:
        whole.update(part)
    return whole.hexdigest()
