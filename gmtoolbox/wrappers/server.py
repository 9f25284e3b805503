"""The Python process behind gm_solve.m and its sisters: a line protocol over pipes.

MATLAB starts it once and keeps it. Lines carry only words and numbers; every array travels as a
.mat file in a private temporary folder, which exists exactly as long as this process.

    <- ready PROTOCOL VERSION FOLDER      once, when the process can take calls
    -> VERB SERIAL                        arguments are in FOLDER/SERIAL.in.mat
    -> stop SERIAL                        end that call with its best answer so far
    <- line SERIAL text                   any number: text to be printed now
    <- event SERIAL time value bound iteration   any number: an improvement, for a callback
    <- warn SERIAL IDENTIFIER message     any number, before the end of a call
    <- done SERIAL                        the answer is in FOLDER/SERIAL.out.mat
    <- fail SERIAL IDENTIFIER message

A line that is not a request is answered by `fail 0`. The process ends, folder included, when its
standard input ends: that happens however MATLAB dies. A second process, which does nothing but wait
for the end of this one, removes the folder should this one be killed. Ctrl-C reaches it too when
both are at one terminal; like `stop` it makes the call in hand return its best answer so far.

The Python inside MATLAB (`py.`) does without process and pipes: there gm_inside.m calls ask().
"""

import os
import queue
import re
import shutil
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from pathlib import Path

from gmtoolbox import __version__
from gmtoolbox.core.errors import GMError, InputError, matlab_speech
from gmtoolbox.engine.limits import Stop
from gmtoolbox.wrappers import print_line
from gmtoolbox.wrappers.calls import VERBS
from gmtoolbox.wrappers.speech import in_matlab

PROTOCOL = 3
INNERMOST = 6  # places of an internal error that are reported
MAX_FILES = 4096  # open ones that may have been inherited
REQUEST = re.compile(r"([a-z_]{1,40}) ([0-9]{1,15})")


def main():
    """The whole life of the process."""
    signal.signal(signal.SIGINT, lambda *_: None)  # a Stop takes it over while a call runs
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # a stray print must not end up between the replies
    folder = Path(tempfile.mkdtemp(prefix="gmtoolbox-"))  # mode 0700
    remove_when_gone(folder)
    os.chdir(folder.parent)  # between calls, hold no folder of the user's
    for name in ("SIGTERM", "SIGHUP"):  # the latter when a terminal is closed; Windows has none
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: leave(folder))
    calls = Calls()
    threading.Thread(target=listen, args=(sys.stdin, calls, folder), daemon=True).start()
    try:
        serve(calls, replies, folder)
    except BrokenPipeError:
        leave(folder)  # the reader of the replies is gone


def remove_when_gone(folder):
    """Have the folder removed when this process ends, even by SIGKILL (not on Windows)."""
    if not hasattr(os, "fork"):
        return
    waiting, held = os.pipe()  # the other end closes with this process
    if os.fork() != 0:
        os.close(waiting)
        return
    try:
        os.setsid()
        for fd in (0, 1, 2):
            os.dup2(waiting, fd)
        os.closerange(3, MAX_FILES)
        while os.read(0, 1):
            pass
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)


class CallStop(Stop):
    """The request to stop of one call: Ctrl-C, too, any number of times, asks for the best answer
    so far and never loses it. MATLAB kills the process if that takes too long.
    """

    def _press(self, *_):
        self.set()


class Calls:
    """The requests that wait, and the call in hand: (serial, Stop)."""

    def __init__(self):
        self.waiting, self.current = queue.SimpleQueue(), None

    def stop(self, serial):
        """End that call early, if it is the one in hand."""
        current = self.current
        if current is not None and current[0] == serial:
            current[1].set()


def serve(calls, replies, folder):
    """Answer requests, one at a time, for ever."""
    print("ready", PROTOCOL, __version__, folder, file=replies)
    while True:
        request = calls.waiting.get()
        if not REQUEST.fullmatch(request):
            print("fail 0 gmtoolbox:InputError unknown request", repr(request[:80]), file=replies)
            continue
        verb, serial = request.split()

        def report(kind, text, serial=serial):
            print(kind, serial, text, file=replies)

        with CallStop() as stop:
            calls.current = serial, stop
            failure = ask(verb, folder / serial, report)
            calls.current = None
        print(*(("fail", serial, failure) if failure else ("done", serial)), file=replies)


def listen(lines, calls, folder):
    """Queue the requests; at the end of input leave at once, even out of the middle of a solve."""
    for line in lines:
        verb, _, serial = line.strip().partition(" ")
        if verb == "stop":
            calls.stop(serial)
        else:
            calls.waiting.put(line.strip())
    leave(folder)


def leave(folder):
    """End the process and its folder: MATLAB is gone, whichever thread notices it first, or asks us
    to end.
    """
    for _ in range(100):  # the other thread may still be writing an answer there
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    os._exit(0)


def print_report(kind, text):
    """Print the messages of a call if there is no pipe."""
    if kind == "line":
        print_line(text)
    elif kind == "warn":
        warnings.warn(text.partition(" ")[2], UserWarning, stacklevel=2)


def ask(verb, stem, report=print_report):
    """Run one call, `stem`.in.mat -> `stem`.out.mat; returns "" or "IDENTIFIER message" in one
    line.

    report  called with (kind, text): a "line" to be printed now, an "event", or a "warn"
    """
    home, caught = os.getcwd(), []
    try:
        if verb not in VERBS:
            raise InputError(
                f"unknown request {verb!r}; the .m files and the Python package are of different"
                " versions"
            )
        with matlab_speech(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", DeprecationWarning)
            VERBS[verb](stem, report)
        return ""
    except BaseException as error:
        return describe_error(error)
    finally:
        os.chdir(home)  # a call runs in MATLAB's folder
        for warning in caught:
            report("warn", describe_warning(warning))


def describe_warning(warning):
    """Return IDENTIFIER message of a warning, in one line: SenseWarning is gmtoolbox:Sense, one
    that is not of our own classes gmtoolbox:Warning.
    """
    kind = warning.category
    own = kind.__module__.startswith("gmtoolbox")
    name = kind.__name__.removesuffix("Warning") if own else "Warning"
    return f"gmtoolbox:{name} {in_matlab(warning.message)}"


def describe_error(error):
    """Return IDENTIFIER message of an error, in one line. An error that is not a refusal is
    gmtoolbox:InternalError, with the places that led to it.
    """
    if isinstance(error, GMError):
        return f"gmtoolbox:{type(error).__name__} {in_matlab(error)}"
    if isinstance(error, OSError):
        where = "" if error.filename is None else f"{error.filename}: "
        return f"gmtoolbox:{type(error).__name__} {where}{one_line(error.strerror or error)}"
    if isinstance(error, MemoryError):
        return "gmtoolbox:OutOfMemory there is not enough memory for this call"
    places = traceback.extract_tb(error.__traceback__)[-INNERMOST:]
    way = " < ".join(f"{Path(p.filename).name}:{p.lineno}" for p in reversed(places))
    said = f"{type(error).__name__}: {one_line(error)}" if str(error) else type(error).__name__
    return f"gmtoolbox:InternalError {said} (a fault of gmtoolbox, please report it: {way})"


def one_line(text):
    """Return a text without line ends."""
    return " ".join(str(text).split())


if __name__ == "__main__":
    main()
