"""Processes that end with the one that started them or still run, and files that one holds."""

import ctypes
import errno
import os
import signal
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None

PR_SET_PDEATHSIG = 1
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)  # of shared file systems without locks


def die_with_parent():
    """The kernel kills this process when the one that started it ends (Linux; elsewhere nothing
    happens).
    """
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (AttributeError, TypeError):  # no prctl; on Windows no library of the process itself
        pass


def can_fork():
    """Return True if this system has the functions that a fork server needs."""
    return hasattr(os, "fork") and hasattr(os, "wait4") and fcntl is not None


def lock(number):
    """Hold an open file, given by its number, until it is closed; False if another process holds
    it.
    """
    if fcntl is not None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
        return True
    try:
        import msvcrt  # Windows
    except ModuleNotFoundError:
        return True  # a system that has neither: no lock
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def find_start(pid):
    """Return the start of a process in ticks of the kernel's clock, which distinguishes it from a
    later one of the same number; None if it has ended (Linux; elsewhere always).
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in b"ZX" else int(fields[19])
