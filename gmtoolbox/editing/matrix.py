"""Edit distances of many graphs: every pair once, in several processes, resumable."""

import csv
import math
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass
from io import BytesIO, StringIO

from gmtoolbox.core.checks import check_rest, refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.graph import Graph
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import percent, seconds_text, spreadsheet, time_text
from gmtoolbox.core.values import as_list, check_flag, check_jobs
from gmtoolbox.editing.distance import check_upper_bound, is_beyond, solve_edit_model
from gmtoolbox.editing.pair_store import PairKeys, PairStore, settings_hash
from gmtoolbox.editing.small_pairs import SmallPairs
from gmtoolbox.engine.limits import Stop, accept_rng, check_seed, check_time_limit, heed
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.io.formats import DISTANCES, save_file, writer
from gmtoolbox.models.edit_costs import COST_FUNCTIONS, EditCosts, NumberedGraph, as_one_kind
from gmtoolbox.models.edits import EditModel

CHUNK = 100  # pairs handed to a process at once
FEW_PAIRS = 10  # pairs that are solved one by one


@dataclass
class EditMatrix:
    """Edit distances of every graph (row) to every other (column).

    Attributes
    ----------
    values : array
        Cost of the best edit path found; inf if the distance is proven to be more than
        upper_bound, nan if an interrupted run did not reach the pair.
    bounds : array
        The distance is at least this.
    proven : array of bool
        The value is the distance, or inf and the distance more than upper_bound.
    time : float
        Seconds that the caller waited.
    """

    values: object
    bounds: object
    proven: object
    time: float
    upper_bound: float = None
    names: list = None

    def median(self):
        """Return the index of the set median: the graph with the least sum of distances to all
        graphs, of several the first one.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If the matrix is not one of graphs to the same graphs, or a value is inf or nan.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> import networkx as nx
        >>> graphs = [nx.path_graph(4), nx.star_graph(3), nx.cycle_graph(4)]
        >>> gm.edit_distances(graphs).median()
        0
        """
        n, m = self.values.shape
        if n != m or n == 0:
            raise InputError(f"a median needs distances of all graphs to all, got {n} x {m}")
        if not np.all(np.isfinite(self.values)):
            raise InputError("a median needs all distances; some are inf or nan")
        return int(np.argmin(self.values.sum(axis=1)))

    def save(self, path):
        """Write the matrix of values as CSV, or everything as .npz; the suffix decides."""
        save_file(self, path, holds=DISTANCES)

    def csv_text(self):
        """Rows of values; with names also a first line and a first column of them."""
        held = StringIO()
        held.write("# edit distances, row and column 0 are graph 0; inf: more than upper_bound")
        held.write(", nan: not computed\n")
        rows = [[repr(value) for value in row] for row in self.values.tolist()]
        if self.names is not None:
            names = list(map(spreadsheet, self.names))
            rows = [["graph", *names], *([n, *r] for n, r in zip(names, rows, strict=True))]
        csv.writer(held, lineterminator="\n").writerows(rows)
        return held.getvalue()

    def __repr__(self):
        n, m = self.values.shape
        proven = percent(self.proven.mean() if self.proven.size else 1.0)
        return f"<EditMatrix {n}x{m}, {proven} proven, {seconds_text(self.time)}>"


@writer(".csv", holds=DISTANCES)
def csv_bytes(matrix):
    """The table of csv_text."""
    return matrix.csv_text().encode("utf-8", "backslashreplace")


@writer(".npz", holds=DISTANCES)
def npz_bytes(matrix):
    """Return values, bounds and proven, and names and upper_bound if given."""
    arrays = {name: getattr(matrix, name) for name in ("values", "bounds", "proven")}
    if matrix.names is not None:
        arrays["names"] = np.array(matrix.names, dtype=str)
    if matrix.upper_bound is not None:
        arrays["upper_bound"] = np.array(matrix.upper_bound)
    held = BytesIO()
    np.savez(held, **arrays)
    return held.getvalue()


