"""Checkpoint files: the state of a long search, with the identity of the run that it belongs to.

A checkpoint is one JSON object: `format`, `identity` (fields that must be the same in a run that
continues), `state` (of the run) and `sha256`, the hash of both. It appears on disk whole or not at
all, and a file that was changed or cut off is refused.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.files import replace_file

FORMAT = "gmtoolbox checkpoint 1"


def write_checkpoint(path, identity, state):
    """Write a checkpoint so that a crash at any moment leaves the old file or the new one."""
    content = {"format": FORMAT, "identity": identity, "state": state}
    content["sha256"] = checksum(identity, state)
    with replace_file(path) as draft:
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(content, file, allow_nan=False)
            file.write("\n")
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
    if not Path(path).exists():
        return None
    try:
        content = json.loads(Path(path).read_bytes())
        known, state, told = content["identity"], content["state"], content["sha256"]
        is_whole = content["format"] == FORMAT and told == checksum(known, state)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_whole = False
    if not is_whole:
        raise FileFormatError(path, "is not a checkpoint, or was damaged; it is left as it is")
    compare_identities(path, known, identity)
    return state


def compare_identities(path, known, wanted):
    """InputError if the checkpoint belongs to another run; it names the first difference."""
    for name, value in wanted.items():
        if known.get(name) != value:
            other = f"a run with {name} {known.get(name)!r}, got {value!r}"
            owner = "another problem" if name == "problem" else other
            raise InputError(f"{path} is the checkpoint of {owner}")


def checksum(identity, state):
    """Return the hash of the content of a checkpoint, as it comes back from its file."""
    text = json.dumps([identity, state], sort_keys=True, allow_nan=False)
    return sha256(text.encode()).hexdigest()
