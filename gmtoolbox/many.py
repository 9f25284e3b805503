"""gm_solve_many: thousands of small problems, spread over threads that leave Python alone."""

import threading

from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.core.values import as_list, check_count, check_jobs
from gmtoolbox.driver import as_problem, make_result
from gmtoolbox.engine.limits import Stop, accept_rng
from gmtoolbox.engine.pipeline import check_feasible, solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import DEFAULT_METHOD, get_solver, gm_methods
from gmtoolbox.kernel_jobs import KernelJobs

THREAD = "gm_solve_many"  # name of the threads
LARGEST_PORTION = 64  # runs that a thread makes in one call of C


@accept_rng
def gm_solve_many(
    problems,
    method=DEFAULT_METHOD,
    *,
    n_jobs=1,
    time_limit=None,
    seed=0,
    restarts=1,
    shape=None,
    Ct=None,
    sense=None,
    complete=None,
    **options,
):
    """Solve many problems with one method; the Results in the order of the problems.

    Each Result equals that of gm_solve(problem, method, ...) for that problem alone. Methods with
    a kernel for it (fm, aj and others) go through the problems in C, without a step of Python in
    between; see docs/many.md.

    Parameters
    ----------
    problems : iterable of Problem, path or matrix
        As gm_solve takes them.
    method : str or function
        As in gm_solve.
    n_jobs : int
        Threads, -1 = one per processor. It never changes an answer.
    time_limit : float, optional
        Seconds of each problem.
    seed : int
        The same for all problems.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once; the result stores the drawn seed.
    restarts : int
        With fm, fw and faq: solve each problem this many times, with the seeds seed, seed + 1, ...,
        and keep the best answer (of equal ones the first). Its `seed` and `options` run it again,
        `extra["restarts"]` has the values of all. All runs of faq but the first start between the
        centre and a random matching (start="random").
    shape, Ct, sense, complete
        As in gm_solve, the same for all problems.
    **options
        The method's own.

    Returns
    -------
    list of Result
        Their `time` is that of the method.

    Raises
    ------
    InputError, InfeasibleError
        As gm_solve; the message says which problem. Ctrl-C ends all of it (KeyboardInterrupt).

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> problems = [gm.synth.hotel(seed=k, size=8) for k in range(20)]
    >>> results = gm.gm_solve_many(problems, "fm-bca", n_jobs=2)
    >>> [round(r.value, 2) for r in results[:3]], results[0].status
    ([-34.46, -18.93, -19.89], 'optimal')
    """
    solver = get_solver(method)
    options = solver.check(options)
    Budget(time_limit, seed)  # checks both
    restarts = check_restarts(solver, restarts)
    given = [
        call_numbered(k, as_problem, p, shape, Ct, sense, complete)
        for k, p in enumerate(as_list("problems", problems))
    ]
    runs = [(seed + r, {**options, **solver.restart} if r else options) for r in range(restarts)]
    waiting = [(k, run) for k in range(len(given)) for run in runs]
    with Stop() as stop:
        answers = RunQueue(solver, waiting, given, time_limit, stop).spread(check_jobs(n_jobs))
    if restarts == 1:
        return answers
    return [choose_best(answers[k : k + restarts]) for k in range(0, len(answers), restarts)]


def check_restarts(solver, restarts):
    """The number of runs of each problem."""
    restarts = check_count("restarts", restarts, "a positive number of runs")
    if restarts > 1 and solver.restart is None:
        takers = ", ".join(known.name for known in gm_methods() if known.restart is not None)
        raise InputError(f"method {solver.name!r} takes no restarts; those that do are {takers}")
    return restarts


def call_numbered(k, function, *arguments, **named):
    """function(...), whose errors say that they are about problem k."""
    try:
        return function(*arguments, **named)
    except GMError as error:
        error.args = (f"problem {k}: {error}", *error.args[1:])
        raise


def choose_best(results):
    """The best of several runs on one problem, the first of equal ones."""
    sign = 1.0 if results[0].sense == "min" else -1.0
    chosen = min(results, key=lambda result: sign * result.value)
    chosen.extra = {**chosen.extra, "restarts": [result.value for result in results]}
    return chosen


class RunQueue:
    """Runs (problem, (seed, options)) that threads take in portions, and their Results."""

    def __init__(self, solver, runs, problems, time_limit, stop):
        self.solver, self.runs, self.problems, self.time_limit = solver, runs, problems, time_limit
        self.answers, self.next, self.lock = [None] * len(runs), 0, threading.Lock()
        self.stop, self.jobs = stop, KernelJobs(solver, time_limit, stop)
        self.in_c = all(self.jobs.takes_options(*run) for _, run in runs[:1])
        self.failed = []

    def spread(self, n_threads):
        """The Results, in order; KeyboardInterrupt after a stop."""
        n_threads = min(n_threads, len(self.runs))
        ended = []  # Events: Ctrl-C in Thread.join makes Python 3.11 think that it has ended
        try:
            for k in range(n_threads):
                event = threading.Event()
                threading.Thread(
                    target=self.go_on, args=(n_threads, event), name=f"{THREAD} {k}", daemon=True
                ).start()
                ended.append(event)
            for event in ended:
                event.wait()
        except BaseException:  # such as a second Ctrl-C: the runs under way end soon
            self.stop.set()
            raise
        if self.failed:  # the first problem that failed, whatever the threads' order was
            raise min(self.failed, key=lambda failure: failure[0])[1]
        if self.stop.is_set:
            raise KeyboardInterrupt
        return self.answers

    def portion(self, n_threads):
        """The next runs for a thread: fewer and fewer, so that all end at about the same time."""
        with self.lock:
            begin, waiting = self.next, len(self.runs) - self.next
            fair = waiting if n_threads == 1 else max(1, waiting // (2 * n_threads))
            self.next += min(waiting, fair, LARGEST_PORTION)
            return range(begin, self.next)

    def go_on(self, n_threads, ended):
        """Run one thread until no run waits."""
        try:
            while not self.stop.is_set and (portion := self.portion(n_threads)):
                try:
                    self.solve(portion)
                except Exception as error:
                    # earlier portions are under way and go on: the first failure is reported
                    with self.lock:
                        self.failed.append((portion[0], error))
                        self.next = len(self.runs)
        finally:
            ended.set()

    def solve(self, portion):
        """Put the Results of some runs into `answers`."""
        together = []
        if self.in_c:
            together = [k for k in portion if self.jobs.takes(self.problem(k))]
        for k in together:
            call_numbered(self.runs[k][0], check_feasible, self.problem(k))
        if together:
            made = self.jobs.solve([(self.problem(k), *self.runs[k][1]) for k in together])
            for k, answer in zip(together, made, strict=True):
                self.answers[k] = answer
        for k in portion:
            if self.answers[k] is None and not self.stop.is_set:
                self.answers[k] = call_numbered(self.runs[k][0], self.alone, k)

    def problem(self, k):
        """The problem of run k."""
        return self.problems[self.runs[k][0]]

    def alone(self, k):
        """One run as gm_solve does it."""
        seed, options = self.runs[k][1]
        budget = Budget(self.time_limit, seed, stop=self.stop)
        answer = solve_matching(budget, self.problem(k), self.solver, options=options)
        return make_result(self.problem(k), answer)
