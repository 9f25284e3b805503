"""Runs on a Dask cluster: futures of chunks of runs, each run in a process of its own on its
worker, all results in the one store of the caller.

Dask repeats the runs of a lost worker, and gives a task up after a few such losses, whatever the
cause. So a chunk reports to the scheduler which of its runs begins and which ends: when it is
repeated it knows which run was active when its worker was lost. That run is run alone on its worker
from then on, so that it cannot be blamed for a neighbour, and when it loses its worker again it is
recorded as failed and the rest of the chunk goes on.
"""

import secrets
import signal
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass

from gmtoolbox.bench.run.attempts import Conditions, attempt, machine, memory_each, now, run_of
from gmtoolbox.bench.run.fork_server import ForkServer
from gmtoolbox.bench.run.spawn_server import SpawnServer
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.processes import can_fork
from gmtoolbox.engine.dask_client import connect

LOSSES = 2  # workers that a run may take with it before it is recorded as failed
CHUNK_SECONDS = 60.0  # that a chunk may take if every run takes its whole time
CHUNKS = 4  # for each thread of the cluster, at least


@dataclass(frozen=True)
class ChunkSettings:
    """The settings of every chunk of a batch."""

    batch: str
    threads: int
    memory: float
    wall: float

    def topic(self, number):
        """The name under which the scheduler keeps the reports of a chunk."""
        return f"gmtoolbox-{self.batch}-{number}"


# ---- at the caller's


def run_on_dask(cluster, tasks, keeper, settings, show_start):
    """Run tasks on a cluster and keep every result as soon as its chunk is done.

    cluster     address of a scheduler, or a Client, or a Cluster of dask.distributed
    tasks       [(key, Task)]
    show_start  is called with the number of runs at the same time
    """
    with connect(cluster) as client, interrupt_on_sigterm():
        from distributed import Event, as_completed  # after connect, which reports a missing Dask

        threads = sum(client.nthreads().values())
        show_start(max(threads, 1))
        if not tasks:
            return
        chunks = dict(enumerate(cut(tasks, threads)))
        stop = Event(f"gmtoolbox-{settings.batch}", client=client)
        send = lambda number: client.submit(
            run_chunk,
            number,
            chunks[number],
            settings,
            pure=False,
            key=f"{settings.topic(number)}-{now()}",
        )
        numbers = {send(number): number for number in chunks}
        given_up = Counter()
        try:
            waiting = as_completed(list(numbers), loop=client.loop)
            for future in waiting:
                number = numbers.pop(future)
                if future.status == "finished":
                    for run, facts in future.result():
                        keeper.keep(run, facts)
                else:
                    given_up[number] += 1
                    again = after_failure(future, chunks[number], given_up[number], send, number)
                    numbers[again] = number
                    waiting.add(again)
                future.release()  # a chunk that is done must not be repeated if its worker is lost
        except BaseException:
            stop.set()
            client.cancel(list(numbers))
            raise


def after_failure(future, chunk, times, send, number):
    """Return the future of a chunk that Dask gave up because its workers were lost; its runs show
    the cause when it begins again. Anything else is an error of ours or of the cluster.
    """
    from distributed import KilledWorker

    error = future.exception() if future.status == "error" else None
    if not isinstance(error, KilledWorker) or times > len(chunk) + LOSSES:
        raise InputError(f"the Dask cluster failed: {error or future.status}") from error
    return send(number)


def cut(tasks, threads):
    """Chunks of about equal length: several for each thread, none too long."""
    limit = max((task.time_limit or CHUNK_SECONDS for _, task in tasks), default=CHUNK_SECONDS)
    size = max(1, min(len(tasks) // (CHUNKS * max(threads, 1)), int(CHUNK_SECONDS / limit)))
    return [tasks[k : k + size] for k in range(0, len(tasks), size)]


@contextmanager
def interrupt_on_sigterm():
    """Treat SIGTERM as Ctrl-C: the store keeps the finished runs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# ---- on a worker

_mine = threading.local()  # the fork server of each thread of a worker


class Gate:
    """Lets runs in side by side, or one alone."""

    def __init__(self):
        self.changed, self.inside, self.closed = threading.Condition(), 0, False

    @contextmanager
    def through(self, alone):
        """Context of a run; `alone`: no other run is inside meanwhile."""
        with self.changed:
            self.changed.wait_for(lambda: not self.closed)
            if alone:
                self.closed = True
                self.changed.wait_for(lambda: self.inside == 0)
            self.inside += 1
        try:
            yield
        finally:
            with self.changed:
                self.inside -= 1
                self.closed = self.closed and not alone
                self.changed.notify_all()


_gate = Gate()


def run_chunk(number, tasks, settings):
    """[(Run, facts)] of some tasks, made in this process of the cluster."""
    from distributed import Event, get_client, get_worker

    client, slots = get_client(), get_worker().state.nthreads
    conditions = Conditions(settings.wall, memory_each(settings.memory, slots), machine(), LOSSES)
    topic, token = settings.topic(number), secrets.token_hex(8)
    stop = Event(f"gmtoolbox-{settings.batch}", client=client)
    lost = losses([event for _, event in client.get_events(topic)])
    made = []
    for place, (key, task) in enumerate(tasks):
        if stop.is_set():
            break
        if lost[place] >= LOSSES:
            made.append((blame_task(key, task, conditions), None))
            continue
        with _gate.through(alone=lost[place] > 0):
            log = lambda what, place=place: client.log_event(
                topic, {"attempt": token, "place": place, "what": what}
            )
            log("begins")  # the scheduler knows before the run can do any harm
            found = attempt(fork_server(settings.threads), key, task, conditions)
            log("ends")
        made.append(found)
    return made


def losses(events):
    """place in the chunk -> workers that were lost while its run was under way."""
    under_way = {}
    for event in events:
        if event["what"] == "begins":
            under_way[event["attempt"]] = event["place"]
        else:
            under_way.pop(event["attempt"], None)
    return Counter(under_way.values())


def blame_task(key, task, conditions):
    """Return the Run of a task that should not be tried again."""
    in_memory = not hasattr(task.problem, "load")
    return run_of(
        key,
        task,
        conditions,
        outcome="crash",
        reason=f"its worker was lost {LOSSES} times while it ran",
        problem=fingerprint(task.problem) if in_memory else "",
    )


def fork_server(threads):
    """The fork server of this thread; it ends with the thread."""
    found = getattr(_mine, "server", None)
    if found is None or found.threads != threads:
        found = _mine.server = (ForkServer if can_fork() else SpawnServer)(threads)
    return found
