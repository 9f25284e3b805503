"""A fork server: a process that has everything imported and starts one child per run in a few
milliseconds.

Pools of reused workers lose the whole batch, or hang, when one task kills its process. Here every
run has a process of its own, so a crash loses that run and nothing else. Which process
dies with which:

    parent -- ForkServer, one per job: sends (task, pipe), learns the child's pid and exit status
      `- server: imports the solvers, forks; dies with the parent's thread
           `- child: one run; leads a process group, dies with the server, writes to the pipe

A child writes whole messages into the pipe, each behind a mark that only parent and child know and
with a checksum: half-written messages of a killed child, and output of a solver or a second copy
of the child, are dropped. The output of a run goes to a pipe of its own, whose last words are
kept for the reason of a crash, and never to the output of the program.
The server never touches the task's data, so nothing in a run can hurt it. multiprocessing's own
forkserver is one per program, cannot be given thread limits, and imports the caller's main script.
"""

import gc
import os
import pickle
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import warnings
import zlib
from dataclasses import dataclass, field
from importlib import import_module

from gmtoolbox.core.processes import die_with_parent
from gmtoolbox.engine.registry import gm_methods

try:
    import resource
except ModuleNotFoundError:  # Windows: see spawn_server
    resource = None

PRELOAD = (
    "numpy",
    "scipy.sparse",
    "scipy.sparse.linalg",
    "scipy.optimize",
    "gmtoolbox.engine.kernels",
    "gmtoolbox.bench.run.worker",
)
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
LENGTH = struct.Struct("<q")
MARK = 16  # random bytes in front of every message of a run
FRAME = struct.Struct("<qI")  # length and checksum of a message
LAST_WORDS = 4096  # bytes of a run's output that are kept
STARTED = struct.Struct("<q")
ENDED = struct.Struct("<qd")
START_LIMIT = 300.0  # seconds for the server's imports
SETTLE = 10.0  # seconds for the server to report that the killed child has ended


@dataclass
class Ending:
    """How a child ended: code >= 0 from exit, < 0 the signal, None if the server was lost; messages
    it left.
    """

    code: int
    messages: list = field(default_factory=list)
    memory: float = None  # peak resident set, MB
    timed_out: bool = False
    output: str = ""  # its last printed words