@accept_rng
def edit_distances(
    graphs,
    others=None,
    *,
    upper_bound=None,
    n_jobs=1,
    time_limit=None,
    store=None,
    resume=True,
    progress=None,
    symmetric=None,
    names=None,
    method=DEFAULT_METHOD,
    seed=0,
    **costs,
):
    """Edit distances between all graphs, or from all graphs to all others.

    Parameters
    ----------
    graphs, others : sequences of graphs
        As graph_edit_distance takes them. Without `others`: between each two of `graphs`.
    upper_bound : number, optional
        Distances above it need not be known: bounds by labels and degrees exclude most pairs at
        once, a search the others, and the value is inf.
    n_jobs : int
        Processes; -1: one for each processor. Never changes an answer.
    time_limit : seconds for each pair, optional
    store : path, optional
        File (JSON lines) that every solved pair is added to. With resume=True the pairs in it are
        not solved again. A pair is found by all costs between its two graphs, the settings and the
        method: a changed graph, function or limit is solved again, and graphs may be added.
    progress : True or callable, optional
        Called with (pairs done, pairs in all); True: a line on stderr now and then, with an
        estimate of the time left.
    symmetric : bool, optional
        Without `others`: whether distances back are the same and need not be solved. Default: yes
        unless a `*_cost` function is given.
    names : sequence of str, optional
        Without `others`: the names of the graphs in a CSV file. Default: the names of graphs
        that have one (load_graphs).
    method, seed, rng : as in gm_solve
    costs : as in graph_edit_distance
        node_match, edge_match, node_subst_cost, ..., and costs.

    Returns
    -------
    EditMatrix

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> gm.edit_distances([nx.path_graph(4), nx.cycle_graph(4), nx.star_graph(3)]).values
    array([[0., 1., 2.],
           [1., 0., 3.],
           [2., 3., 0.]])
    """
    started = time.perf_counter()
    refuse_unused(
        "goes without others", symmetric=others is not None and symmetric is not None,
        names=others is not None and names is not None,
    )  # fmt: skip
    resume = check_flag("resume", resume)
    refuse_unused("goes with a store", resume=store is None and not resume)
    graphs = as_list("graphs", graphs)
    others = None if others is None else as_list("others", others)
    names = None if names is None else as_list("names", names)
    if names is not None and len(names) != len(graphs):
        raise InputError(f"names must hold one for each of {len(graphs)} graphs, got {len(names)}")
    check_seed(seed)
    check_time_limit(time_limit)
    n_jobs = check_jobs(n_jobs)
    check_rest(edit_distances, costs, "costs", *COST_FUNCTIONS)
    functions = EditCosts(**costs)
    upper_bound = check_upper_bound(upper_bound)
    if names is None and others is None and all(isinstance(graph, Graph) for graph in graphs):
        names = [graph.name for graph in graphs]
    n_graphs, n_others = len(graphs), len(graphs if others is None else others)
    if others is None and symmetric is None:
        symmetric = not any(name.endswith("_cost") for name in costs)
    both = [*graphs, *(() if others is None else others)]
    together = as_one_kind(both, name_graphs(n_graphs, others))
    members = [NumberedGraph(graph, functions) for graph in together]
    rows = members[:n_graphs]
    columns = rows if others is None else members[n_graphs:]
    settings = dict(upper_bound=upper_bound, time_limit=time_limit, method=method, seed=seed)
    mirrored = others is None and symmetric
    pairs = [(i, j) for i in range(n_graphs) for j in range(i if mirrored else 0, n_others)]
    values = np.full((n_graphs, n_others), math.nan)
    bounds = np.full((n_graphs, n_others), -math.inf)
    proven = np.zeros((n_graphs, n_others), bool)

    def note(found):
        for i, j, value, bound, sure in found:
            for place in {(i, j), (j, i)} if mirrored else {(i, j)}:
                values[place], bounds[place], proven[place] = value, bound, sure

    kept = PairStore(store, resume) if store else None
    key_of = PairKeys(functions, rows, columns, settings_hash(**settings)).of if store else None
    watched = Progress(progress, rows, columns, pairs)
    small = None
    if method == DEFAULT_METHOD and len(pairs) > FEW_PAIRS:
        small = SmallPairs.of(functions, rows, columns)
    with Stop() as stop, kept or nullcontext():
        if kept and kept.found:
            answers = [(pair, kept.found.get(key_of(*pair))) for pair in pairs]
            note((*pair, *answer) for pair, answer in answers if answer)
            pairs = [pair for pair, answer in answers if not answer]
            watched.skip([pair for pair, answer in answers if answer])
        chunks = [pairs[k : k + CHUNK] for k in range(0, len(pairs), CHUNK)]
        alone = n_jobs == 1 or len(chunks) < 2
        with nullcontext() if alone else stop.share() as path:
            how = (functions, small, rows, columns, chunks, settings, stop)
            for found in solve_here(*how) if alone else solve_by_processes(*how, n_jobs, path):
                note(found)
                if kept:
                    kept.add(found, key_of)
                watched.add(found)
    return EditMatrix(values, bounds, proven, time.perf_counter() - started, upper_bound, names)


