"""Alignment of two networks by the measure of the field: common edges, or S3.

S3 counts the edges that only one of both graphs has as much as the common ones (Saraph and
Milenkovic 2014): a small network inside a dense part of a large one has many common edges by chance
and a low S3. With the m1 edges of G1, k of them common, and d edges of G2 between matched nodes,

    S3 = k / (m1 + d - k).

If all nodes of G2 are matched, d is constant and S3 grows with k. Otherwise the ratio is
maximised by a sequence of quadratic assignment problems (Dinkelbach 1967): for s = S3 of the best
matching so far, another one is better if and only if

    F(p) = k - s (m1 + d - k) > 0,

and F is a Koopmans-Beckmann problem of the matrices (1 + s) A - s (J - I) and B. As m1 + d - k is
at least m1, no matching has an S3 above s + max F / m1.
"""

import math
import time

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.result import Result, trace_dtype
from gmtoolbox.engine.limits import accept_rng, check_seed, check_time_limit
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.models.foreign import as_networkx
from gmtoolbox.models.graphs import from_graphs, read_weights
from gmtoolbox.models.koopmans_beckmann import from_koopmans_beckmann

MEASURES = ("edges", "s3")
ROUND_SHARE = 0.5  # of the remaining time for each problem of the sequence
ROUNDED = 1e-6  # bounds on numbers of edges are integers within this
ROUNDING = 2.0**-44  # and within this part of the costs that are added up


@accept_rng
def align_graphs(G1, G2, *, maximise="edges", time_limit=None, seed=0):
    r"""Match all nodes of the smaller of two graphs so that common edges or S3 are largest.

    .. math:: S^3 = \frac{k}{m_1 + d - k}

    with the :math:`m_1` edges of G1, k of them common, and d edges of G2 between matched nodes.
    Directions, weights and self loops do not count.

    Parameters
    ----------
    G1, G2 : graphs, adjacency matrices or lists of edges
        As of gm.models.from_graphs.
    maximise : "edges" or "s3"
        The number of common edges, or S3.
    time_limit : float, optional
        Wall seconds; the best answer so far is returned.
    seed : int
        Number that fixes the random choices.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once; the result stores the drawn seed.

    Returns
    -------
    Result
        Its value, bound and status are those of the measure; extra["rounds"] is the number of
        assignment problems that were solved.

    See Also
    --------
    evaluate : all measures of an alignment.
    gm_solve : weights, directions, attributes and seeds, with gm.models.from_graphs.

    Examples
    --------
    A path of three edges: in the complete part of the large graph it has its three edges in common,
    but in the other part nothing else.

    >>> import gmtoolbox as gm, networkx as nx
    >>> path = nx.path_graph(4)
    >>> large = nx.disjoint_union(nx.complete_graph(4), nx.path_graph(4))
    >>> r = gm.align_graphs(path, large, maximise="s3")
    >>> sorted(r.labels.tolist()), r.value, r.status
    ([4, 5, 6, 7], 1.0, 'optimal')
    """
    if maximise not in MEASURES:
        raise InputError(f"maximise must be one of {', '.join(MEASURES)}, got {maximise!r}")
    check_time_limit(time_limit)
    check_seed(seed)
    (A, names1), (B, names2) = (read_simple(*named) for named in (("G1", G1), ("G2", G2)))
    if not A.any():
        raise InputError("G1 must have an edge")
    answer = Sequence(A, B, maximise, time_limit, seed).run()
    return answer.result(Result, shape=(len(A), len(B)), nodes1=names1, nodes2=names2)


def read_simple(name, graph):
    """Return (symmetric 0/1 matrix without self loops, names of the nodes) of a graph."""
    M, names = read_weights(name, as_networkx(name, graph), None, False)
    M = (M.toarray() if sparse.issparse(M) else np.asarray(M)) != 0
    M = (M | M.T).astype(float)
    np.fill_diagonal(M, 0.0)
    return M, names


