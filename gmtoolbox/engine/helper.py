"""A second process for calls that nothing can interrupt: it is ended when the budget is over.

HiGHS looks at its clock when it likes, and at no signal. So it runs in a helper, a Python process
that is started by the first such call and kept for the next ones. It answers one call at a time;
a call that is given up ends it. Helpers die with the process that started them.
"""

import atexit
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading

from gmtoolbox.core.errors import KernelError
from gmtoolbox.core.processes import die_with_parent

LENGTH = struct.Struct("<q")
LOOK = 0.005  # seconds between two looks at the budget
LEAST = 0.005  # seconds below which a call is not worth sending: the helper would have to be ended
_idle, _guard = [], threading.Lock()


def call_elsewhere(budget, function, *arguments):
    """function(*arguments) in a helper, or None if the budget was over first. The function is one
    of a module; its exceptions are raised here.
    """
    if not budget.affords(LEAST):
        return None
    helper = take_helper()
    try:
        helper.send((function, arguments))
        while not helper.wait_for_answer(LOOK):
            if budget.cut():
                helper.end()
                return None
        good, answer = helper.receive()
    except (OSError, EOFError) as error:
        helper.end()
        raise KernelError(f"the process that runs {function.__name__} died") from error
    except BaseException:
        helper.end()
        raise
    with _guard:
        _idle.append(helper)
    if not good:
        raise answer
    return answer


def take_helper():
    """Return a helper of this thread that waits, or a new one.

    Linux ends a helper with the thread that started it (die_with_parent), so no other thread may
    use it; those of threads that have ended are dropped.
    """
    with _guard:
        waiting, _idle[:] = _idle[:], []
        for helper in waiting:
            if helper.owner == os.getpid() and helper.starter.is_alive():
                _idle.append(helper)
            elif helper.owner == os.getpid():
                helper.end()
        mine = [helper for helper in _idle if helper.starter is threading.current_thread()]
        for helper in mine:
            _idle.remove(helper)
            if helper.process.poll() is None:
                return helper
            helper.end()
    return Helper()


class Helper:
    """One process, its input and its output."""

    def __init__(self):
        self.owner, self.starter = os.getpid(), threading.current_thread()
        path = [folder or os.getcwd() for folder in sys.path]
        code = f"import sys; sys.path[:] = {path!r}; "
        code += "from gmtoolbox.engine.helper import serve; serve()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.writer = self.reader = None

    def send(self, message):
        """Begin to send: a helper that has just been started takes its time to listen."""
        content = pickle.dumps(message)
        self.writer = threading.Thread(
            target=self.write, args=(LENGTH.pack(len(content)) + content,), daemon=True
        )
        self.writer.start()
        self.answer, self.ready = None, threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def write(self, content):
        """Send bytes, in a thread."""
        rest = memoryview(content)
        try:
            while rest:
                rest = rest[os.write(self.process.stdin.fileno(), rest) :]
        except OSError:  # it is dead, as its output will show
            pass

    def read(self):
        """Take the answer, in a thread: Windows cannot wait for a pipe."""
        try:
            self.answer = read_message(self.process.stdout)
        except (EOFError, OSError, ValueError):  # it is dead
            pass
        finally:
            self.ready.set()

    def wait_for_answer(self, seconds):
        """Return True if the answer comes within this many seconds."""
        return self.ready.wait(seconds)

    def receive(self):
        """Return (whether it is a value, value or error); EOFError if the process died."""
        if self.answer is None:
            raise EOFError
        return pickle.loads(self.answer)

    def end(self):
        """Kill the process and close its pipes."""
        self.process.kill()
        self.process.wait()
        for thread in (self.writer, self.reader):
            if thread is not None:  # its pipe is broken now
                thread.join()
        self.process.stdin.close()
        self.process.stdout.close()


@atexit.register
def end_helpers():
    """End all helpers that wait."""
    while _idle:
        helper = _idle.pop()
        if helper.owner == os.getpid():
            helper.end()


def read_message(stream):
    """One message of a stream, as bytes."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        raise EOFError
    return stream.read(LENGTH.unpack(header)[0])


# ---- in the helper


def serve():
    """Answer calls until the input ends."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller handles Ctrl-C
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed gets between the answers
    while True:
        try:
            function, arguments = pickle.loads(read_message(source))
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:  # sent to the caller
            answer = False, error
        content = pickle.dumps(answer)
        target.write(LENGTH.pack(len(content)) + content)
        target.flush()
