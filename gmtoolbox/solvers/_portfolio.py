"""The steps of auto for a Koopmans-Beckmann problem: a first answer at once, cheap bounds, spectral
starts if the matrices are graphs, local search on the factors, and the exact method if its
tables fit.
"""

import math

from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import gap_closed
from gmtoolbox.engine.kernels import tolerance_of
from gmtoolbox.engine.limits import OutOfTime, call_within
from gmtoolbox.engine.registry import Outcome, get_solver
from gmtoolbox.solvers._bounds import cheap_bounds
from gmtoolbox.solvers._chains import escape_noise
from gmtoolbox.solvers._cheap_starts import (
    SPECTRAL_SHARE,
    affords_spectra,
    is_clear,
    is_clear_at_once,
    polish,
    short_patience,
    with_few_seeds,
)
from gmtoolbox.solvers._components import PartBudget
from gmtoolbox.solvers._convex import agree
from gmtoolbox.solvers._crossings import Crossings
from gmtoolbox.solvers._exact import SEARCH_SHARE
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._messages import message_gigabytes, start_messages
from gmtoolbox.solvers._near import near_gigabytes, start_near
from gmtoolbox.solvers._neighbours import (
    ENOUGH_STEPS,
    SEEDED_STEPS,
    affords_neighbours,
    neighbour_gigabytes,
    neighbour_point,
)
from gmtoolbox.solvers._rematching import Rematches
from gmtoolbox.solvers._restriction import Restrictions
from gmtoolbox.solvers._starts import (
    WHOLE_SPECTRUM,
    best_assignment,
    first_labels,
    grampa_gigabytes,
    spectral_labels,
)
from gmtoolbox.solvers._swaps import kernel_for, search, table_gigabytes
from gmtoolbox.solvers.faq import (
    Best,
    Pairs,
    descend,
    keeps_points_sparse,
    sparse_descent,
    sparse_faq,
)

# Chosen on the QAPs of benchmarks/bench_qaplib.py and the networks of benchmarks/bench_networks.py
QUICK_SIDE, QUICK_SWAPS = 150, 3000  # a good answer within milliseconds, before anything else
SPECTRAL_SIDE = 40  # nodes from which spectral starts are worth their time
SECOND_SHARE = 0.25  # of the remaining time for the second spectral start, at most
# of the time after the starts: local search before the exact method proves large problems. Chosen
# on heavy-tailed graphs of benchmarks/bench_constraints.py
WIDE_SHARE = 0.8
SEARCH_ROUNDS = 8000  # in a row without success, before the exact method
# Trials of the sparse search without success, before something else is tried, and from other starts
FIRST_PATIENCE, START_PATIENCE = 50_000, 20_000
BANDWIDTHS = (0.5, 1.0, 0.1)  # of grampa, in addition to its own

# Bounds that count and sort, and those that solve assignment problems and find eigenvalues, which
# say little about graphs
BOUND_SECONDS = 1e-7  # per cube of the number of nodes: a cheap bound takes no longer
COUNTING, ASSIGNING = ("edges", "degrees"), ("gilmore-lawler", "projected eigenvalues")


