"""Bytes in and out, for every format: decompressed within a limit, written whole or not at all."""

import gzip
import lzma
import os
import secrets
import zlib
from contextlib import contextmanager
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError

MAX_DECOMPRESSED = 2**30  # bytes a compressed text may expand to
XZ_MEMORY = 2**28  # bytes of dictionary an xz file may ask for
CHUNK = 2**20


def read_bytes(path):
    """The file's content with a 0 byte behind it; gzip and xz are known by their first bytes, not
    by the name.
    """
    with open(path, "rb") as file:
        magic = file.peek(6)[:6]
        if magic[:2] == b"\x1f\x8b":
            return decompress(path, gzip.GzipFile(fileobj=file))
        if magic == b"\xfd7zXZ\x00":
            return decompress(path, XzReader(file))
        return file.read() + b"\0"


class XzReader:
    """lzma.LZMAFile with a limit on the memory that the file's header may ask for."""

    def __init__(self, file):
        self.file, self.decoder = (
            file,
            lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=XZ_MEMORY),
        )

    def read(self, size):
        while not self.decoder.eof:
            data = self.file.read(CHUNK) if self.decoder.needs_input else b""
            if self.decoder.needs_input and not data:
                raise EOFError("the xz stream is cut off")
            block = self.decoder.decompress(data, size)
            if block:
                return block
        return b""


def decompress(path, stream):
    blocks, total = [], 0
    try:
        while block := stream.read(CHUNK):
            blocks.append(block)
            total += len(block)
            if total > MAX_DECOMPRESSED:
                raise FileFormatError(
                    path, f"expands to more than the limit of {MAX_DECOMPRESSED} bytes"
                )
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise FileFormatError(path, f"cannot be decompressed: {error}") from error
    return b"".join([*blocks, b"\0"])


@contextmanager
def replacing(path):
    """Gives a path beside `path` to write to, and moves it there when the block ends without an
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
    except OSError as error:
        raise type(error)(
            error.errno, error.strerror, str(path)
        ) from None  # nobody knows the draft's name
    try:
        yield draft
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def write_bytes(path, content):
    """Write the whole file, compressed if the name ends in .gz or .xz; the same content gives the
    same bytes.
    """
    name = str(path).lower()
    if name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    elif name.endswith(".xz"):
        content = lzma.compress(content)
    with replacing(path) as draft:
        draft.write_bytes(content)
