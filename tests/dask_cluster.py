"""A Dask scheduler and workers on loopback, as processes that tests may kill."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec

from processes import end, wait_until

AVAILABLE = find_spec("distributed") is not None
START = 90.0  # seconds until all must answer
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false", "OMP_NUM_THREADS": "1"}


@contextmanager
def dask_cluster(folder, workers=3, threads=1, nanny=False):
    """(address of the scheduler, pids of the workers or their nannies)."""
    path = folder / "scheduler.json"
    environment = {
        **os.environ,
        **QUIET,
        "PYTHONPATH": os.pathsep.join(part for part in sys.path if part),
    }
    common = ["--no-dashboard", "--scheduler-file", str(path)]
    with ExitStack() as stack:
        here = ["--host", "127.0.0.1", "--port", "0"]
        start(stack, folder, environment, "scheduler", *common, *here)
        wait_until(path.is_file, seconds=START)
        address = json.loads(path.read_text("utf-8"))["address"]
        kind = "--nanny" if nanny else "--no-nanny"
        common += ["--nthreads", str(threads), "--local-directory", str(folder), kind]
        pids = [
            start(stack, folder, environment, "worker", *common, "--host", "127.0.0.1").pid
            for _ in range(workers)
        ]
        wait_for_workers(address, workers)
        yield address, pids


def start(stack, folder, environment, command, *arguments):
    """Start a program of Dask, to be ended with the stack."""
    log = stack.enter_context(open(folder / "dask.log", "ab"))
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", command, *arguments],
        env=environment,
        stdout=log,
        stderr=log,
    )
    stack.callback(end, process)
    return process


def wait_for_workers(address, count):
    """Return when so many workers have joined."""
    from distributed import Client

    with Client(address, timeout=START, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=START)
