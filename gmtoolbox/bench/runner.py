"""gm_batch: every (instance, method, trial, seed) in a process of its own, joblib threads in front,
one store behind.
"""

import platform
import queue
import secrets
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass

from gmtoolbox.bench.attempts import Conditions, attempt, machine, memory_each, now
from gmtoolbox.bench.fork_server import ForkServer
from gmtoolbox.bench.plan import make_plan
from gmtoolbox.bench.progress import Silent, progress_for
from gmtoolbox.bench.spawn_server import SpawnServer
from gmtoolbox.bench.store import Command, Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.guesses import warn
from gmtoolbox.core.processes import can_fork
from gmtoolbox.core.values import check_jobs
from gmtoolbox.engine.registry import get_solver

LONGEST_WAIT = 1e8  # seconds, about three years: the system refuses to wait much longer
GRACE = 60.0  # seconds for loading, transforming and ending, beside a run's time limit


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

    def __post_init__(self):
        self.n_jobs = check_jobs(self.n_jobs)

    def wall_of(self, plan):
        """Seconds after which a run of the plan is killed; None: never."""
        limit = max(plan.time_limits, default=None)
        if self.wall is not None or limit is None or limit > LONGEST_WAIT:
            return self.wall
        return 1.05 * limit + GRACE


def gm_batch(
    problems, methods, *, time_limit=None, n_jobs=1, trials=1, store=None, resume=True, seed=0,
    threads=1, memory=None, wall=None, retry_failed=False, progress=False, cluster=None,
):  # fmt: skip
    """Solve problems with methods, each run in a process of its own; the Runs in the order problem,
    method, seed, trial.

    A crash, a timeout or lack of memory costs only its own run, whose outcome and reason say so.

    Parameters
    ----------
    problems : files, dataset folders, Problems, matrices, a list of these, or a dict of them
        What is solved; a dict gives names. Dataset folders have a dataset.json.
    methods : str, list, or dict
        'all', a name, names, or a dict name -> options. 'fm:patience=10' is a variant with that
        name in the tables; a dict names them as it likes: {'eager': ('fm', {'patience': 10})}.
    time_limit : float or list of float
        Wall seconds of one run; of several the largest is given, and the labels at the smaller
        ones are kept.
    n_jobs : int
        Runs at the same time; -1 = one per processor. Results do not depend on it.
    trials : int
        Runs of the same thing, to measure the time.
    store : str or Path, optional
        File that collects the runs; None keeps them in memory.
    resume : bool
        Take runs that the store has already; False makes all anew.
    seed : int, or list of int
        Of several, each is a run of its own.
    threads : int
        Threads of the numerical libraries in one run.
    memory : float, optional
        Megabytes of address space of one run; default: an equal share of the machine's memory.
    wall : float, optional
        Seconds after which a run is killed; default: the time limit and a minute.
    retry_failed : bool
        Run again what crashed, failed or was killed before.
    progress : bool
        Show on stderr how much is done, what failed, and how long the rest takes.
    cluster : str, Client or Cluster of dask.distributed, optional
        Make the runs on its workers, one for each of their threads, instead of here; files are
        read there, under the same names. See docs/bench.md.

    Returns
    -------
    list of Run
        With dataset, instance, method, seed, trial, outcome, reason, and what a Result has.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> runs = gm.gm_batch({"car": p}, ["fw", "eager=fm:patience=5"], time_limit=5, seed=[0, 1])
    >>> [(run.method, run.seed, run.outcome) for run in runs]
    [('fw', 0, 'ok'), ('fw', 1, 'ok'), ('eager', 0, 'ok'), ('eager', 1, 'ok')]
    """
    plan = make_plan(problems, methods, trials=trials, time_limit=time_limit, seed=seed)
    settings = Settings(n_jobs, resume, threads, memory, wall, retry_failed, cluster)
    with Store(store, write=True) as opened:
        show = progress_for(len(plan.tasks)) if progress else Silent()
        execute(plan, opened, settings, show)
        return in_plan_order(plan, opened.runs())


def in_plan_order(plan, runs):
    """Those runs that the plan asks for, in the order problem, method, seed, trial."""
    found = {run.key: run for run in runs}
    order = {(entry.row.dataset, entry.row.instance): k for k, entry in enumerate(plan.entries)}
    rank = {method: k for k, method in enumerate(plan.methods)}
    seeds = {seed: k for k, seed in enumerate(plan.seeds)}
    place = lambda key: (order[key[:2]], rank[key[2]], seeds[key[4]], key[3])
    return [found[key] for key in sorted(plan.keys, key=place) if key in found]


def execute(plan, store, settings=None, show=None, command="gm_batch"):
    """Run what the store does not have yet. KeyboardInterrupt if Ctrl-C or SIGTERM came; the store
    keeps what was done.
    """
    settings, show = settings or Settings(), show or Silent()
    tasks = missing(plan, store, settings)
    store.add_command(Command(now(), platform.node(), command, plan.time_limits))
    make = run_here if settings.cluster is None else run_there
    try:
        make(tasks, plan, settings, Keeper(store, plan, show))
    finally:
        show.stop()