class Portfolio:
    """One solve of a problem by several methods.

    The best labels, their cost and the bound are the Budget's: no method ends on a cost whose
    labels another one has dropped. ran: rows (method, seconds, cost) of a Portfolio before; rest:
    the Rest whose problem this is, if pairs were fixed.
    """

    def __init__(self, problem, budget, ran=(), rest=None):
        self.problem, self.budget, self.rest = problem, budget, rest
        self.factors = QapFactors(problem)
        self.ran, self.n_iter = list(ran), 0
        self.starts = []  # matchings that a search of two sparse graphs may start from
        self.gigabytes = {  # estimates, before anything is made
            "spectra": round(grampa_gigabytes(self.factors), 4),
            "few pairs": round(near_gigabytes(self.factors), 4),
            "messages": round(message_gigabytes(self.factors), 4),
            "neighbourhoods": round(neighbour_gigabytes(self.factors), 4),
            "table of swaps": round(table_gigabytes(self.factors.n), 4),
        }
        budget.keep_back(0.0)  # labels are returned: nothing is rounded

    @property
    def labels(self):
        """The best matching so far."""
        return self.budget.incumbent.labels

    @property
    def cost(self):
        """The cost, offset included."""
        return self.budget.incumbent.cost

    @property
    def bound(self):
        """The best lower bound so far, offset included."""
        return self.budget.bound

    def offer(self, labels, name):
        """Note a matching and the method that found it."""
        cost = self.problem.total_cost(labels)
        self.ran.append((name, round(self.budget.elapsed(), 3), cost))
        self.budget.record(cost=cost, labels=labels)

    def is_proven(self):
        """Whether the bound is met, within the tolerance or the rounding of the cost."""
        problem = self.problem
        tolerance = max(tolerance_of(problem, self.budget), problem.cost_error(self.labels))
        return gap_closed(self.cost - problem.offset, self.bound - problem.offset, tolerance)

    def take(self, outcome, name):
        """Note the matching and the bound of another method's outcome."""
        self.n_iter += outcome.n_iter
        self.budget.record(bound=outcome.bound)
        if outcome.labels is not None:
            self.offer(outcome.labels, name)

    def is_sparse(self, memory):
        """Whether local search runs on the links of sparse graphs."""
        return kernel_for(self.factors, memory) == "align" and self.factors.are_sparse

    def search(self, labels, memory, **options):
        """Improve labels by local search and take its outcome; return it."""
        found = self.explore(labels, memory, **options)
        self.take(found, f"local search ({found.extra['kernel']})")
        return found

    def explore(self, labels, memory, **options):
        """Return the outcome of a local search from labels: see _swaps.search."""
        options = {"bound": self.bound, "memory": memory, **options}
        if self.is_sparse(memory) and self.rest is not None and self.rest.can_search:
            return self.rest.search(labels, **options)
        return search(self.factors, self.budget, labels, **options)

    def raise_bounds(self, names):
        """Compute the named cheap bounds and keep the best."""
        for name, bound in cheap_bounds(self.factors):
            if name not in names:
                continue
            if self.budget.expired():
                break
            try:
                at_most = BOUND_SECONDS * self.factors.n**3
                found = call_within(self.budget, 0.0, bound, self.factors, at_most=at_most)
            except OutOfTime:
                break
            found = float(found) + self.problem.offset
            if found > self.bound:
                self.ran.append((f"bound: {name}", round(self.budget.elapsed(), 3), found))
                self.budget.record(bound=found)

    def outcome(self, status=None):
        """The Outcome of the best matching and bound."""
        return Outcome(
            labels=self.labels, bound=self.bound, n_iter=self.n_iter, status=status,
            extra={"ran": [list(entry) for entry in self.ran], "gigabytes": self.gigabytes},
        )  # fmt: skip


def before_fixing(problem, budget):
    """Record a first answer before the given pairs are taken out, which takes a while if nodes are
    many; and bounds, since the number of all edges that are kept is bounded on the whole problem
    only. Return the rows of the methods that ran.
    """
    pairs = problem.candidates
    if not isinstance(pairs, FreePairs) or pairs.are_all:
        return []
    state = Portfolio(problem, budget)
    state.offer(first_labels(state.factors), "order of sums")
    state.raise_bounds(COUNTING)
    return state.ran


def solve_products(problem, budget, init, exact, maxiter, memory=math.inf, ran=(), rest=None):
    """The portfolio; exact: an Exact, or None for none; maxiter: iterations of each method; ran,
    rest: see Portfolio.
    """
    state = Portfolio(problem, budget, ran, rest)
    if state.labels is None:
        state.offer(first_labels(state.factors), "order of sums")
    if init is not None:
        state.offer(init, "init")
    try:
        return all_parts(state, exact, maxiter, memory)
    except OutOfTime:  # a part had no time to begin: the answers of others stay
        return state.outcome(budget.stopped)


