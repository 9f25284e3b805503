"""Stores: gm_batch(store=), with one problem or many graphs, and edit_distances(store=).

A store is asked several times for problems that change under their names: half of them are another
problem with one thing changed, such as all costs doubled, an offset, the sense, one candidate or
one edge; half are files that are written again, in folders where names repeat. Methods, options,
seeds and limits change from call to call. Every answer is compared with exhaustive search.
"""

import copy
import os
import tempfile
from collections import Counter

import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, UNPROVEN, Wrong
from campaigns.edits import KINDS, Paths, change_graph, draw_costs, draw_graph, functions
from campaigns.edits import ROUNDING as OF_PATHS
from campaigns.graphs import Several
from campaigns.matchings import Drawn, Table, check_answer

BATCH = 50  # problems of a store
GRAPHS = 20  # problems of many graphs of a store
CALLS = 10  # with a store
SIDE = 3  # graphs whose distances are asked for
WAYS = (
    ("aj", {}),
    ("aj", {}),
    ("aj", {"sdp": "off"}),
    ("aj", {"branch": False}),
    ("fm", {"maxiter": 1}),
    ("fm", {"maxiter": 20}),
    ("fw", {}),
)


def answers_of(door):
    """Return how many answers a draw of a door has."""
    return {
        "gm_batch(store=)": BATCH * CALLS,
        "gm_batch(store=), many graphs": GRAPHS * CALLS,
        "edit_distances(store=)": SIDE * SIDE * CALLS,
    }.get(door, 1)


# ---- problems with one thing changed


def with_one_change(rng, drawn):
    """Return a copy of a Drawn that differs in one thing, or in none."""
    drawn = copy.deepcopy(drawn)
    change, pairs = rng.integers(9), np.argwhere(np.isfinite(drawn.C)).tolist()
    i, s = pairs[rng.integers(len(pairs))]
    edges = list(drawn.Q)
    if change == 0:
        drawn.C, drawn.Q = 2 * drawn.C, {key: 2 * x for key, x in drawn.Q.items()}
    elif change == 1:
        drawn.offset += 1.0
    elif change == 2:
        drawn.sense = "max" if drawn.sense == "min" else "min"
    elif change == 3:
        drawn.complete = not drawn.complete
    elif change == 4 and len(pairs) > 1 and not any((i, s) in (e[:2], e[2:]) for e in edges):
        drawn.C[i, s] = np.inf
    elif change == 5:
        drawn.C[i, s] -= 1.0 + abs(drawn.C[i, s])
    elif change == 6 and edges:
        drawn.Q[edges[rng.integers(len(edges))]] += 1.0
    elif change == 7 and edges:
        del drawn.Q[edges[rng.integers(len(edges))]]
    return drawn


