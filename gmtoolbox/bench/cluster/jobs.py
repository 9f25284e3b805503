"""A benchmark as an array of jobs, on SLURM or as processes of this computer.

Next to the store bench.db a folder bench.db.jobs holds everything about them: jobs.json, the script
of a job, the logs, and one store per part. `bench --submit` makes it, `--status` looks at it and
merges finished parts, `--resubmit` starts the parts that are missing.
"""

import json
import math
import os
import shlex
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gmtoolbox.bench.run.estimate import OVERHEAD
from gmtoolbox.bench.run.runner import GRACE
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.processes import find_start
from gmtoolbox.core.text import table
from gmtoolbox.io.files import write_bytes

KINDS = ("slurm", "local")
WARNED = 60  # seconds before its end in which a job gets the signal to stop
PATIENCE = 60.0  # seconds for an answer of sbatch or squeue
SCRIPT = """#!/bin/sh
# One part of a benchmark, number $SLURM_ARRAY_TASK_ID; written by gmtoolbox bench --submit.
#SBATCH --job-name=gmtoolbox
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={minutes}
#SBATCH --signal=B:TERM@{warned}
#SBATCH --output={logs}/%a.log
#SBATCH --open-mode=append
# exec: the signal goes to this process, which must be ours
exec {command} --shard "$SLURM_ARRAY_TASK_ID/{parts}"
"""


@dataclass
class Jobs:
    """The content of jobs.json."""

    kind: str
    runs: list  # number of runs of each part
    submitted: list = field(default_factory=list)  # {"id": ..., "parts": [...]}

    @property
    def parts(self):
        """Number of parts."""
        return len(self.runs)


@dataclass(frozen=True)
class Part:
    """The progress of a part: its state is that of the queue, 'done' or 'missing'."""

    number: int
    state: str
    done: int
    failed: int
    runs: int


def jobs_folder(store):
    """Return the folder next to a store that holds its jobs."""
    return Path(f"{store}.jobs").absolute()


def part_store(store, number, parts):
    """The store of one part."""
    return jobs_folder(store) / f"part.{number}-of-{parts}.db"


# ---- submitting


def parts_for(plan, cpus, hours):
    """Return the number of jobs of this many hours for a plan, if every run takes all its time."""
    limit = max(plan.time_limits, default=None)
    if limit is None:
        raise InputError("jobs are sized by the time limit of the runs: give --time-limits")
    seconds = len(plan.tasks) * (limit + OVERHEAD) / cpus
    of_a_job = max(60.0, 3600.0 * hours - WARNED)
    return max(1, min(len(plan.tasks), math.ceil(seconds / of_a_job)))


def submit(store, plan, arguments, kind, parts, cpus=1, extra=()):
    """Write the folder of the jobs and start them all; the Jobs.

    arguments  of `gmtoolbox run`, all but --shard and --store
    extra      options of sbatch
    """
    folder = jobs_folder(store)
    if (folder / "jobs.json").exists():
        raise InputError(f"{folder}: submitted before; look with --status, or remove that folder")
    if not 1 <= parts <= len(plan.tasks):
        raise InputError(
            f"--shards must be 1 to {len(plan.tasks)}, the number of runs, got {parts}"
        )
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    jobs = Jobs(kind, [len(plan.shard(k, parts).tasks) for k in range(1, parts + 1)])
    limit = max(plan.time_limits, default=None)
    slowest = max(jobs.runs) * ((limit or 3600.0) + OVERHEAD) / cpus
    command = [sys.executable, "-m", "gmtoolbox", "run", *arguments, "--store", folder / "part.db"]
    script = SCRIPT.format(
        cpus=cpus,
        minutes=math.ceil((1.1 * slowest + GRACE + WARNED) / 60),
        warned=WARNED,
        logs=folder / "logs",
        command=shlex.join(map(str, command)),
        parts=parts,
    )
    write_bytes(folder / "job.sh", script.encode())
    start(store, jobs, range(1, parts + 1), extra)
    return jobs


