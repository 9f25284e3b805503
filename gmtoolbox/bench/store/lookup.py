"""Which runs of a plan a store has: those of the same problem, method, options, seed and limit.

Names do not count: a file is read again, in a process of its own, and its content decides. A
run whose problem was not recorded (by an older version, or imported) answers for nothing.
"""

from dataclasses import dataclass, field

from gmtoolbox.bench.run.attempts import memory_each
from gmtoolbox.bench.run.worker import Task, facts_of
from gmtoolbox.bench.store.rows import way_of
from gmtoolbox.core.errors import warn
from gmtoolbox.core.text import count_noun


@dataclass
class StoredRuns:
    """The runs of a plan that a store has and lacks."""

    tasks: list  # (key, Task) of those that it lacks
    answers: dict = field(default_factory=dict)  # key -> Run without its answer
    facts: dict = field(default_factory=dict)  # (dataset, instance) -> facts about the problem
    unverified: list = field(default_factory=list)  # runs that would answer if they were verified
    changed: list = field(default_factory=list)  # (dataset, instance) that were other problems


def look_up(plan, store, settings, pool):
    """The Found of a plan in a store; settings decide which of its runs serve, pool reads files."""
    if not settings.resume:
        return StoredRuns(plan.tasks)
    earlier, named = {}, {}
    for run in store.done():
        earlier.setdefault(run.way, []).append(run)
        named.setdefault(run.key[:2], set()).add(run.problem)
    candidates = [(key, task, earlier.get(way_of_task(key, task), ())) for key, task in plan.tasks]
    asked = {key[:2] for key, _, runs in candidates if runs}
    entries = [entry for entry in plan.entries if entry.name in asked]
    memory = memory_each(settings.memory, settings.n_jobs)
    found = StoredRuns([], facts=read_facts(entries, pool, settings.wall_of(plan), memory))
    for key, task, runs in candidates:
        facts = found.facts.get(key[:2])
        fitting = [run for run in runs if serves(run, key, task, facts, settings)]
        if fitting:
            found.answers[key] = max(fitting, key=lambda run: run.key == key)
            continue
        found.tasks.append((key, task))
        found.unverified += [
            run for run in runs if run.key == key and not run.problem and run.outcome == "ok"
        ]
    found.changed = [
        name
        for name, facts in found.facts.items()
        if facts and name in named and facts["problem"] not in named[name] | {""}
    ]
    return found


def way_of_task(key, task):
    """How the run of a task is made, whatever it solves; see Run.way."""
    return way_of(task.method, task.code, task.options, task.seed, key[3])


def serves(run, key, task, facts, settings):
    """Whether a stored run of the same way answers for a task on the problem of these facts."""
    if not run.serves(task.time_limit, settings.reads_off):
        return False
    if run.outcome != "ok" and settings.retry_failed:
        return False
    if facts is None:  # it cannot be read: the run that failed to read it failed for that reason
        return not run.problem and run.outcome != "ok" and run.key == key
    return run.problem == facts["problem"]


def read_facts(entries, pool, wall=None, memory=None):
    """Return {(dataset, instance): facts about its problem, None if that cannot be read}; wall and
    memory limit the process that reads one, as those of a run.
    """
    found, files = {}, []
    for entry in entries:
        if hasattr(entry.problem, "load"):
            files.append(entry)
        else:
            found[entry.name] = facts_of(entry.problem)

    def read(fork_server, entry):
        ending = fork_server.run(Task(entry.problem, None), wall, memory)
        return next((content for kind, content in ending.messages if kind == "problem"), None)

    if files:
        facts = pool.map(read, [(entry,) for entry in files])
        found.update(zip((entry.name for entry in files), facts, strict=True))
    return found


def warn_unverified(found, path):
    """Say which runs of a store are not used because their problem is unknown."""
    if found.unverified:
        warn(
            f"{path}: {count_noun(len(found.unverified), 'run')} of this store are unverified: the"
            " problem that they solved was not recorded (an older version wrote them, or they were"
            " imported). They are kept and made again",
            UserWarning,
        )
