"""Starts of a search of two sparse graphs that need no Frank-Wolfe: spectra and neighbourhoods,
each followed by a short local search. On graphs with little noise, or with few seeds, one of them
is clear of the noise level, and nothing slower need run.
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.solvers._components import PartBudget
from gmtoolbox.solvers._convex import Relaxation, relaxation_gigabytes, start_seconds
from gmtoolbox.solvers._crossings import LARGE_SIDE
from gmtoolbox.solvers._messages import start_messages
from gmtoolbox.solvers._neighbours import (
    ENOUGH_STEPS,
    SEEDED_STEPS,
    affords_neighbours,
    neighbour_point,
    neighbour_seconds,
)
from gmtoolbox.solvers._rematching import Rematches
from gmtoolbox.solvers._starts import (
    best_assignment,
    grampa_gigabytes,
    grampa_seconds,
    spectral_labels,
)
from gmtoolbox.solvers.faq import Best, Pairs, descend

# Starts without Frank-Wolfe, chosen on heavy-tailed graphs of benchmarks/bench_constraints.py: a
# matching that keeps this share of the bound is not noise; shares of the remaining time for
# neighbourhoods and for the search after a start; and of the nodes without seeds, if these are few
SPECTRAL_SHARE = 0.5  # of the remaining time for the spectra and their rounding, at most
CLEAR_SHARE, NEIGHBOUR_SHARE, POLISH_SHARE, MOST_FREE = 0.9, 0.3, 0.05, 0.9
LITTLE = 2.0  # times the mean of all matchings: noise keeps at most 1.4 before it is improved
HINT_STEPS = 30  # of the convex relaxation
POLISH_PATIENCE = 1000  # the same before the second spectral start, up to
POLISH_DEGREE = 20  # links of a node: a trial looks at the links of its links
CENTRE_TABLES = 6  # of n1 x n2 numbers, of a descent from the centre
CENTRE_SECONDS = 2e-9  # of one of its steps, per label and link


def is_clear(state):
    """Return whether the best matching is so close to the bound that it cannot be noise: then the
    search needs no better start.
    """
    offset = state.problem.offset
    return state.cost - offset <= CLEAR_SHARE * (state.bound - offset)


def is_clear_at_once(state, maxiter, memory):
    """Return whether short local searches of two sparse graphs from cheap starts find a clear
    matching, or messages one that is far better than noise: they come before the search from the
    first start if that keeps little, else after it. The starts are kept for the search: two, and
    with a few seeds one without them; one in large graphs, and that of messages.
    """
    problem, enough = state.problem, enough_starts(state)
    if not (state.is_sparse(memory) and problem.edges.nonpositive):
        return False
    rematches, asked = Rematches(state, memory), False
    for k, labels in enumerate(cheap_starts(state, memory)):
        if not (asked or is_clear(state)) and (k > 0 or keeps_little(state, labels)):
            asked = True
            if start_messages(state, memory):
                state.starts.append(state.labels)
                return True
        if problem.complete and np.any(labels < 0):
            continue
        state.starts.append(labels)
        if not is_clear(state):
            polish(state, labels, maxiter, memory)
            if not is_clear(state) and rematches.improve(state.budget.expired):
                polish(state, state.labels, maxiter, memory)
        if is_clear(state) and len(state.starts) >= enough:
            break
    if not is_clear(state):
        state.starts = []
    return bool(state.starts)


def keeps_little(state, labels):
    """Return whether labels keep hardly more than labels drawn by chance do on average."""
    factors, problem = state.factors, state.problem
    mean = factors.A.sum() * factors.B.sum() / np.prod(factors.shape, dtype=float)
    return problem.total_cost(labels) - problem.offset > LITTLE * mean


def enough_starts(state):
    """Return the number of starts that the search of graphs of this size uses."""
    free = with_few_seeds(state)
    if max((state.problem if free is None else free).shape) > LARGE_SIDE:
        return 1
    return 2 if free is None else 3


def cheap_starts(state, memory):
    """Yield the labels of a descent from the centre if pairs are forbidden, those by grampa and, if
    they can be afforded, by neighbourhoods that agree, without and with a hint of the convex
    relaxation, which comes first on graphs that are so dense that it takes less time than the
    neighbourhoods. A few seeds are imposed on the spectral start of a search without them, as
    spectra of the rest say less; neighbourhoods agree best with seeds, come first then, and those
    without are another start.
    """
    factors, budget, free = state.factors, state.budget, with_few_seeds(state)
    whole = None if free is None else state.rest.free_factors

    def match_spectra():
        if affords_spectra(state, memory):
            labels = spectral_labels(factors if free is None else whole)
            yield labels if free is None else state.rest.impose(labels)

    def match_neighbours(factors=factors, hint=None):
        end = budget.elapsed() + NEIGHBOUR_SHARE * budget.remaining()
        return best_assignment(factors, neighbour_point(factors, budget, end, hint))

    def affords(seconds, gigabytes, steps=ENOUGH_STEPS):
        seconds, gigabytes = NEIGHBOUR_SHARE * budget.remaining() - seconds, memory - gigabytes
        return affords_neighbours(factors, seconds, gigabytes, steps) and not budget.expired()

    def match_plain():
        if affords(0.0, 0.0, ENOUGH_STEPS if state.rest is None else SEEDED_STEPS):
            yield match_neighbours()

    def match_without_seeds():
        if free is not None and affords(0.0, 0.0):
            yield state.rest.impose(match_neighbours(whole))

    def match_hinted():
        if affords(start_seconds(factors, HINT_STEPS), relaxation_gigabytes(factors)):
            relaxation = Relaxation(factors)
            relaxation.advance(HINT_STEPS, budget)
            yield match_neighbours(hint=relaxation.point())

    yield from match_centre(state, memory)
    is_dense = neighbour_seconds(factors) > start_seconds(factors, HINT_STEPS)
    near = [match_hinted, match_plain] if is_dense else [match_plain, match_hinted]
    if state.rest is None:
        yield from match_spectra()
        yield from near[0]()
    else:
        yield from near[0]()
        yield from match_spectra()
    if is_dense and free is None and not is_clear(state):
        return  # neighbourhoods of dense graphs say less without the hint
    if is_dense:
        yield from match_plain()
    yield from match_without_seeds()
    if not is_dense:
        yield from match_hinted()


def match_centre(state, memory):
    """Yield labels by Frank-Wolfe from equal weights of all candidates: if these are few, most
    neighbours have common labels for the true one only.
    """
    factors, budget = state.factors, state.budget
    (n1, n2), links = factors.shape, factors.A.nnz + factors.B.nnz
    is_long = CENTRE_SECONDS * links * max(n1, n2) > NEIGHBOUR_SHARE * budget.remaining()
    if factors.all_pairs or is_long or 8e-9 * CENTRE_TABLES * n1 * n2 > memory:
        return
    space = Pairs(state.problem, factors)
    best = Best(state.problem, PartBudget(budget, NEIGHBOUR_SHARE, None))
    descend(space, space.centre(), best.budget, best, "assignment", 30, 1e-4)
    if best.labels is not None:
        yield best.labels


def affords_spectra(state, memory, share=SPECTRAL_SHARE):
    """Whether memory and this share of the remaining time suffice for grampa and its rounding."""
    if grampa_seconds(state.factors) > share * state.budget.remaining():
        return False
    return grampa_gigabytes(state.factors) <= memory


def with_few_seeds(state):
    """Return the problem without the seeds if these are few; None without any, or if they are
    many.
    """
    free = None if state.rest is None else state.rest.free
    is_other = free is None or max(state.problem.shape) < MOST_FREE * max(free.shape)
    return None if is_other else free


def polish(state, labels, maxiter, memory):
    """Return the labels after a local search of two sparse graphs that is not longer than about a
    start: with fewer trials if these are slow.
    """
    until = state.budget.elapsed() + POLISH_SHARE * state.budget.remaining()
    found = state.search(
        labels, memory, maxiter=maxiter, patience=short_patience(state.factors), until=until
    ).labels
    return labels if found is None else found


def short_patience(factors):
    """Return the trials without success that end a short local search."""
    work = factors.A.nnz / factors.A.shape[0] * factors.B.nnz / factors.B.shape[0]
    return max(int(POLISH_PATIENCE * min(1.0, POLISH_DEGREE**2 / max(work, 1.0))), 10)