def start(store, jobs, numbers, extra=()):
    """Start some parts, and remember them."""
    folder, numbers = jobs_folder(store), list(numbers)
    if jobs.kind == "slurm":
        array = ",".join(map(str, numbers))
        answer = ask(["sbatch", "--parsable", f"--array={array}", *extra, folder / "job.sh"])
        jobs.submitted.append({"id": answer.strip().partition(";")[0], "parts": numbers})
    else:
        for number in numbers:
            pid = start_here(folder, number)
            jobs.submitted.append({"id": f"{pid} {find_start(pid)}", "parts": [number]})
    write_bytes(folder / "jobs.json", json.dumps(asdict(jobs)).encode())


def start_here(folder, number):
    """The process of a part that goes on when this one ends."""
    with open(folder / "logs" / f"{number}.log", "ab") as log:
        process = subprocess.Popen(
            ["sh", folder / "job.sh"],
            env={**os.environ, "SLURM_ARRAY_TASK_ID": str(number)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    return process.pid


def ask(command):
    """Return the output of a program of SLURM; InputError with its reason."""
    try:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, encoding="utf-8", errors="replace",
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError(
            f"{command[0]}: not found; is this a computer of a SLURM cluster?"
        ) from None
    except subprocess.TimeoutExpired:
        raise InputError(f"{command[0]} did not answer within {PATIENCE:g} s") from None
    if done.returncode:
        raise InputError(f"{command[0]} failed: {' '.join(done.stderr.split())[-300:]}")
    return done.stdout


# ---- looking


def is_submitted(store):
    """Return True if jobs were submitted for a store."""
    return (jobs_folder(store) / "jobs.json").is_file()


def read_jobs(store):
    """The Jobs of a store; InputError if nothing was submitted, or jobs.json is none."""
    path = jobs_folder(store) / "jobs.json"
    if not is_submitted(store):
        raise InputError(f"{store}: nothing was submitted for this store (no {path})")
    try:
        jobs = Jobs(**json.loads(path.read_text("utf-8")))
        good = jobs.kind in KINDS and all(isinstance(runs, int) for runs in jobs.runs)
        if not good or not all({"id", "parts"} <= set(one) for one in jobs.submitted):
            raise ValueError("unknown content")
    except (ValueError, TypeError) as error:
        raise FileFormatError(path, f"is no list of jobs: {error}") from error
    return jobs


def ask_queue(jobs):
    """Return {number of a part: its state in the queue} of those that run or wait."""
    if jobs.kind == "local":
        return {
            number: "RUNNING"
            for one in jobs.submitted
            for number in one["parts"]
            if is_alive(*one["id"].split())
        }
    ours = {one["id"] for one in jobs.submitted}
    answer = ask(["squeue", "--noheader", "--array", "--all", "--format=%F %K %T"])
    rows = [line.split() for line in answer.splitlines()]
    return {int(row[1]): row[2] for row in rows if len(row) == 3 and row[0] in ours}


def is_alive(pid, began):
    """Whether that very process still runs; a number may have been given to another since."""
    return str(find_start(int(pid))) == began != "None"


def look(store, jobs):
    """Every Part."""
    waiting, found = ask_queue(jobs), []
    for number, runs in enumerate(jobs.runs, 1):
        path = part_store(store, number, jobs.parts)
        done = failed = 0
        if path.is_file():
            with Store(path) as part:
                outcomes = {run.key: run.outcome for run in part.done()}
            done, failed = len(outcomes), sum(said != "ok" for said in outcomes.values())
        state = waiting.get(number) or ("done" if done >= runs else "missing")
        found.append(Part(number, state, done, failed, runs))
    return found


def describe_parts(parts):
    """The parts as a table, and the sum of them."""
    rows = [
        (f"{part.number}/{len(parts)}", part.state, f"{part.done}/{part.runs}", part.failed)
        for part in parts
    ]
    done, failed, runs = (
        sum(getattr(p, name) for p in parts) for name in ("done", "failed", "runs")
    )
    missing = sum(part.state == "missing" for part in parts)
    lines = [
        table(("part", "state", "runs", "failed"), rows, texts=2),
        f"\n{done} of {runs} runs done, {failed} failed",
    ]
    if missing:
        lines.append(f"{missing} parts are neither done nor in the queue: --resubmit starts them")
    return "\n".join(lines)