def all_parts(state, exact, maxiter, memory):
    """Run the steps of solve_products in their order."""
    problem, budget, factors = state.problem, state.budget, state.factors
    if max(problem.shape) <= QUICK_SIDE and not budget.expired():
        quick = search(
            factors, budget, state.labels, maxiter=min(maxiter, QUICK_SWAPS), memory=memory
        )
        state.take(quick, "short local search")
    if max(problem.shape) <= QUICK_SIDE or not math.isfinite(state.bound):
        state.raise_bounds(COUNTING)  # else that of the whole serves: costs make it slow here
    if budget.expired():
        return state.outcome()
    if exact is not None and exact.attempt_first(state):
        return state.outcome("converged")
    spectral_starts(state, maxiter, memory)
    if kernel_for(factors) == "qap":
        state.raise_bounds(ASSIGNING)
    if budget.expired():
        return state.outcome()
    follows = exact is not None and exact.fits
    status = search_all(state, maxiter, memory, exact if follows else None)
    if not follows or state.is_proven() or budget.expired():
        return state.outcome(status)
    return state.outcome(exact.attempt_last(state))


def search_all(state, maxiter, memory, exact):
    """Improve the matching by local search until nothing helps; if the exact method follows, for a
    share of the time only. Return the status of the end.
    """
    until, budget = math.inf, state.budget
    if exact is not None and math.isfinite(budget.time_limit):  # starts may have taken long
        share = SEARCH_SHARE if exact.is_small else WIDE_SHARE
        until = max(SEARCH_SHARE * budget.time_limit, budget.elapsed() + share * budget.remaining())
    if state.is_sparse(memory):
        return wide_search(state, maxiter, memory, until)
    patience = None if exact is None else SEARCH_ROUNDS
    first = state.search(state.labels, memory, until=until, maxiter=maxiter, patience=patience)
    if exact is not None or math.isinf(budget.time_limit):
        return first.status
    return search_again(state, first, memory, maxiter)


def search_again(state, found, memory, maxiter):
    """Search from random matchings after a search that has ended by itself, until the best cost is
    found a second time or the time is over. Return the status of the end.
    """
    problem, (n1, n2) = state.problem, state.problem.shape
    if not (state.factors.all_pairs and problem.complete and n1 <= n2):
        return found.status  # a random matching may not be feasible
    random, attempt, trials = state.budget.generator(), 0, found.n_iter
    while found.status == "converged" and not state.budget.expired() and trials < maxiter:
        attempt += 1
        before = state.cost
        start = random.permutation(n2)[:n1]
        found = state.search(start, memory, maxiter=maxiter - trials, attempt=attempt)
        trials += found.n_iter
        equal = 1e-12 * max(abs(before), 1.0)
        if found.labels is None or abs(problem.total_cost(found.labels) - before) <= equal:
            break
    return found.status


def wide_search(state, maxiter, memory, until=math.inf):
    """Local search of two sparse graphs: the worst nodes are matched again and short searches are
    crossed as long as that finds something, then comes a long one. Whenever that finds nothing for
    a while come restrictions, then a start from another spectrum, as long as there is one; finally
    a longer while. Return the status of the end.
    """
    budget = state.budget
    restrictions, starts = Restrictions(state, exactly), other_starts(state, memory)
    attempts = trials = 0

    def explore(labels, patience, attempt):
        nonlocal trials
        found = state.explore(
            labels, memory, maxiter=maxiter - trials, until=until, patience=patience,
            attempt=attempt,
        )  # fmt: skip
        trials += found.n_iter
        return found

    def descend(labels, patience, attempt):
        """Explore and take only the number of iterations."""
        found = explore(labels, patience, attempt)
        state.n_iter += found.n_iter
        return found

    def has_ended():
        late = budget.expired() or budget.elapsed() >= until
        return late or trials >= maxiter or state.is_proven()

    def improve(labels, patience):
        """Whether a search from labels finds a better matching; the status of its end."""
        nonlocal attempts
        before, found = state.cost, explore(labels, patience, attempts)
        state.take(found, f"local search ({found.extra['kernel']})")
        attempts += 1
        return state.cost < before, found.status if has_ended() else None

    crossings = Crossings(state, exactly, descend)
    rematches = Rematches(state, memory)
    patience = FIRST_PATIENCE
    if not is_clear(state):  # most nodes of noise would be matched to others that are wrong
        _, ended = improve(state.labels, short_patience(state.factors))
        if ended:
            return ended
    while True:
        rematches.improve(has_ended)
        crossings.improve(has_ended)
        _, ended = improve(state.labels, patience)
        if ended:
            return ended
        if restrictions.improve():
            continue
        for labels in starts:
            better, ended = improve(labels, START_PATIENCE)
            if ended:
                return ended
            if better:
                break
        else:
            if patience is None:
                return "converged"
            patience = None  # the kernel's own


