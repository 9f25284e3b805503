"""A fork server: a process that has everything imported and starts one child per run in a few
milliseconds.

Pools of reused workers lose the whole batch, or hang, when one task kills its process. Here every
run has a process of its own, so a crash loses that run and nothing else. Who dies with whom:

    parent -- ForkServer, one per job: sends (task, pipe), learns the child's pid and exit status
      `- server: imports the solvers, forks; dies with the parent's thread
           `- child: one run; leads a process group, dies with the server, writes to the pipe

A child writes whole messages into the pipe; what a killed child leaves half-written is dropped.
The server never touches the task's data, so nothing in a run can hurt it. multiprocessing's own
forkserver is one per program, cannot be given thread limits, and imports the caller's main script.
"""

import ctypes
import gc
import os
import pickle
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass, field

PRELOAD = (
    "numpy",
    "scipy.sparse",
    "scipy.sparse.linalg",
    "scipy.optimize",
    "gmtoolbox.engine.kernels",
    "gmtoolbox.bench.worker",
)
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
LENGTH = struct.Struct("<q")
STARTED = struct.Struct("<q")
ENDED = struct.Struct("<qd")
PR_SET_PDEATHSIG = 1
START_LIMIT = 300.0  # seconds for the server's imports


@dataclass
class Ending:
    """How a child ended: code >= 0 from exit, < 0 the signal, None if the server was lost; messages
    it left.
    """

    code: int
    messages: list = field(default_factory=list)
    memory: float = None  # peak resident set, MB
    timed_out: bool = False


class ForkServer:
    """One fork server. run(task) blocks until the child has ended; use one ForkServer per
    thread.
    """

    def __init__(self, threads=1):
        self.threads, self._server, self._socket = threads, None, None

    def _ensure_server(self):
        if self._server is not None and self._server.poll() is None:
            return
        self.close()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self.threads))}
        # The same modules as here
        code = f"import sys; sys.path[:] = {[path or os.getcwd() for path in sys.path]!r}; "
        code += f"from gmtoolbox.bench.fork_server import serve; serve({theirs.fileno()})"
        command = [sys.executable, "-c", code]
        self._server = subprocess.Popen(
            command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
        theirs.close()

    def run(self, task, wall=None, memory=None):
        """Start a child on gmtoolbox.bench.worker.work(task, send) and wait for its Ending.

        wall    seconds after which its process group is killed
        memory  bytes of address space
        """
        self._ensure_server()
        read, write = os.pipe()
        request = pickle.dumps((task, memory))
        try:
            self._send(request, write)
        except OSError:  # the server is gone
            os.close(read)
            return Ending(None)
        finally:
            os.close(write)
        try:
            return self._wait(read, wall)
        finally:
            os.close(read)

    def _send(self, request, fd):
        socket.send_fds(self._socket, [LENGTH.pack(len(request))], [fd])
        self._socket.sendall(request)

    def _wait(self, read, wall):
        os.set_blocking(read, False)
        answer, stream, pid, timed_out = b"", bytearray(), None, False
        deadline = time.monotonic() + START_LIMIT
        reading = [self._socket, read]
        while len(answer) < STARTED.size + ENDED.size:
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            ready, _, _ = select.select(reading, [], [], left)
            if not ready and pid is None:
                self.kill()
                deadline = None
            elif not ready:
                timed_out, deadline = True, None
                kill_group(pid)
            if read in ready and not drain(read, stream):
                reading.remove(read)
            if self._socket in ready:
                block = self._socket.recv(STARTED.size + ENDED.size - len(answer))
                if not block:  # the server was killed; its child dies with it
                    if pid is not None:
                        kill_group(pid)
                    self.close()
                    return Ending(None)
                answer += block
                if pid is None and len(answer) >= STARTED.size:
                    (pid,) = STARTED.unpack_from(answer)
                    deadline = None if wall is None else time.monotonic() + wall
        drain(read, stream)
        kill_group(pid)  # what the child may have started and left behind
        code, memory = ENDED.unpack_from(answer, STARTED.size)
        return Ending(code, list(messages(stream)), memory, timed_out)

    def close(self):
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
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def drain(fd, stream):
    """Move what is in the pipe to the stream; False at its end."""
    try:
        while block := os.read(fd, 1 << 16):
            stream += block
    except BlockingIOError:
        return True
    return False


def messages(stream):
    """The whole messages of a stream; a half-written last one is dropped."""
    position = 0
    while position + LENGTH.size <= len(stream):
        (size,) = LENGTH.unpack_from(stream, position)
        begin = position + LENGTH.size
        if begin + size > len(stream):
            return
        yield pickle.loads(bytes(stream[begin : begin + size]))
        position = begin + size


# ---- in the server


def serve(number):
    """The server's loop: one request, one child, one answer, until the parent closes the socket."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    preload()
    parent = socket.socket(fileno=number)
    while True:
        header, fds, _, _ = socket.recv_fds(parent, LENGTH.size, 1)
        if len(header) < LENGTH.size:
            return
        request = receive(parent, LENGTH.unpack(header)[0])
        if request is None:
            return
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            parent.close()
            child(server, fds[0], request)  # never returns
        os.close(fds[0])
        try:
            os.setpgid(pid, pid)  # the child does the same: whoever comes first
        except OSError:
            pass
        parent.sendall(STARTED.pack(pid))
        _, status, usage = os.wait4(pid, 0)
        parent.sendall(ENDED.pack(os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024))


def receive(sock, size):
    content = bytearray()
    while len(content) < size:
        block = sock.recv(min(size - len(content), 1 << 20))
        if not block:
            return None
        content += block
    return bytes(content)


def preload():
    from importlib import import_module

    from gmtoolbox.engine.registry import gm_methods

    for name in PRELOAD:
        import_module(name)
    gm_methods()
    gc.collect()
    gc.freeze()  # the collector of a child leaves the shared objects, and so their pages, alone


def die_with_parent():
    """The kernel kills this process when the one that started it ends (Linux; elsewhere nothing
    happens).
    """
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except AttributeError:
        pass


# ---- in the child


def child(server, fd, request):
    """Run the task in this process and end it."""
    code = 1
    try:
        os.setpgid(0, 0)
        die_with_parent()
        if os.getppid() != server:  # it died before we asked to die with it
            os._exit(1)
        task, memory = pickle.loads(request)
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from gmtoolbox.bench.worker import work

        work(task, lambda message: send(fd, message))
        code = 0
    except BaseException:  # noqa: BLE001 - a forked child must never return into the server's loop
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def send(fd, message):
    content = pickle.dumps(message)
    content = LENGTH.pack(len(content)) + content
    while content:
        content = content[os.write(fd, content) :]
