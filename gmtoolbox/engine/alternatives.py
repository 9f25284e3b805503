"""The k best matchings of a problem (Lawler 1972).

The problem is conditioned (Problem.fix, Problem.forbid) and the rest solved with the default
method, which proves its answers; `solve` is gm_solve, handed in by the driver above.
"""

import heapq
import itertools
import time
from contextlib import suppress
from dataclasses import dataclass

from gmtoolbox.core.errors import InfeasibleError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_count
from gmtoolbox.engine.limits import Stop, check_time_limit
from gmtoolbox.engine.registry import DEFAULT_METHOD


@dataclass(frozen=True)
class Subset:
    """All matchings that contain the pairs `fixed`, where (i, -1) leaves node i free, and none of
    the pairs `forbidden`.
    """

    fixed: tuple = ()
    forbidden: tuple = ()

    def condition(self, problem):
        """Return the problem whose matchings are those of the cell, with its lift."""
        allowed = problem.forbid(self.forbidden)
        return allowed.then(allowed.problem.fix(self.fixed))

    def split(self, problem, labels):
        """Yield cells that hold each matching of this one but `labels` once.

        With p, q, ... the pairs of labels that are not fixed: the matchings without p, those with
        p and without q, ...; and, if nodes may stay free, those with all of these pairs and more:
        the first free node matched, the first free and the second matched, ...
        """
        decided, kept = {i for i, _ in self.fixed}, self.fixed
        for i in np.flatnonzero(labels >= 0).tolist():
            if i not in decided:
                pair = (i, int(labels[i]))
                yield Subset(kept, (*self.forbidden, pair))
                kept = (*kept, pair)
        if not problem.complete:
            for i, open_labels in self.additions(problem, labels).items():
                if i not in decided:
                    yield from (Subset((*kept, (i, s)), self.forbidden) for s in open_labels)
                    kept = (*kept, (i, -1))

    def additions(self, problem, labels):
        """Return {free node: free labels that the cell allows it}."""
        used, barred, found = set(labels.tolist()), set(self.forbidden), {}
        for i, s in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
            if labels[i] < 0 and s not in used and (i, s) not in barred:
                found.setdefault(i, []).append(s)
        return found


def find_n_best(solve, problem, k, time_limit=None, first=None, **settings):
    """Return [(labels, Result, status)] of the k best matchings, best first; fewer if the problem
    has fewer, or if the time is over.

    A status is 'optimal' if no other remaining matching costs less. `first` holds settings
    of the first solve, which finds the best of all.
    """
    check_time_limit(time_limit)
    k = check_count("n_best", k, "a positive number of matchings")
    problem = problem.materialise()
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    heap, found, unproven, count = [], [], None, itertools.count()

    def add(cell, **more):
        """Solve a cell and put its best matching on the heap."""
        nonlocal unproven
        rest = cell.condition(problem)
        seconds = None if deadline is None else max(deadline - time.perf_counter(), 1e-3)
        result = solve(rest.problem, DEFAULT_METHOD, time_limit=seconds, **more, **settings)
        labels = rest.lift(result.labels)
        if result.status != "optimal":
            unproven = unproven or result.status
        cost = problem.total_cost(labels)
        heapq.heappush(heap, (cost, next(count), labels, result, cell))

    with Stop() as stop:
        add(Subset(), **(first or {}))
        while heap:
            *_, labels, result, cell = heapq.heappop(heap)
            found.append((labels, result, unproven or "optimal"))
            if len(found) == k:
                break
            for part in cell.split(problem, labels):
                if stop.is_set or (deadline is not None and time.perf_counter() >= deadline):
                    return found
                with suppress(InfeasibleError):  # it holds no matching
                    add(part)
    return found