def run_here(tasks, plan, settings, keeper):
    """Make runs by processes of this computer."""
    from joblib import Parallel, delayed

    batch = Batch(keeper, plan, settings)
    keeper.show.start(len(plan.tasks) - len(tasks), settings.n_jobs)
    try:
        with stopping_on_signals(batch):
            Parallel(n_jobs=settings.n_jobs, backend="threading", batch_size=1)(
                delayed(batch.run)(key, task) for key, task in tasks
            )
    finally:
        batch.close()
    if batch.stopped.is_set():
        raise KeyboardInterrupt


def run_there(tasks, plan, settings, keeper):
    """Make runs on a Dask cluster."""
    from gmtoolbox.bench.dask_runner import ChunkSettings, run_on_dask  # Dask may be missing

    batch = secrets.token_hex(8)
    told = ChunkSettings(batch, settings.threads, settings.memory, settings.wall_of(plan))
    before = len(plan.tasks) - len(tasks)
    run_on_dask(settings.cluster, tasks, keeper, told, lambda n: keeper.show.start(before, n))


def missing(plan, store, settings):
    """The tasks that the store cannot answer; refuses a store whose runs were made with other
    settings.
    """
    if not settings.resume:
        return plan.tasks
    limit = max(plan.time_limits, default=None)
    done, tasks = store.done(), []
    for key, task in plan.tasks:
        run = done.get(key)
        if run is not None and (other := differing(run, task)):
            raise InputError(
                f"the store has {'/'.join(map(str, key[:3]))} with other settings"
                f" ({', '.join(other)}): take another store, or make everything anew (resume=False,"
                " --fresh)"
            )
        if run is None or not run.serves(limit) or (settings.retry_failed and run.outcome != "ok"):
            tasks.append((key, task))
    return tasks


def differing(run, task):
    """Names of the settings that a stored run has and a task asks for otherwise."""
    theirs, ours = ({"solver": s, **x.options} for s, x in ((run.solver, run), (task.method, task)))
    if run.decided is None and get_solver(task.method).chooses:
        # older versions stored what the method decided in place of the option it decided about
        defaults = get_solver(task.method).check({})
        theirs |= {name: value for name, value in ours.items() if defaults.get(name) == value}
    return sorted(name for name in {*theirs, *ours} if theirs.get(name) != ours.get(name))


@contextmanager
def stopping_on_signals(batch):
    """Ctrl-C and SIGTERM end the runs under way and let the store be closed properly."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {
        number: signal.signal(number, lambda *_: batch.stop())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


class Keeper:
    """Puts runs that have ended, and what they tell about the instances, into the store."""

    def __init__(self, store, plan, show):
        self.store, self.show, self.warned = store, show, set()
        self.rows = {(entry.row.dataset, entry.row.instance): entry.row for entry in plan.entries}
        self.known = {
            (row.dataset, row.instance) for row in store.instances() if row.n1 is not None
        }
        for key, row in self.rows.items():
            if key not in self.known:
                store.add_instance(row)

    def keep(self, run, facts):
        """Store a run and show it; facts: of a child that loaded the problem, or None."""
        self.note(run.key[:2], facts)
        self.store.add(run)
        self.show.done(run)

    def note(self, instance, facts):
        """Complete the instance's row with what the first child that loaded it says."""
        for category, text in () if facts is None else facts.pop("guesses", ()):
            if instance not in self.warned:
                warn(text, category)
        self.warned.add(instance)
        if instance in self.known or facts is None:
            return
        row = self.rows[instance]
        for name, value in facts.items():
            if name != "ground_truth" or row.ground_truth is None:
                setattr(row, name, value)
        self.store.add_instance(row)
        self.known.add(instance)


class Batch:
    """What all threads use: the fork servers, the conditions and the way to the store."""

    def __init__(self, keeper, plan, settings):
        self.keeper, self.stopped = keeper, threading.Event()
        memory = memory_each(settings.memory, settings.n_jobs)
        self.conditions = Conditions(settings.wall_of(plan), memory, machine())
        server = ForkServer if can_fork() else SpawnServer
        self.fork_servers = [server(settings.threads) for _ in range(settings.n_jobs)]
        self.idle = queue.SimpleQueue()
        for fork_server in self.fork_servers:
            self.idle.put(fork_server)

    def run(self, key, task):
        """One run, from the first attempt to its row in the store."""
        if self.stopped.is_set():
            return
        fork_server = self.idle.get()
        try:
            made = attempt(fork_server, key, task, self.conditions, self.stopped.is_set)
        finally:
            self.idle.put(fork_server)
        if made is not None:
            self.keeper.keep(*made)

    def stop(self):
        """End the runs under way and begin no more."""
        self.stopped.set()
        for fork_server in self.fork_servers:
            fork_server.kill()

    def close(self):
        """End the fork servers."""
        for fork_server in self.fork_servers:
            fork_server.close()
