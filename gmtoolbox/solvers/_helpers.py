"""Workers of a Dask cluster that take part in a search in a folder.

Every worker thread gets a task, which works in the folder as any other process does (_sharing). So
a lost worker loses the time since its last checkpoint: another process takes its piece, and Dask
starts its task again elsewhere. The tasks end when the search does, or when the caller ends.
"""

import secrets
import threading
from contextlib import contextmanager

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.dask_client import connect
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget

LOOK = 0.5  # seconds between two looks of a task at the request to stop


@contextmanager
def let_workers_help(cluster, problem, budget, options):
    """Let the workers of a cluster solve the problem with these options of aj meanwhile.

    InputError if every one of them failed, for another reason than the loss of its worker.
    """
    with connect(cluster) as client:
        from distributed import Event  # after connect, which reports a missing Dask

        topic = f"gmtoolbox-{secrets.token_hex(8)}"
        stop, seconds = Event(topic, client=client), budget.remaining()
        tasks = [
            client.submit(take_part, problem, budget.seed, seconds, options, topic, pure=False,
                          key=f"{topic}-{k}")
            for k in range(sum(client.nthreads().values()))
        ]  # fmt: skip
        try:
            yield
            report_failure(tasks)
        finally:
            stop.set()
            client.cancel(tasks)


def report_failure(tasks):
    """InputError if all tasks have ended with errors of their own."""
    from distributed import KilledWorker

    errors = [task.exception() for task in tasks if task.status == "error"]
    errors = [error for error in errors if not isinstance(error, KilledWorker)]
    if errors and len(errors) == len(tasks):
        raise InputError(f"no worker of the cluster could take part: {errors[0]}") from errors[0]


def take_part(problem, seed, seconds, options, topic):
    """Solve the problem on a worker until the search ends, its time is over, or `topic` is set."""
    from distributed import Event, get_client

    asked, over = Event(topic, client=get_client()), threading.Event()
    with Budget(None if seconds == float("inf") else seconds, seed) as budget:

        def watch():
            while not over.wait(LOOK):
                if asked.is_set():
                    budget.stop.set()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            answer = solve_matching(budget, problem, "aj", options=options)
        finally:
            over.set()
    return answer.n_iter