def other_starts(state, memory):
    """Labels by grampa with other bandwidths, neither descended nor cheap: noise that hides the
    truth from one of them need not hide it from another.
    """
    problem, factors = state.problem, state.factors
    for eta in BANDWIDTHS:
        if max(problem.shape) < SPECTRAL_SIDE or not affords_spectra(state, memory):
            return
        labels = spectral_labels(factors, eta=eta)
        if problem.complete and np.any(labels < 0):
            return
        state.ran.append(
            (f"grampa, bandwidth {eta:g}", round(state.budget.elapsed(), 3),
             problem.total_cost(labels))
        )  # fmt: skip
        yield labels


def exactly(problem, clock, start, steps):
    """The exact method on a restriction."""
    return get_solver("aj").function(problem, clock, init=start, maxiter=steps)


def spectral_starts(state, maxiter, memory):
    """Run grampa, rounded and improved by Frank-Wolfe and a short local search; twice if the first
    does not end it. If the two find different matchings, go on with convex starts.
    """
    problem, factors, budget = state.problem, state.factors, state.budget
    if max(problem.shape) < SPECTRAL_SIDE:
        return
    if keeps_points_sparse(factors):
        sparse_starts(state, maxiter, memory)
        if problem.edges.nonpositive and is_clear(state):
            state.starts.append(state.labels)
        return
    if kernel_for(factors) == "qap" and not problem.edges.nonpositive:
        return
    space, found = None, []
    for normalised, share in ((False, SPECTRAL_SHARE), (True, SECOND_SHARE)):
        if normalised:
            start_without_seeds(state, maxiter, memory)
        if not normalised and is_clear_at_once(state, maxiter, memory):
            start_normalised(state, maxiter, memory)
            return
        if not (normalised or state.is_sparse(memory)) and start_messages(state, memory):
            return
        if budget.expired() or not affords_spectra(state, memory, share):
            break
        labels = spectral_labels(factors, normalised)
        if problem.complete and np.any(labels < 0):
            break
        space = space or Pairs(problem, factors)
        labels = descend_from(labels, space, budget)
        state.offer(labels, f"grampa + faq{' (normalised)' if normalised else ''}")
        found.append(labels)
        if len(found) == 2 and not agree(*found):
            break
        if state.is_sparse(memory) and not budget.expired():  # soon better than another start
            found[-1] = polish(state, labels, maxiter, memory)
    if len(found) == 2 and not agree(*found):
        escape_noise(state, found, memory)


def descend_from(labels, space, clock):
    """Return the best labels of a Frank-Wolfe descent from a matching; space: Pairs."""
    best = Best(space.problem, clock)
    best.offer(labels)
    descend(space, space.indicator(labels), clock, best, "assignment", 30, 1e-4)
    return best.labels


def start_normalised(state, maxiter, memory):
    """Add a start to those of a clear matching: normalised spectra, which differ most from them,
    then Frank-Wolfe and a short local search. On noisy copies of real networks it leads to nodes
    that no search from the others comes to.
    """
    problem, budget = state.problem, state.budget
    if state.is_proven() or budget.expired() or not affords_spectra(state, memory, SECOND_SHARE):
        return
    free = with_few_seeds(state)
    labels = spectral_labels(state.factors if free is None else state.rest.free_factors, True)
    labels = labels if free is None else state.rest.impose(labels)
    if problem.complete and np.any(labels < 0):
        return
    clock = PartBudget(budget, SECOND_SHARE, None)
    labels = descend_from(labels, Pairs(problem, state.factors), clock)
    state.offer(labels, "grampa + faq (normalised)")
    state.starts.append(polish(state, labels, maxiter, memory))


