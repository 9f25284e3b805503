"""Runs in new processes, for systems that cannot fork (Windows).

The same promises as the fork server's, at a second a run instead of milliseconds: a run that
crashes or hangs loses itself only. Without `resource`, memory has no limit, and processes that a
run started are not ended with it.
"""

import os
import pickle
import secrets
import signal
import subprocess
import sys
import threading

from gmtoolbox.bench.run.fork_server import (
    LAST_WORDS,
    MARK,
    THREAD_VARIABLES,
    Ending,
    limit_memory,
    messages,
    send,
)
from gmtoolbox.core.processes import die_with_parent


class SpawnServer:
    """Starts one process per run; the interface of ForkServer."""

    def __init__(self, threads=1):
        self.threads, self._process = threads, None

    def run(self, task, wall=None, memory=None):
        """Start a process on worker.carry_out(task, send) and wait for its Ending."""
        mark = secrets.token_bytes(MARK)
        environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self.threads))}
        path = [folder or os.getcwd() for folder in sys.path]
        code = f"import sys; sys.path[:] = {path!r}; "
        code += "from gmtoolbox.bench.run.spawn_server import child; child()"
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen([sys.executable, "-c", code], env=environment, **pipes)
        self._process = process
        stream, said = bytearray(), bytearray()
        readers = [
            threading.Thread(target=collect, args=pair, daemon=True)
            for pair in ((process.stdout, stream, None), (process.stderr, said, LAST_WORDS))
        ]
        for reader in readers:
            reader.start()
        timed_out = False
        try:
            process.stdin.write(pickle.dumps((task, memory, mark)))
            process.stdin.close()
        except OSError:  # it ended before it read its task
            pass
        try:
            process.wait(wall)
        except subprocess.TimeoutExpired:
            timed_out = True
            process.kill()
            process.wait()
        for reader in readers:
            reader.join(timeout=5)  # something that the run started may hold its output open
        output = bytes(said).decode("utf-8", "replace")
        found = list(messages(bytearray(stream), mark))
        return Ending(process.returncode, found, None, timed_out, output)

    def kill(self):
        """End the run under way."""
        if self._process is not None:
            self._process.kill()

    def close(self):
        """End the run under way, if there is one."""
        self.kill()
        if self._process is not None:
            self._process.wait()


def collect(pipe, stream, most):
    """Read a pipe to its end; keep all of it, or the last bytes."""
    with pipe:
        while data := os.read(pipe.fileno(), 1 << 16):
            stream += data
            if most is not None:
                del stream[:-most]


# ---- in the process


def child():
    """Run the task that comes on the standard input."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    task, memory, mark = pickle.loads(sys.stdin.buffer.read())
    answers = os.dup(1)
    os.dup2(2, 1)  # the output of a run stays out of the answers
    limit_memory(memory)
    from gmtoolbox.bench.run.worker import carry_out  # under the limit of memory

    pid = os.getpid()
    carry_out(task, lambda message: send(answers, mark, message, pid))
