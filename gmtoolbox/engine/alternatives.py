"""What else could be matched: the k best matchings.

The problem is conditioned (Problem.fix, Problem.forbid) and the rest solved with the default
method, which proves its answers; `solve` is gm_solve, handed in by the driver above.
"""

import heapq
import time

from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.values import check_count
from gmtoolbox.engine.budget import check_time_limit
from gmtoolbox.engine.registry import DEFAULT_METHOD


def n_best(solve, problem, k, time_limit=None, **settings):
    """The k best matchings as Results, best first; fewer where there are no more (Lawler 1972).

    The matchings that a cell of the search holds contain some pairs and lack others. The best of a
    cell splits the rest of it: those that lack its first pair, those that have it and lack its
    second, ...; and, where nodes may stay free, those that have all of them and one more.
    """
    check_time_limit(time_limit)
    k = check_count("n_best", k, "a positive number of matchings")
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    heap, found, count = [], [], 0

    def add(fixed, forbidden):
        """Solve a cell and put its best matching on the heap."""
        nonlocal count
        seconds = None if deadline is None else max(deadline - time.perf_counter(), 1e-3)
        try:
            allowed = problem.forbid(forbidden) if forbidden else None
            open_ = problem if allowed is None else allowed.problem
            rest = open_.fix(fixed)
            result = solve(rest.problem, DEFAULT_METHOD, time_limit=seconds, **settings)
        except (InfeasibleError, InputError):
            return  # a cell without a matching
        labels = rest.lift(result.labels)
        count += 1
        heapq.heappush(heap, (problem.total_cost(labels), count, labels, result, fixed, forbidden))

    add([], [])
    while heap and len(found) < k:
        _, _, labels, result, fixed, forbidden = heapq.heappop(heap)
        found.append((labels, result))
        if len(found) == k or (deadline is not None and time.perf_counter() >= deadline):
            break
        kept = list(fixed)
        for pair in matched(labels):
            if pair not in fixed:
                add(kept, [*forbidden, pair])
                kept = [*kept, pair]
        if not problem.complete:
            more = []
            for pair in further(problem, labels, forbidden):
                add([*kept, pair], [*forbidden, *more])
                more.append(pair)
    return found


def matched(labels):
    """The pairs of labels."""
    return [(i, int(s)) for i, s in enumerate(labels) if s >= 0]


def further(problem, labels, forbidden):
    """Candidates of two free nodes: what can be added to a matching."""
    used = set(int(s) for s in labels if s >= 0)
    barred = set(forbidden)
    return [
        (i, s)
        for i, s in zip(problem.left.tolist(), problem.right.tolist(), strict=True)
        if labels[i] < 0 and s not in used and (i, s) not in barred
    ]