def start_without_seeds(state, maxiter, memory):
    """Run grampa and Frank-Wolfe as if no seeds were given, then impose these: seeds that are true
    change little of a good matching, and it is as good a start as a search without them has.
    """
    budget, rest = state.budget, state.rest
    free = None if rest is None else rest.free
    if free is None or budget.expired() or not affords_spectra(state, memory):
        return
    clock = PartBudget(budget, SPECTRAL_SHARE, None)  # its matchings may not have the seeds
    factors = rest.free_factors
    labels = spectral_labels(factors)
    if keeps_points_sparse(factors):
        best = Best(free, clock)
        sparse_descent(factors, factors.sparse_costs, labels, clock, best, 50, 1e-4)
        labels = best.labels
    else:
        labels = descend_from(labels, Pairs(free, factors), clock)
    labels = rest.impose(labels)
    state.offer(labels, "grampa + faq, without seeds")
    if state.is_sparse(memory) and not budget.expired():
        polish(state, labels, maxiter, memory)


def sparse_starts(state, maxiter, memory):
    """Run the same on points that are kept sparse; the second time only if the whole spectra are
    affordable. With seeds the neighbourhoods come first, and nothing else if they are clear of the
    noise level.
    """
    problem, factors, budget = state.problem, state.factors, state.budget
    start_near(state, memory)
    if budget.expired() or state.is_proven() or problem.edges.nonpositive and is_clear(state):
        return
    if start_messages(state, memory):
        return
    if state.rest is not None:
        sparse_neighbours(state, memory)
        if budget.expired() or state.is_proven() or problem.edges.nonpositive and is_clear(state):
            return
    has_spectra = affords_spectra(state, memory)
    own_spectra = has_spectra and with_few_seeds(state) is None
    first = sparse_faq(factors, budget, None, 50, 1e-4, own_spectra)
    state.take(first, "faq")
    if state.is_proven() or first.labels is None:
        return
    if has_spectra:
        start_without_seeds(state, maxiter, memory)
    if max(problem.shape) > WHOLE_SPECTRUM or not has_spectra:
        if state.rest is None:
            sparse_neighbours(state, memory)
        return
    if not (problem.edges.nonpositive and state.is_sparse(memory)):
        return
    if budget.expired() or not affords_spectra(state, memory, SECOND_SHARE):
        return
    improved = polish(state, first.labels, maxiter, memory)
    labels, best = spectral_labels(factors, normalised=True), Best(problem, budget)
    if budget.expired() or problem.complete and np.any(labels < 0):
        return
    sparse_descent(factors, factors.sparse_costs, labels, budget, best, 50, 1e-4)
    state.offer(best.labels, "grampa + faq (normalised)")
    if not agree(improved, best.labels):
        escape_noise(state, [improved, best.labels], memory)


def sparse_neighbours(state, memory):
    """Start from neighbourhoods that agree, if they can be afforded: large graphs that are copies
    of each other are proven before.
    """
    factors, budget = state.factors, state.budget
    seconds, best = SPECTRAL_SHARE * budget.remaining(), Best(state.problem, budget)
    steps = ENOUGH_STEPS if state.rest is None else SEEDED_STEPS
    if not affords_neighbours(factors, seconds, memory, steps):
        return
    point = neighbour_point(factors, budget, budget.elapsed() + seconds)
    labels = best_assignment(factors, point)
    if budget.expired() or state.problem.complete and np.any(labels < 0):
        return
    sparse_descent(factors, factors.sparse_costs, labels, budget, best, 50, 1e-4)
    state.offer(best.labels, "neighbours + faq")
