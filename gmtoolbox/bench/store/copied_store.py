"""A store for the jobs of a cluster: written on the computer that runs them, copied whole to the
folder that all computers see.

SQLite's locks and logs do not work on many shared file systems. The content of the shared folder is
always a whole store in one plain file, which others may read and merge at any moment.
"""

import os
import secrets
import shutil
import tempfile
import threading
import time
from pathlib import Path

from gmtoolbox.bench.store.locks import WriterLock
from gmtoolbox.bench.store.store import Store

EVERY = 2.0  # seconds between two copies, at least
SHARE = 0.05  # of the time may go into copying


class CopiedStore(Store):
    """A Store opened for writing whose file `path` is a copy, renewed every few seconds and at the
    end; a kill loses at most the runs since the last one.
    """

    def __init__(self, path):
        self.target = Path(path)
        self._target_lock = WriterLock(self.target)
        self._folder = Path(tempfile.mkdtemp(prefix="gmtoolbox-"))
        self._copying, self._copied, self._took = threading.Lock(), time.monotonic(), 0.0
        self._open = False
        try:
            local = self._folder / self.target.name
            if self.target.exists():
                shutil.copyfile(self.target, local)
            super().__init__(local, write=True)
            self._open = True
            self.copy_whole()
        except BaseException:
            self.close()
            raise

    def add(self, run):
        """Store a run; copy the file if the last copy is old."""
        super().add(run)
        waited = time.monotonic() - self._copied
        if waited > max(EVERY, self._took / SHARE):
            self.copy_whole()

    def copy_whole(self):
        """Put a whole copy in the place of the last one."""
        with self._copying:
            begin = time.monotonic()
            draft = self.target.with_name(f".{self.target.name}.{secrets.token_hex(4)}")
            try:
                self.backup(draft)
                os.replace(draft, self.target)
            finally:
                draft.unlink(missing_ok=True)
            self._copied = time.monotonic()
            self._took = self._copied - begin

    def close(self):
        """Copy for the last time, and remove the local file."""
        try:
            if self._open:
                self._open = False
                self.copy_whole()
        finally:
            if getattr(self, "_db", None) is not None:
                super().close()
            shutil.rmtree(self._folder, ignore_errors=True)
            self._target_lock.close()
