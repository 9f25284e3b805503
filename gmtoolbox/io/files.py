"""Bytes in and out, for every format: read within an allowance, written whole or not at all.

A file of s bytes may make its reader take FREE + PER_BYTE * s bytes of memory, and never more than
MAX_DECOMPRESSED. Whatever a reader allocates because a file says so
(decompressed text, datasets, announced nodes, rows and cells) it takes from the Allowance first, so
a small file costs little memory and little time, whatever it claims.

Files are written as drafts next to those that they will replace. A thread whose call was given up
(Ctrl-C a second time) may still be writing when the interpreter ends, which stops it wherever it
is. So the end of the process waits a moment for the drafts that are open, deletes those that
remain, and no thread begins another one.
"""

import atexit
import codecs
import gzip
import json
import lzma
import os
import secrets
import shutil
import threading
import time
import zlib
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.saved import plain, revive_name

FREE = 2**26  # bytes that any file may ask for
PER_BYTE = 1000  # and for each of its own bytes: about the best compression of deflate
MAX_DECOMPRESSED = 2**30  # and never more than this
NODE_BYTES = 16  # that an announced node counts for, or a row of a sparse matrix
XZ_MEMORY = 2**28  # bytes of dictionary an xz file may ask for
CHUNK = 2**20
PATIENCE = 1.0  # seconds that the end of the process waits for drafts
LOOK = 0.01  # seconds between two looks at them
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
    by the name. The size of the expanded content is taken from the allowance.
    """
    allowance = allowance or Allowance(path)
    with open(path, "rb") as file:
        stream = open_decompressed(file)
        return file.read() + b"\0" if stream is file else decompress(allowance, stream)


def first_bytes(path, n=2**16):
    """Return the first n bytes of the content, or fewer; b"" if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return open_decompressed(file).read(n)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        return b""  # the actual reader raises the error


def open_decompressed(file):
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


def inflate(data, allowance, name):
    """Return the content of a zlib stream, within the allowance."""
    decoder = zlib.decompressobj()
    content = decoder.decompress(data, max(allowance.remaining, 0) + 1)
    allowance.take(name, len(content))
    return content


@contextmanager
def refuse_errors(path, complaint):
    """Turn any error inside, which a damaged file may cause at the first rule that it breaks,
    into a FileFormatError with this complaint.
    """
    try:
        yield
    except FileFormatError:
        raise
    except Exception as error:
        text = f"{complaint}: {type(error).__name__}: {error}"
        raise FileFormatError(path, text) from error


class Drafts:
    """The drafts of a process."""

    def __init__(self):
        self.open, self.guard, self.is_over = set(), threading.Lock(), False

    @contextmanager
    def new(self, draft):
        """Make the empty file `draft`, which is deleted at the end if it is still there."""
        own = os.getpid(), draft  # a process made by fork leaves those of its parent alone
        with self.guard:
            if self.is_over and threading.current_thread() is not threading.main_thread():
                raise OSError(f"{draft}: the process ends")
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            self.open.add(own)
        try:
            yield
        finally:
            draft.unlink(missing_ok=True)
            self.open.discard(own)

    def left(self):
        """Return the drafts that this process has open."""
        return [draft for pid, draft in list(self.open) if pid == os.getpid()]

    def end(self):
        """Wait for drafts of other threads, and delete those that are not done."""
        with self.guard:
            self.is_over = True
        until = time.monotonic() + PATIENCE
        while self.left() and time.monotonic() < until:
            time.sleep(LOOK)
        for draft in self.left():
            draft.unlink(missing_ok=True)


DRAFTS = Drafts()
atexit.register(DRAFTS.end)


@contextmanager
def replace_file(path):
    """Yield a path next to `path` to write to, and move the file there at the end, if there was no
    error; otherwise the draft is deleted.
    """
    path = Path(path)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        kind = "a symbolic link" if path.is_symlink() else "no regular file"
        raise InputError(f"{path} is {kind}; output replaces regular files only")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with name_path(path, draft), DRAFTS.new(draft):
        yield draft
        os.replace(draft, path)


@contextmanager
def replace_folder(path):
    """Give a new folder to write to, and move its files to the folder `path`, which must not exist
    or be empty, at the end, if there was no error; otherwise they are deleted.
    """
    path = Path(path)
    there = path.exists()
    if there and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path} must be a new or an empty folder")
    hidden = f".{path.name}.{secrets.token_hex(4)}"
    draft = path / hidden if there else path.with_name(hidden)
    try:
        with name_path(path, draft):
            draft.mkdir()
            yield draft
            if there:  # it may be the folder that this process runs in
                for member in draft.iterdir():
                    member.rename(path / member.name)
            else:
                draft.rename(path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def name_path(path, draft):
    """An OSError inside (no room on the disk, say) names the path, not its draft."""
    try:
        yield
    except OSError as error:
        named = error.filename is None or str(error.filename).startswith(str(draft))
        if error.errno is None or not named:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None


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
    with replace_file(path) as draft:
        draft.write_bytes(content)


def json_text(value):
    """One line of JSON; letters stay as they are, unless there are some that UTF-8 does not have
    (lone surrogates): then all but ASCII is escaped.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if is_utf8(text) else json.dumps(value, ensure_ascii=True, allow_nan=False)


def is_utf8(text):
    """Whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def import_for(module, path):
    """Return a package that is needed for this file only."""
    try:
        return import_module(module)
    except ImportError:
        name = module.split(".")[0]
        raise InputError(f"{path}: reading it needs {name}: pip install {name}") from None


def text_of(path, allowance=None):
    """Return the text of a file, decompressed: of UTF-8 or, by its first bytes, UTF-16.

    Other bytes are read as Latin-1: names that differ in the file stay different.
    """
    content = read_bytes(path, allowance)[:-1]
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def names_to_text(names):
    """Names of nodes as JSON in ASCII, which every format can hold; see core/saved.py."""
    return json.dumps(plain(names), ensure_ascii=True, allow_nan=False)


def names_from_text(field, text, n):
    """The tuple of n names that names_to_text wrote, or InputError."""
    try:
        names = json.loads(text)
        if not isinstance(names, list) or len(names) != n:
            raise ValueError(f"a list of {n} names is needed")
        found = tuple(map(revive_name, names))
        if len(set(found)) != n:
            raise ValueError("two nodes have the same name")
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{field} must be a JSON list of different names: {error}") from error
    return found


def read_json(path):
    """The object of a JSON file, or FileFormatError."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, f"is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise FileFormatError(path, f"must hold an object, got {type(content).__name__}")
    return content
