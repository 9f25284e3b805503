"""One writer for each store: a lock file next to it, which goes away with the writer."""

import errno
import os

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.processes import lock

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag


class WriterLock:
    """The lock that says that this process writes the store; close() gives it back."""

    def __init__(self, path):
        if not path.parent.is_dir():
            raise InputError(f"{path}: the folder {path.parent} does not exist")
        self.name = path.with_name(path.name + ".lock")
        while True:
            self._file = open_lock(self.name)
            if not lock(self._file):
                os.close(self._file)
                raise InputError(f"{path}: another benchmark is writing to this store")
            if self._is_current():
                return
            os.close(self._file)  # the writer before us removed the file while we opened it

    def _is_current(self):
        """Whether the open file is the one that has the name now."""
        try:
            there, ours = os.stat(self.name, follow_symlinks=False), os.fstat(self._file)
        except FileNotFoundError:
            return False
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def close(self):
        """Remove the file while it is still locked: the next writer creates a new one."""
        if self._file is None:
            return
        empty = os.fstat(self._file).st_size == 0  # anything else is not of our making
        if empty and self._is_current():
            try:
                os.unlink(self.name)
            except OSError:
                pass  # a folder that became read-only: the lock ends with the file, all the same
        os.close(self._file)
        self._file = None


def open_lock(name):
    """The lock file's number; the file is neither emptied nor followed, whatever it is."""
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{name}: is a symbolic link, it must be a plain file") from None
        raise
