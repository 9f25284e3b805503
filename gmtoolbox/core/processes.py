"""Processes that end with the one that started them, and files that one process holds."""

import ctypes
import os
import signal

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None

PR_SET_PDEATHSIG = 1


def die_with_parent():
    """The kernel kills this process when the one that started it ends (Linux; elsewhere nothing
    happens).
    """
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (AttributeError, TypeError):  # no prctl; on Windows no library of the process itself
        pass


def can_fork():
    """Whether this system has what a fork server needs."""
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
        return True
    try:
        import msvcrt
    except ModuleNotFoundError:
        return True  # a system that has neither: nobody is kept out
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