class Sequence:
    """The problems of one alignment, and the best matching so far."""

    def __init__(self, A, B, maximise, time_limit, seed):
        self.A, self.B, self.maximise, self.seed = A, B, maximise, seed
        self.begin, self.time_limit = time.perf_counter(), time_limit
        self.n_edges = int(A.sum()) // 2
        self.labels, self.value, self.bound = None, -math.inf, math.inf
        self.rows, self.n_rounds, self.n_iter = [], 0, 0

    def elapsed(self):
        """Return the seconds since the beginning."""
        return time.perf_counter() - self.begin

    def solve(self, problem):
        """Return the Answer about one problem of the sequence."""
        limit = self.time_limit
        if limit is not None:
            share = 1.0 if self.maximise == "edges" else ROUND_SHARE
            limit = max(share * (limit - self.elapsed()), 1e-3)
        with Budget(limit, self.seed) as budget:
            answer = solve_matching(budget, problem, DEFAULT_METHOD, self.labels)
        self.n_rounds += 1
        self.n_iter += answer.n_iter
        return answer

    def count(self, labels):
        """Return (common edges, edges of G2 between matched nodes)."""
        nodes = np.flatnonzero(labels >= 0)
        inside = self.B[np.ix_(labels[nodes], labels[nodes])]
        return int((self.A[np.ix_(nodes, nodes)] * inside).sum()) // 2, int(inside.sum()) // 2

    def note(self, labels, bound):
        """Keep a matching if it is better, and a bound; return whether the matching is."""
        k, d = self.count(labels)
        value = float(k) if self.maximise == "edges" else k / (self.n_edges + d - k)
        is_better = value > self.value
        if is_better:
            self.labels, self.value, self.counted = labels, value, (k, self.n_edges + d - k)
        self.bound = max(min(self.bound, bound), self.value)
        self.rows.append((self.elapsed(), self.value, self.bound))
        return is_better

    def run(self):
        """Solve the problems one after the other; return the Answer in units of the measure."""
        answer = self.solve(from_graphs(self.A, self.B))
        m1, m2 = self.n_edges, int(self.B.sum()) // 2
        most = min(m1, m2, count_below(answer.bound))  # common edges
        if self.maximise == "edges":
            self.note(answer.labels, float(most))
        elif len(self.A) >= len(self.B):  # all edges of G2 are between matched nodes
            self.note(answer.labels, most / (m1 + m2 - most))
        else:
            self.note(answer.labels, most / m1)
            answer = self.improve_ratio(answer)
        answer = answer.restate(self.value, self.bound, 0.0, labels=self.labels)
        answer.time = answer.solver_time = self.elapsed()
        answer.n_iter, answer.scores = self.n_iter, None
        answer.trace = np.array(self.rows, dtype=trace_dtype())
        answer.extra = {"rounds": self.n_rounds}
        return answer

    def improve_ratio(self, answer):
        """Go on until no matching is better, no better one is found, the time is over or the user
        stops; return the last Answer.
        """
        size = self.n_edges + int(self.B.sum())
        while self.bound > self.value and answer.status != "interrupted" and not self.is_late():
            factor = math.gcd(*self.counted)
            a, b = (number // factor for number in self.counted)
            # 2 b F(p) + 2 a m1 for s = a / b, in integers
            M = (a + b) * self.A - a * (1.0 - np.eye(len(self.A)))
            answer = self.solve(from_koopmans_beckmann(M, self.B, sense="max"))
            most = max(count_below(answer.bound, a * size) - a * self.n_edges, 0)
            if not self.note(answer.labels, a / b + most / (b * self.n_edges)):
                break
        return answer

    def is_late(self):
        """Return whether the time is over."""
        return self.time_limit is not None and self.elapsed() >= self.time_limit


def count_below(bound, size=0.0):
    """Return the largest number of edges that a bound on ordered pairs allows; inf if it is.
    size: of the costs that were added up.
    """
    return math.floor(bound / 2 + ROUNDED + ROUNDING * size) if math.isfinite(bound) else bound