def name_graphs(n_graphs, others):
    """Return a function from k to the name of graph k of both lists in messages."""
    if others is None:
        return lambda k: f"graphs[{k}]"
    return lambda k: f"graphs[{k}]" if k < n_graphs else f"others[{k - n_graphs}]"


# ---- solving


def solve_here(functions, small, rows, columns, chunks, settings, stop):
    """Yield the answers of every chunk. After a stop: of the pairs that are done."""
    for chunk in chunks:
        yield solve_chunk(functions, small, rows, columns, chunk, settings)
        if stop.is_set:
            return


def solve_by_processes(functions, small, rows, columns, chunks, settings, stop, n_jobs, path):
    """Yield the answers of every chunk, as they come; the processes see the stop in a file."""
    from joblib import Parallel, delayed

    jobs = (
        delayed(solve_chunk)(
            functions,
            small,
            {i: rows[i] for i, _ in chunk},
            {j: columns[j] for _, j in chunk},
            chunk,
            settings,
            path,
        )
        for chunk in chunks
        if not stop.is_set
    )
    yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered")(jobs)


def solve_chunk(functions, small, rows, columns, pairs, settings, path=None):
    """[(i, j, value, bound, proven)] of the pairs; after a stop, of those that are done."""
    limits = settings["upper_bound"], settings["time_limit"]
    upper_bound, found, known = limits[0], [], {}
    with heed(path) as stop:
        if small is not None:
            known = small.decide(rows, columns, pairs, *limits, lambda: stop.is_set)
            found += [(*pair, *answer, True) for pair, answer in known.items()]
        for i, j in pairs:
            if (i, j) in known:
                continue
            if stop.is_set:
                break
            model = EditModel(functions, rows[i], columns[j])
            if upper_bound is not None and is_beyond(model, upper_bound):
                found.append((i, j, math.inf, model.branch_bound[0], True))
            else:
                r = solve_edit_model(model, time.perf_counter(), **settings)
                if r.status != "interrupted" or r.exceeds:
                    value = math.inf if r.exceeds else r.value
                    found.append((i, j, value, r.bound, r.proven or r.exceeds))
    return found


# ---- progress


class Progress:
    """The number of finished pairs, reported to a function or on stderr.

    The time left is estimated by the work that was done in the time of this run, where a pair of
    graphs with m1 and m2 nodes and edges counts m1 m2.
    """

    def __init__(self, progress, rows, columns, pairs):
        self.progress, self.total, self.done = progress, len(pairs), 0
        self.started, self.spoke = time.monotonic(), -math.inf
        sizes = [np.array([len(g) + len(g.edge) for g in part], float) for part in (rows, columns)]
        self.work = lambda found: float(sum(sizes[0][f[0]] * sizes[1][f[1]] for f in found))
        self.work_here = 0.0
        self.work_left = self.work(pairs) if progress and not callable(progress) else math.nan

    def skip(self, pairs):
        """Note pairs that the store has."""
        self.work_left -= self.work(pairs)
        self.started = time.monotonic()
        self.report(len(pairs))

    def add(self, found):
        """Note answers of this run."""
        self.work_here += (more := self.work(found))
        self.work_left -= more
        self.report(len(found))

    def report(self, more):
        """Report how many pairs are done."""
        self.done += more
        now = time.monotonic()
        if callable(self.progress):
            self.progress(self.done, self.total)
        elif self.progress and (now - self.spoke >= 2.0 or self.done == self.total):
            self.spoke = now
            print(self.line(now - self.started), file=sys.stderr, flush=True)

    def line(self, seconds):
        """Return the line on stderr after this many seconds of work."""
        line = f"distances: {self.done}/{self.total} pairs"
        if self.done == self.total or not self.work_here:
            return line
        return f"{line}, about {time_text(seconds * self.work_left / self.work_here)} left"
