"""The processes of this computer that make runs: a fork server for each job, threads in front."""

import queue
import signal
import threading
from contextlib import contextmanager

from gmtoolbox.bench.run.fork_server import ForkServer
from gmtoolbox.bench.run.spawn_server import SpawnServer
from gmtoolbox.core.processes import can_fork


class Pool:
    """Fork servers, each of which makes one run at a time; they start when they are needed."""

    def __init__(self, n_jobs, threads=1):
        self.n_jobs, self.stopped = n_jobs, threading.Event()
        server = ForkServer if can_fork() else SpawnServer
        self._servers = [server(threads) for _ in range(n_jobs)]
        self._idle = queue.SimpleQueue()
        for fork_server in self._servers:
            self._idle.put(fork_server)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for fork_server in self._servers:
            fork_server.close()

    def map(self, make, items):
        """[make(fork server, *item)] of all items, several at a time; KeyboardInterrupt if Ctrl-C
        or SIGTERM came, which end the runs under way.
        """
        from joblib import Parallel, delayed

        with stop_on_signals(self):
            found = Parallel(n_jobs=self.n_jobs, backend="threading", batch_size=1)(
                delayed(self._make)(make, item) for item in items
            )
        if self.stopped.is_set():
            raise KeyboardInterrupt
        return found

    def _make(self, make, item):
        """One item, by a fork server that is idle; None after stop()."""
        if self.stopped.is_set():
            return None
        fork_server = self._idle.get()
        try:
            return make(fork_server, *item)
        finally:
            self._idle.put(fork_server)

    def stop(self):
        """End the runs under way and begin no more."""
        self.stopped.set()
        for fork_server in self._servers:
            fork_server.kill()


@contextmanager
def stop_on_signals(pool):
    """Let Ctrl-C and SIGTERM end the runs under way, so that the store is closed properly."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {
        number: signal.signal(number, lambda *_: pool.stop())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
