"""One run of a benchmark: attempts in processes of their own, until one reports its end."""

import os
import platform
import signal
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gmtoolbox._version import __version__
from gmtoolbox.bench.store.store import Run
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype

ATTEMPTS = 3  # a run whose process was killed from outside is started again, at most this often
KILLED = 9  # SIGKILL, which not every system has a name for


@dataclass
class Conditions:
    """The common settings of all runs of a batch."""

    wall: float = None  # seconds after which it is killed
    memory: int = None  # bytes of address space
    machine: dict = field(default_factory=dict)
    attempts: int = ATTEMPTS


def attempt(fork_server, key, task, conditions, stopped=lambda: False):
    """(Run, facts about the problem or None) of one task; None if the batch was stopped."""
    for tried in range(1, conditions.attempts + 1):
        run = run_of(key, task, conditions, load=load_average())
        begin = time.perf_counter()
        ending = fork_server.run(task, conditions.wall, conditions.memory)
        run.wall, run.memory = time.perf_counter() - begin, ending.memory
        if stopped():
            return None
        killed = ending.code in (None, -KILLED) and not ending.timed_out
        if not killed or tried == conditions.attempts:
            break
    describe(run, ending, conditions)
    facts = next((content for kind, content in ending.messages if kind == "problem"), None)
    run.problem = "" if facts is None else facts["problem"]
    return run, facts


def run_of(key, task, conditions, **rest):
    """The Run of a task before anything is known about how it ended."""
    return Run(
        *key[:4],
        options=task.options,
        seed=task.seed,
        time_limit=task.time_limit,
        started=now(),
        solver=task.method,
        code=task.code,
        **conditions.machine,
        **rest,
    )


def now():
    """The time of day in ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def memory_each(memory, n_jobs):
    """Bytes of address space for one run."""
    if memory is not None:
        return int(memory * 2**20)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // n_jobs
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None


def load_average():
    """Return the processes that were ready in the last minute; None if the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def describe(run, ending, conditions):
    """Fill in the answer of a run, or the reason why it has none."""
    said = dict(ending.messages)
    if "result" in said:
        for name, value in said["result"].items():
            setattr(run, name, value)
        return  # options stay as they were asked for: `decided` has the rest
    events = [event for kind, content in ending.messages if kind == "events" for event in content]
    run.trace = np.array(events, dtype=trace_dtype())
    if "memory" in said:
        needed = f"more than {conditions.memory / 2**20:.0f} MB needed {said['memory']}"
        run.outcome, run.reason = "memory", needed.rstrip()
    elif "error" in said:
        run.outcome, run.reason = "error", said["error"]
    elif ending.timed_out:
        run.outcome, run.reason = "timeout", f"killed {conditions.wall:g} s after its start"
    elif ending.code is None:
        run.outcome, run.reason = "crash", f"its process was killed {conditions.attempts} times"
    elif ending.code < 0:
        run.outcome, run.reason = "crash", f"killed by {signal.Signals(-ending.code).name}"
    else:
        run.outcome, run.reason = "crash", f"ended with exit status {ending.code}"
    last = ending.output.strip().rpartition("\n")[2]
    if run.outcome == "crash" and last:
        run.reason += f"; its last words: {last}"


def machine():
    """Return the facts that the speed of a run may depend on."""
    import scipy

    versions = {
        "gmtoolbox": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
    return {"versions": versions, "host": platform.node(), "cpu": processor()}


def processor():
    """The name of the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return next(
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            )
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
