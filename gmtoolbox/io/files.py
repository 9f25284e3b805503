"""Bytes in and out, for every format: read within an allowance, written whole or not at all.

A file of s bytes may make its reader take FREE + PER_BYTE * s bytes of memory, and never more than
MAX_DECOMPRESSED. Whatever a reader allocates because a file says so
(decompressed text, datasets, announced nodes, rows and cells) it takes from the Allowance first, so
a small file costs little memory and little time, whatever it claims.
"""

import gzip
import json
import lzma
import os
import secrets
import zlib
from contextlib import contextmanager
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError

FREE = 2**26  # bytes that any file may ask for
PER_BYTE = 1000  # and for each of its own bytes: about what deflate can do at best
MAX_DECOMPRESSED = 2**30  # and never more than this
NODE_BYTES = 16  # that an announced node counts for, or a row of a sparse matrix
XZ_MEMORY = 2**28  # bytes of dictionary an xz file may ask for
CHUNK = 2**20
XZ_PRESET = 0  # eight times as fast as xz's own default on costs, at a fifth more bytes


class Allowance:
    """How many bytes a file may still make its reader take."""

    def __init__(self, path, size=None, most=None):
        """size: of the file, if its content is here already; most: instead of MAX_DECOMPRESSED."""
        self.path = path
        size = os.stat(path).st_size if size is None else size
        self.limit = min(FREE + PER_BYTE * size, MAX_DECOMPRESSED if most is None else most)
        self.remaining = self.limit

    def take(self, name, n_bytes):
        """Note that `name` is about to take n_bytes; FileFormatError if the file is too small for
        that.
        """
        self.remaining -= int(n_bytes)
        if self.remaining < 0:
            raise FileFormatError(
                self.path,
                f"{name}: expands to more than the limit of {self.limit} bytes for a file of this"
                " size",
            )


def read_bytes(path, allowance=None):
    """The file's content with a 0 byte behind it; gzip and xz are known by their first bytes, not
    by the name. What compressed content expands to is taken from the allowance.
    """
    allowance = allowance or Allowance(path)
    with open(path, "rb") as file:
        stream = decompressing(file)
        return file.read() + b"\0" if stream is file else decompress(allowance, stream)


def first_bytes(path, n=2**16):
    """The first n bytes of the content, or fewer; b"" where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return decompressing(file).read(n)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        return b""  # whoever reads it in earnest tells what is wrong


def decompressing(file):
    """A stream of the content of an open file: gzip and xz are known by their first bytes."""
    magic = file.peek(6)[:6]
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    return XzReader(file) if magic == b"\xfd7zXZ\x00" else file


class XzReader:
    """lzma.LZMAFile with a limit on the memory that the file's header may ask for."""

    def __init__(self, file):
        self.file = file
        self.decoder = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=XZ_MEMORY)

    def read(self, size):
        """Up to `size` bytes of the content, b"" at its end."""
        while not self.decoder.eof:
            data = self.file.read(CHUNK) if self.decoder.needs_input else b""
            if self.decoder.needs_input and not data:
                raise EOFError("the xz stream is cut off")
            plain = self.decoder.decompress(data, size)
            if plain:
                return plain
        return b""


def decompress(allowance, stream):
    """All that a stream gives, with a 0 byte behind it, within the allowance."""
    parts = []
    try:
        while data := stream.read(CHUNK):
            allowance.take("the text", len(data))
            parts.append(data)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise FileFormatError(allowance.path, f"cannot be decompressed: {error}") from error
    return b"".join([*parts, b"\0"])


def inflated(data, allowance, name):
    """What a zlib stream expands to, within the allowance."""
    decoder = zlib.decompressobj()
    content = decoder.decompress(data, max(allowance.remaining, 0) + 1)
    allowance.take(name, len(content))
    return content


@contextmanager
def refusing(path, complaint):
    """Whatever is raised inside, where a damaged file trips over the first rule that it breaks,
    becomes a FileFormatError with this complaint.
    """
    try:
        yield
    except FileFormatError:
        raise
    except Exception as error:
        text = f"{complaint}: {type(error).__name__}: {error}"
        raise FileFormatError(path, text) from error


@contextmanager
def replacing(path):
    """Gives a path beside `path` to write to, and moves the file there at the end, if there was no
    error.
    """
    path = Path(path)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        kind = "a symbolic link" if path.is_symlink() else "no regular file"
        raise InputError(f"{path} is {kind}; output replaces regular files only")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:  # names the draft, of which nobody knows
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        yield draft
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def is_plain_name(name):
    """Whether a name from outside can be that of a file in a folder: text that can be shown and
    does not lead to another folder, on any system.
    """
    return (
        isinstance(name, str)
        and name.isprintable()
        and name not in ("", ".", "..")
        and not any(letter in name for letter in "/\\:")
    )


def write_bytes(path, content):
    """Write the whole file, compressed if the name ends in .gz or .xz; the same content gives the
    same bytes.
    """
    name = str(path).lower()
    if name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    elif name.endswith(".xz"):
        content = lzma.compress(content, preset=XZ_PRESET)
    with replacing(path) as draft:
        draft.write_bytes(content)


def names_to_text(names):
    """Names of nodes as JSON: text and numbers stay what they are, tuples become lists."""
    plain = (str, int, float, bool, list, tuple)
    return json.dumps(
        [name if isinstance(name, plain) else str(name) for name in names], ensure_ascii=True
    )


def names_from_text(field, text, n):
    """The tuple of n names that names_to_text wrote, or InputError."""
    try:
        names = json.loads(text)
        if not isinstance(names, list) or len(names) != n:
            raise ValueError(f"a list of {n} names is needed")
        found = tuple(tuple(name) if isinstance(name, list) else name for name in names)
        if len(set(found)) != n:
            raise ValueError("two nodes have the same name")
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{field} must be a JSON list of different names: {error}") from error
    return found