def draw_family(rng, n, draw, change):
    """Return n problems, of which half differ from another one by a change."""
    family = [draw() for _ in range(n - n // 2)]
    while len(family) < n:
        family.append(change(family[rng.integers(len(family))]))
    return family


# ---- doors


def check_store(rng):
    """gm_batch(store=)."""
    change = lambda drawn: with_one_change(rng, drawn)
    drawn = draw_family(rng, BATCH, lambda: Drawn(rng, largest=4), change)
    tables = [Table(one) for one in drawn]
    words = Counter()
    for k, run in store_runs(rng, [one.problem() for one in drawn], WAYS, (".h5", ".dd.gz")):
        words[check_run(run, drawn[k], tables[k])] += 1
    return words


def check_run(run, drawn, table):
    """Return the word for a run; Wrong unless it answers for its problem."""
    if run.outcome == "ok":
        return check_answer(table, run, drawn.offset)
    if len(table.labels):
        raise Wrong(f"outcome {run.outcome!r}: {run.reason}")
    return REFUSED


def check_graphs(rng):
    """gm_batch(store=) of problems of many graphs."""

    def change(several):
        several = copy.deepcopy(several)
        pair = several.pairs[list(several.pairs)[rng.integers(len(several.pairs))]]
        changed = with_one_change(rng, pair)
        pair.C, pair.Q = changed.C, changed.Q
        return several

    drawn = draw_family(rng, GRAPHS, lambda: Several(rng), change)
    ways = (("mgm", {"maxiter": 100}), ("mgm", {"maxiter": 2}))
    words = Counter()
    for k, run in store_runs(rng, [one.problem() for one in drawn], ways, (".h5",)):
        if run.outcome != "ok":
            raise Wrong(f"outcome {run.outcome!r}: {run.reason}")
        words[drawn[k].check(Tracks(run, drawn[k].sizes))] += 1
    return words


class Tracks:
    """A run with its labels as tracks."""

    def __init__(self, run, sizes):
        self.value, self.bound, self.status = run.value, run.bound, run.status
        self.tracks = np.split(run.labels, np.cumsum(sizes)[:-1])


def store_runs(rng, problems, ways, suffixes):
    """Yield (number of a problem, Run) for all answers of one store: CALLS calls for as many
    problems, by one of the ways each.
    """
    n = len(problems)
    with tempfile.TemporaryDirectory() as folder:
        for side in ("d1", "d2"):
            os.mkdir(os.path.join(folder, side))
        for _ in range(CALLS):
            asked, chosen = {}, rng.integers(0, n, n).tolist()
            for place, k in enumerate(chosen):
                asked[f"problem {place}"] = problems[k]
                if place % 2:
                    suffix = suffixes[place // 4 % len(suffixes)]
                    name = f"d{1 + place // 2 % 2}/{place // 4}{suffix}"
                    asked[f"problem {place}"] = os.path.join(folder, name)
                    gm.save(problems[k], os.path.join(folder, name))
            method, options = ways[rng.integers(len(ways))]
            seed, limit = int(rng.integers(2)), (None, 60.0)[rng.integers(2)]
            given = dict(seed=seed, time_limit=limit, store=os.path.join(folder, "runs.db"))
            runs = gm.gm_batch(asked, {method: options}, **given)
            for run, k in zip(runs, chosen, strict=True):
                same = (run.method, run.seed) == (method, seed)
                if not same or not options.items() <= run.options.items():
                    raise Wrong(f"{run.method} {run.options} {run.seed}: {method} {options} {seed}")
                yield k, run


def check_distances(rng):
    """edit_distances(store=): labels, edges, costs and upper_bound change from call to call."""
    kind, words = KINDS[rng.integers(2)], Counter()
    graphs = [draw_graph(rng, kind, least=1, most=3) for _ in range(SIDE)]
    families = [draw_costs(rng) for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(CALLS):
            tables, limit = families[rng.integers(2)], (None, None, 1.0, 3.0)[rng.integers(4)]
            given = dict(symmetric=False, upper_bound=limit, store=os.path.join(folder, "pairs"))
            found = gm.edit_distances(graphs, **given, **functions(tables))
            for i, G1 in enumerate(graphs):
                for j, G2 in enumerate(graphs):
                    values = found.values[i, j], found.bounds[i, j], found.proven[i, j]
                    words[check_pair(Paths(G1, G2, tables).cost.min(), limit, *values)] += 1
            change_graph(rng, graphs[rng.integers(SIDE)])
            if rng.random() < 0.3:
                rng.shuffle(graphs)
            if rng.random() < 0.3:
                name = list(tables)[rng.integers(len(tables))]
                tables[name] = 2 * tables[name]
    return words


def check_pair(best, limit, value, bound, is_proven):
    """Return the word for a distance; inf: above the limit."""
    if bound > best * (1 + OF_PATHS) or value < best * (1 - OF_PATHS):
        raise Wrong(f"{value!r}, bound {bound!r}, the distance is {best!r}")
    if np.isinf(value) and best <= (np.inf if limit is None else limit * (1 - OF_PATHS)):
        raise Wrong(f"above {limit!r}, the distance is {best!r}")
    if is_proven and np.isfinite(value) and value > best * (1 + OF_PATHS):
        raise Wrong(f"{value!r} is proven, the distance is {best!r}")
    return PROVEN if is_proven else UNPROVEN


DOORS = {
    "gm_batch(store=)": check_store,
    "gm_batch(store=), many graphs": check_graphs,
    "edit_distances(store=)": check_distances,
}