class ForkServer:
    """One fork server. run(task) returns when the child has ended; one ForkServer per thread."""

    def __init__(self, threads=1):
        self.threads, self._server, self._socket = threads, None, None

    def _ensure_server(self):
        """Start the server if none runs."""
        if self._server is not None and self._server.poll() is None:
            return
        self.close()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self.threads))}
        # The same modules as here
        code = f"import sys; sys.path[:] = {[path or os.getcwd() for path in sys.path]!r}; "
        code += f"from gmtoolbox.bench.run.fork_server import serve; serve({theirs.fileno()})"
        command = [sys.executable, "-c", code]
        self._server = subprocess.Popen(
            command,
            env=environment,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def run(self, task, wall=None, memory=None):
        """Start a child on worker.carry_out(task, send) and wait for its Ending.

        wall    seconds after which its process group is killed
        memory  bytes of address space
        """
        self._ensure_server()
        mark = secrets.token_bytes(MARK)
        (read, write), (hear, say) = os.pipe(), os.pipe()
        request = pickle.dumps((task, memory, mark))
        try:
            try:
                self._send(request, [write, say])
            finally:
                os.close(write)
                os.close(say)
            return self._wait(read, hear, mark, wall)
        except OSError:  # the server is gone
            return Ending(None)
        finally:
            os.close(read)
            os.close(hear)

    def _send(self, request, fds):
        """Send a request with open pipes."""
        socket.send_fds(self._socket, [LENGTH.pack(len(request))], fds)
        self._socket.sendall(request)

    def _wait(self, read, hear, mark, wall):
        """The Ending of the child that has just been asked for."""
        for fd in (read, hear):
            os.set_blocking(fd, False)
        answer, stream, said, pid, timed_out = b"", bytearray(), bytearray(), None, False
        deadline = time.monotonic() + START_LIMIT
        reading = [self._socket, read, hear]
        while len(answer) < STARTED.size + ENDED.size:
            seconds = None if deadline is None else max(deadline - time.monotonic(), 0)
            ready, _, _ = select.select(reading, [], [], seconds)
            if not ready and pid is None:
                self.kill()
                deadline = None
            elif not ready and not timed_out:
                timed_out, deadline = True, time.monotonic() + SETTLE
                kill_group(pid)
            elif not ready:  # the server does not notice: it is stopped, or stuck
                self.kill()
                deadline = None
            if read in ready and not drain(read, stream):
                reading.remove(read)
            if hear in ready and not drain(hear, said):
                reading.remove(hear)
            del said[:-LAST_WORDS]
            if self._socket in ready:
                data = self._socket.recv(STARTED.size + ENDED.size - len(answer))
                if not data:  # the server was killed; its child dies with it
                    if pid is not None:
                        kill_group(pid)
                    self.close()
                    return Ending(None, timed_out=timed_out)
                answer += data
                if pid is None and len(answer) >= STARTED.size:
                    (pid,) = STARTED.unpack_from(answer)
                    deadline = None if wall is None else time.monotonic() + wall
        drain(read, stream)
        drain(hear, said)
        kill_group(pid)  # processes that the child may have started
        code, memory = ENDED.unpack_from(answer, STARTED.size)
        output = said[-LAST_WORDS:].decode("utf-8", "replace")
        return Ending(code, list(messages(stream, mark)), memory, timed_out, output)

    def close(self):
        """End the server."""
        if self._socket is not None:
            self._socket.close()  # the server sees the end and exits
        if self._server is not None:
            try:
                self._server.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        self._server = self._socket = None

    def kill(self):
        """End the server and, since it dies with it, the run under way."""
        if self._server is not None:
            self._server.kill()


def kill_group(pid):
    """Kill a process and all that it started, if they are there."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def drain(fd, stream, most=1 << 20):
    """Move the content of the pipe to the stream, a part of it if a run never stops writing; False
    at its end.
    """
    try:
        for _ in range(most >> 16):
            data = os.read(fd, 1 << 16)
            if not data:
                return False
            stream += data
    except BlockingIOError:
        pass
    return True


def messages(stream, mark):
    """The whole messages of a stream, (kind, content) each; everything else in it is passed
    over.
    """
    position = stream.find(mark)
    while position >= 0:
        begin = position + MARK + FRAME.size
        position += 1
        if begin <= len(stream):
            size, checksum = FRAME.unpack_from(stream, begin - FRAME.size)
            content = bytes(stream[begin : begin + size]) if size >= 0 else b""
            if len(content) == size and zlib.crc32(content) == checksum:
                yield pickle.loads(content)
                position = begin + size
        position = stream.find(mark, position)


# ---- in the server


def serve(number):
    """The server's loop: one request, one child, one answer, until the parent closes the socket."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    warnings.simplefilter("ignore")  # the parent has shown them
    preload()
    parent = socket.socket(fileno=number)
    while True:
        header, fds, _, _ = socket.recv_fds(parent, LENGTH.size, 2)
        if len(header) < LENGTH.size:
            return
        request = receive(parent, LENGTH.unpack(header)[0])
        if request is None:
            return
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            parent.close()
            child(server, *fds, request)  # never returns
        for fd in fds:
            os.close(fd)
        try:
            os.setpgid(pid, pid)  # the child does the same: the first one counts
        except OSError:
            pass
        parent.sendall(STARTED.pack(pid))
        _, status, usage = os.wait4(pid, 0)
        parent.sendall(ENDED.pack(os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024))


def receive(sock, size):
    """Return this many bytes from a socket; None if it ends before."""
    content = bytearray()
    while len(content) < size:
        data = sock.recv(min(size - len(content), 1 << 20))
        if not data:
            return None
        content += data
    return bytes(content)


def preload():
    """Import the modules that every run needs, before any child is forked."""
    for name in PRELOAD:
        import_module(name)
    gm_methods()
    gc.collect()
    gc.freeze()  # the collector of a child leaves the shared objects, and so their pages, alone


# ---- in the child


def child(server, fd, output, request):
    """Run the task in this process and end it."""
    code, pid = 1, os.getpid()
    try:
        os.setpgid(0, 0)
        die_with_parent()
        if os.getppid() != server:  # it died before we asked to die with it
            os._exit(1)
        for standard in (1, 2):
            os.dup2(output, standard)
        for ours in (fd, output):
            os.set_inheritable(ours, False)
        task, memory, mark = pickle.loads(request)
        limit_memory(memory)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from gmtoolbox.bench.run.worker import carry_out  # under the limit of memory

        carry_out(task, lambda message: send(fd, mark, message, pid))
        code = 0
    except BaseException:  # noqa: BLE001 - a forked child must never return into the server's loop
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def limit_memory(memory):
    """Bytes of address space, as far as the user's own limit allows."""
    if memory is not None and resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))


def send(fd, mark, message, pid):
    """Write one message; a copy of the child that a solver forked ends here instead."""
    if os.getpid() != pid:
        os._exit(1)
    content = pickle.dumps(message)
    content = mark + FRAME.pack(len(content), zlib.crc32(content)) + content
    while content:
        content = content[os.write(fd, content) :]
