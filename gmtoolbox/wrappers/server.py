"""The Python process behind gm_solve.m and its sisters: a line protocol over pipes.

MATLAB starts it once and keeps it. Lines carry only words and numbers; every array travels as a
.mat file in a private temporary folder, which exists exactly as long as this process.

    <- ready PROTOCOL VERSION FOLDER      once, when the process can take calls
    -> VERB SERIAL                        arguments are in FOLDER/SERIAL.in.mat
    <- line SERIAL text                   any number: text to be printed now
    <- done SERIAL                        the answer is in FOLDER/SERIAL.out.mat
    <- fail SERIAL IDENTIFIER message     line ends inside the message are sent as NEWLINE

The process ends, folder included, when its standard input ends: that happens however MATLAB dies.
A second process, which does nothing but wait for the end of this one, removes the folder should
this one be killed.
Ctrl-C reaches it too when both share a terminal, and is ignored: MATLAB ends a call that its user
gave up by ending this process.

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
from pathlib import Path

from gmtoolbox import __version__
from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.wrappers import print_line
from gmtoolbox.wrappers.calls import VERBS

PROTOCOL = 1
NEWLINE = "\x1f"
MAX_FILES = 4096  # open ones that may have been inherited


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # a stray print must not end up between the replies
    folder = Path(tempfile.mkdtemp(prefix="gmtoolbox-"))  # mode 0700
    remove_when_gone(folder)
    os.chdir(folder.parent)  # between calls, hold no folder of the user's
    for name in ("SIGTERM", "SIGHUP"):  # the latter when a terminal is closed; Windows has none
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: leave(folder))
    requests = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin, requests, folder), daemon=True).start()
    try:
        serve(requests, replies, folder)
    except BrokenPipeError:
        leave(folder)  # nobody reads the replies any more


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


def serve(requests, replies, folder):
    print("ready", PROTOCOL, __version__, folder, file=replies)
    while True:
        verb, serial = request(requests.get())
        failure = ask(
            verb,
            folder / serial,
            lambda text, serial=serial: print("line", serial, text, file=replies),
        )
        print(*(("fail", serial, failure) if failure else ("done", serial)), file=replies)


def request(line):
    """(verb, serial) of a line; a malformed one has the serial 0, which no call has, and is
    answered as an unknown verb is.
    """
    words = line.split()
    if len(words) == 2 and re.fullmatch("[0-9]{1,18}", words[1]):
        return words
    return f"line {line.strip()[:60]}", "0"


def listen(lines, requests, folder):
    """Queue the requests; at the end of input leave at once, even out of the middle of a solve."""
    for line in lines:
        requests.put(line)
    leave(folder)


def leave(folder):
    """End the process and its folder: MATLAB is gone, whichever thread notices it first, or we are
    told to go.
    """
    for _ in range(100):  # the other thread may still be writing an answer there
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    os._exit(0)


def ask(verb, stem, write=print_line):
    """Run one call, `stem`.in.mat -> `stem`.out.mat; returns "" or "IDENTIFIER message" in one
    line.

    write  called with each text to be printed now; prints by default
    """
    home = os.getcwd()
    try:
        if verb not in VERBS:
            raise InputError(
                f"unknown request {verb!r}; the .m files and the Python package are of different"
                " versions"
            )
        VERBS[verb](stem, write)
        return ""
    except BaseException as error:
        return described(error)
    finally:
        os.chdir(home)  # a call runs in MATLAB's folder


def described(error):
    """The text IDENTIFIER message, in one line. What is no deliberate refusal comes with its
    traceback.
    """
    message = str(error)
    if not isinstance(error, (GMError, OSError)):
        message = "".join(traceback.format_exception(error)).rstrip()
    return f"gmtoolbox:{type(error).__name__} " + message.replace("\n", NEWLINE)


if __name__ == "__main__":
    main()
