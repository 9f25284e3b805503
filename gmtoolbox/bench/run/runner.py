"""gm_batch: every (instance, method, trial, seed) in a process of its own, joblib threads in front,
one store behind.
"""

import platform
import secrets
from dataclasses import dataclass, replace
from numbers import Real

from gmtoolbox.bench.run.attempts import Conditions, attempt, machine, memory_each, now
from gmtoolbox.bench.run.plan import make_plan
from gmtoolbox.bench.run.pool import Pool
from gmtoolbox.bench.run.progress import Silent, progress_for
from gmtoolbox.bench.runs import Runs
from gmtoolbox.bench.store.lookup import look_up, warn_unverified
from gmtoolbox.bench.store.store import Command, Store
from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError, warn
from gmtoolbox.core.values import check_count, check_flag, check_jobs
from gmtoolbox.engine.limits import accept_rng

LONGEST_WAIT = 1e8  # seconds, about three years: the system refuses to wait much longer
GRACE = 60.0  # seconds for loading, transforming and ending, in addition to a run's time limit


@dataclass
class Settings:
    """How runs are made, whatever they solve; see gm_batch."""

    n_jobs: int = 1
    resume: bool = True
    threads: int = 1
    memory: float = None
    wall: float = None
    retry_failed: bool = False
    cluster: object = None
    reads_off: bool = False  # answers at a limit are read off traces: longer runs serve, too

    def __post_init__(self):
        self.n_jobs = check_jobs(self.n_jobs)
        check_count("threads", self.threads)
        for name in ("memory", "wall"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and value > 0):
                raise InputError(f"{name} must be a positive number, got {value!r}")

    def at_most(self, n_tasks):
        """Return settings with no more processes than there are tasks."""
        return replace(self, n_jobs=min(self.n_jobs, max(n_tasks, 1)))

    def wall_of(self, plan):
        """Seconds after which a run of the plan is killed; None: never."""
        limit = max(plan.time_limits, default=None)
        if self.wall is not None or limit is None or limit > LONGEST_WAIT:
            return self.wall
        return 1.05 * limit + GRACE


@accept_rng
def gm_batch(
    problems, methods, *, time_limit=None, n_jobs=1, trials=1, store=None, resume=True, seed=0,
    threads=1, memory=None, wall=None, retry_failed=False, progress=False, cluster=None,
):  # fmt: skip
    """Solve problems with methods, each run in a process of its own.

    A crash, a timeout or lack of memory ends only its own run, whose outcome and reason say so.

    Parameters
    ----------
    problems : files, dataset folders, Problems, matrices, a list of these, or a dict of them
        Problems to solve; a dict gives names. Dataset folders have a dataset.json.
    methods : str, list, or dict
        'all', a name, several, or a dict name -> options. 'fm:patience=10' is a variant, with that
        name in the tables; a dict gives other names: {'eager': ('fm', {'patience': 10})}.
    time_limit : float or list of float
        Wall seconds of one run. If several are given, a run gets the largest, and its labels at
        the smaller ones are kept.
    n_jobs : int
        Runs at the same time; -1 = one per processor. Results do not depend on it.
    trials : int
        Runs with the same seed, to measure the time.
    store : str or Path, optional
        File that collects the runs; None keeps them in memory.
    resume : bool
        Take runs that the store has already: those of the same problem (costs, candidates, edges,
        sense, complete, offset), method, options, seed and limit, whatever they are called. False
        runs everything again.
    seed : int, or list of int
        If several are given, each is a run of its own.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once.
    threads : int
        Threads of the numerical libraries in one run.
    memory : float, optional
        Megabytes of address space of one run; default: an equal share of the machine's memory.
    wall : float, optional
        Seconds after which a run is killed; default: 1.05 times the time limit, and a minute.
    retry_failed : bool
        Repeat runs that crashed, failed or were killed before.
    progress : bool or stream
        Show on stderr, or in a text stream, how much is done, which runs failed, and how long the
        rest takes.
    cluster : str, Client or Cluster of dask.distributed, optional
        Make the runs on its workers, one for each of their threads, instead of here; files are
        read there, under the same names. See docs/clusters.md.

    Returns
    -------
    Runs
        A list of Run in the order problem, method, seed, trial, with tables, pictures and files
        of them. A Run has dataset, instance, method, seed, trial, outcome, reason, the fields of
        a Result, and `problem`, the fingerprint of the problem.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> methods = ["fw", "eager=fm:patience=5"]
    >>> runs = gm.gm_batch({"car": p}, methods, time_limit=5, seed=[0, 1])
    >>> [(run.method, run.seed, run.outcome) for run in runs]
    [('fw', 0, 'ok'), ('fw', 1, 'ok'), ('eager', 0, 'ok'), ('eager', 1, 'ok')]
    >>> runs.profile()
    <Picture 'Performance profile, all datasets', 820 x 428>
    """
    resume, retry_failed = check_flag("resume", resume), check_flag("retry_failed", retry_failed)
    if not hasattr(progress, "write"):
        progress = check_flag("progress", progress)
    refuse_unused(
        "goes with a store", resume=store is None and not resume,
        retry_failed=store is None and retry_failed,
    )  # fmt: skip
    refuse_unused("does not go with cluster", n_jobs=cluster is not None and n_jobs != 1)
    plan = make_plan(problems, methods, trials=trials, time_limit=time_limit, seed=seed)
    settings = Settings(n_jobs, resume, threads, memory, wall, retry_failed, cluster)
    with Store(store, write=True) as opened:
        stream = progress if hasattr(progress, "write") else None
        show = progress_for(len(plan.tasks), stream) if progress else Silent()
        answers = execute(plan, opened, settings, show)
        found = in_plan_order(plan, opened.runs(), answers)
        return Runs(found, opened.instances(), opened.commands()[-1:], plan.time_limits)


