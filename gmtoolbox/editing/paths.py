"""Many edit paths: better and better ones, and all of the cheapest."""

import math
import time

from gmtoolbox.core.errors import TimeLimitError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import rounding_error
from gmtoolbox.driver import gm_solve
from gmtoolbox.editing.distance import solve_edit_model
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.models.edit_scales import cap_steps, is_wide

FIRST_STAGE = 0.05  # seconds of the first try, and how much longer each next one may take
STAGE_GROWTH = 10.0


def improve_paths(model, upper_bound=None, time_limit=None, seed=0):
    """EditResults of decreasing cost, the last of them proven unless time_limit ended the search.

    The same search again and again with ten times the time: an answer comes soon, and all stages
    before the last cost a tenth of it.
    """
    started, stage, best = time.perf_counter(), FIRST_STAGE, math.inf
    while True:
        seconds = math.inf if time_limit is None else started + time_limit - time.perf_counter()
        if seconds <= 0:
            return
        r = solve_edit_model(
            model, time.perf_counter(), upper_bound, min(stage, seconds), DEFAULT_METHOD, seed
        )
        within = upper_bound is None or r.value <= upper_bound
        done = r.proven or r.exceeds or r.status != "time_limit"
        if within and (r.value < best or done and r.value <= best):
            best = r.value
            yield r
        if done:
            return
        stage *= STAGE_GROWTH


def optimal_matchings(model, best, end=math.inf):
    """Yield labels of every matching of nodes whose path costs no more than the optimum `best`;
    TimeLimitError if time.perf_counter() reaches `end` before all are found.

    The costs of a path are not negative: their sum has all digits, that of a matching's savings has
    fewer.
    """
    n_steps = sum(len(graph.node) + len(graph.edge) for graph in (model.first, model.second))
    limit = best + rounding_error(n_steps, best)
    for labels in near_matchings(model, best, end):
        if model.path(labels)[2] <= limit:
            yield labels


def near_matchings(model, best, end):
    """Yield labels of every matching that costs `best` but for the rounding of savings.

    Nodes of G1 are decided one after the other. A choice is followed if the best completion of it
    still costs `best`; one completion is always known, so that its choices need no solving.
    """
    if model.whole is not None and is_wide(model) and best > 0.0:
        model = cap_steps(model, best)
    limit = best + model.cost_error(best)
    n1 = len(model.first)
    if model.whole is None:
        yield np.full(n1, -1)
        return
    whole = model.whole
    allowed = [[] for _ in range(n1)]
    for i, s in zip(whole.left.tolist(), whole.right.tolist(), strict=True):
        allowed[i].append(s)

    def completion(decided):
        """The best labels with these decisions if they are optimal, else None."""
        pairs = [(i, s) for i, s in decided.items() if s >= 0]
        deleted = [(i, s) for i, label in decided.items() if label < 0 for s in allowed[i]]
        without = whole.forbid(deleted)
        rest = without.then(without.problem.fix(pairs))
        seconds = end - time.perf_counter()
        if seconds <= 0:
            raise TimeLimitError("time ended before all cheapest edit paths were found")
        time_limit = None if seconds == math.inf else seconds
        r = gm_solve(rest.problem, cutoff=limit, time_limit=time_limit)
        labels = rest.lift(r.labels)
        if whole.total_cost(labels) <= limit:
            return labels
        if r.status == "time_limit":
            raise TimeLimitError("time ended before all cheapest edit paths were found")
        return None

    def explore(decided, known):
        undecided = [i for i in range(n1) if i not in decided]
        if not undecided:
            yield known
            return
        i = undecided[0]
        for s in [s for s in allowed[i] if s not in decided.values()] + [-1]:
            choice = {**decided, i: s}
            found = known if known[i] == s else completion(choice)
            if found is not None:
                yield from explore(choice, found)

    decided = {} if model.root_pair is None else dict([model.root_pair])
    known = completion(decided)
    if known is not None:
        yield from explore(decided, known)