def in_plan_order(plan, runs, answers):
    """Those runs that answer the plan, in the order problem, method, seed, trial; answers: those
    of execute.
    """
    found = {run.place: run for run in runs}
    order = {entry.name: k for k, entry in enumerate(plan.entries)}
    rank = {method: k for k, method in enumerate(plan.methods)}
    seeds = {seed: k for k, seed in enumerate(plan.seeds)}
    by_place = lambda key: (order[key[:2]], rank[key[2]], seeds[key[4]], key[3])
    return [found[answers[key]] for key in sorted(answers, key=by_place)]


def execute(plan, store, settings=None, show=None, command="gm_batch"):
    """Run the tasks that the store lacks; return {key: place of the run that answers}.

    KeyboardInterrupt if Ctrl-C or SIGTERM came; the store keeps the finished runs.
    """
    settings, show = (settings or Settings()).at_most(len(plan.tasks)), show or Silent()
    with Pool(settings.n_jobs, settings.threads) as pool:
        found = look_up(plan, store, settings, pool)
        warn_unverified(found, store.path)
        for name in found.changed:
            show.note(
                f"{'/'.join(name)}: the store has another problem of this name; both are kept"
            )
        store.add_command(Command(now(), platform.node(), command, plan.time_limits))
        keeper = Keeper(store, plan, show, found)
        try:
            if settings.cluster is None:
                run_here(found.tasks, plan, settings, keeper, pool)
            else:
                run_there(found.tasks, plan, settings, keeper)
        finally:
            show.stop()
    return keeper.answers


def run_here(tasks, plan, settings, keeper, pool):
    """Make runs by processes of this computer."""
    memory = memory_each(settings.memory, settings.n_jobs)
    conditions = Conditions(settings.wall_of(plan), memory, machine())

    def make(fork_server, key, task):
        made = attempt(fork_server, key, task, conditions, pool.stopped.is_set)
        if made is not None:
            keeper.keep(*made)

    keeper.show.start(len(plan.tasks) - len(tasks), settings.n_jobs)
    pool.map(make, tasks)


def run_there(tasks, plan, settings, keeper):
    """Make runs on a Dask cluster."""
    from gmtoolbox.bench.cluster.dask_runner import (  # Dask may be missing
        ChunkSettings,
        run_on_dask,
    )

    batch = secrets.token_hex(8)
    of_chunks = ChunkSettings(batch, settings.threads, settings.memory, settings.wall_of(plan))
    before = len(plan.tasks) - len(tasks)
    run_on_dask(settings.cluster, tasks, keeper, of_chunks, lambda n: keeper.show.start(before, n))


class Keeper:
    """Puts runs that have ended, and the facts about their instances, into the store.

    answers  {key: place of the run in the store}, those found there before among them
    """

    def __init__(self, store, plan, show, found):
        self.store, self.show, self.answers, self.warned = store, show, {}, set()
        self.rows = {entry.name: entry.row for entry in plan.entries}
        stored = store.instances()
        self.known = {row.place for row in stored if row.n1 is not None}
        named = {row.place[:2] for row in stored}
        for name, row in self.rows.items():
            if name not in named and not found.facts.get(name):
                store.add_instance(row)
        for key, run in found.answers.items():
            self.note(key[:2], found.facts[key[:2]])
            if run.key != key:
                store.add_name(run, key)
            self.answers[key] = (run.identity, *key[:4])

    def keep(self, run, facts):
        """Store a run and show it; facts: of a child that loaded the problem, or None."""
        self.note(run.key[:2], facts)
        self.store.add(run)
        self.answers[run.key] = run.place
        self.show.done(run)

    def note(self, name, facts):
        """Store the row of an instance with the facts that the first child sent, and
        show which guesses its reader made.
        """
        for category, text in () if facts is None else facts.pop("guesses", ()):
            if name not in self.warned:
                warn(text, category)
        self.warned.add(name)
        if facts is None or (*name, facts["problem"]) in self.known:
            return
        row = replace(self.rows[name])
        for field, value in facts.items():
            if field != "ground_truth" or row.ground_truth is None:
                setattr(row, field, value)
        self.store.add_instance(row)
        self.known.add(row.place)
