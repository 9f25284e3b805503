"""The edges of a problem: the costs of pairs of candidates, in one of five forms.

Listed     every edge with its two candidates and its cost
Products   the entries of two matrices multiplied (core.products): a Koopmans-Beckmann problem
Layers     sums of such products (core.layers): several graphs on the same nodes
Overlaps   the smaller of an entry of each (core.overlaps)
Factors    costs of mapping an edge of one graph to an edge of the other (core.factors)

All forms answer the same questions. With E the symmetric matrix over candidates that holds half of
each edge's cost on either side:

    product(x)      E @ x
    total(labels)   x' E x of a matching: the cost of its pairs
    list_partners(labels)
                    (left, right, paid) of the candidates that have edges with those
                    of a matching, each once
    written_out()   the same edges as Listed, up to MAX_EDGES of them, computed once
    len(edges)      their number; at most that many while they are not written out
    nonpositive     whether surely no edge has a positive cost
    largest         no edge has a larger absolute cost
    magnitude       all absolute costs together are not larger

and, if they are not listed (C reads listed ones itself, model/scale.c):

    scale           typical price of a second choice, inf without any
    size_among(chosen)   sum of the absolute costs among these candidates

They are created again by

    over(candidates, order)          the same edges on other candidates of the same nodes
    among(candidates, nodes1, nodes2)   those among candidates of some of the nodes: node k of them
                                     was nodes1[k], label s was nodes2[s]
    swap_sides()    left and right exchanged } not laid over candidates yet:
    widen(shape)    further nodes added      } the Problem that they are given to does that

Methods that only multiply run at sizes whose edges would never fit; all others ask for a, b,
edge_cost of the problem, which writes them out.
"""

from dataclasses import dataclass, fields
from functools import cached_property

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.candidates import Candidates, ranges
from gmtoolbox.core.errors import InputError, TooManyEdgesError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.values import Value, check_costs, check_index, freeze, magnitude, same

MAX_EDGES = 30_000_000  # that may be written out: about 2 GB on the way
MATRIX_EDGES = 1_000_000  # up to here K is better a sparse matrix


class Edges(Value):
    """The common part of the forms; candidates is None until a Problem lays the edges over
    its own.
    """

    candidates: Candidates

    def __eq__(self, other):
        """Whether both are the same edges, in whatever form; the candidates are not compared."""
        if not isinstance(other, Edges):
            return NotImplemented
        if type(self) is type(other):
            names = [field.name for field in fields(self) if field.name != "candidates"]
            if all(same(getattr(self, name), getattr(other, name)) for name in names):
                return True
            if isinstance(self, Listed):
                return False
        return self.written_out() == other.written_out()

    __hash__ = None

    def list_partners(self, labels):
        # product(x) holds half of each edge
        paid = 2.0 * self.product(self.candidates.indicator(labels))
        stored = np.flatnonzero(paid)
        return *self.candidates.pairs(stored), paid[stored]

    @property
    def fit_into_a_matrix(self):
        """Whether K is better a sparse matrix than something that multiplies."""
        return len(self) <= MATRIX_EDGES


class Implicit(Edges):
    """Edges that follow from something smaller. A subclass gives expand(), the a, b and cost of
    all edges in any order, and at_most, a bound on their number.
    """

    def written_out(self):
        return self._listed

    @cached_property
    def _listed(self):
        if self.at_most > MAX_EDGES:
            raise TooManyEdgesError(self.at_most, MAX_EDGES, MATRIX_EDGES)
        a, b, cost = self.expand()
        return make_listed(self.candidates, a.astype(np.int32), b.astype(np.int32), cost)

    def __len__(self):
        return len(self._listed) if "_listed" in self.__dict__ else self.at_most


@dataclass(frozen=True, eq=False, repr=False)
class Listed(Edges):
    """Edge k joins the candidates a[k] < b[k] and costs cost[k]; sorted, no pair twice.

    Make it with `listed`, which puts any list into this form; the constructor itself checks
    nothing.
    """

    candidates: object
    a: object
    b: object
    cost: object

    fit_into_a_matrix = True

    def __len__(self):
        return len(self.a)

    def written_out(self):
        return self

    @property
    def nonpositive(self):
        return not np.any(self.cost > 0)

    @property
    def largest(self):
        return float(max(-self.cost.min(), self.cost.max(), 0.0)) if len(self.cost) else 0.0

    @property
    def magnitude(self):
        return magnitude(self.cost)

    @cached_property
    def _upper(self):
        N = len(self.candidates)
        start = np.searchsorted(self.a, np.arange(N + 1))
        return sparse.csr_array((0.5 * self.cost, self.b, start), shape=(N, N))

    def product(self, x):
        return self._upper @ x + self._upper.T @ x

    def total(self, labels):
        return self.total_among(self.candidates.of(labels))

    def total_among(self, chosen):
        """total of the matching that takes these candidates."""
        chosen = np.sort(chosen)
        is_chosen = np.zeros(len(self.candidates), dtype=bool)
        is_chosen[chosen] = True
        # the edges whose a is chosen
        first, end = (np.searchsorted(self.a, chosen, side=side) for side in ("left", "right"))
        edges = ranges(first, end)
        return float(self.cost[edges[is_chosen[self.b[edges]]]].sum())

    def over(self, candidates, order=None):
        """Edges speak of positions: candidate order[k] of the old ones becomes k."""
        if self.candidates is not None and len(self.candidates) != len(candidates):
            raise InputError(
                f"edges between {len(self.candidates)} candidates do not fit {len(candidates)}"
            )
        if order is None:
            return self.changed(candidates=candidates)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return make_listed(candidates, rank[self.a], rank[self.b], self.cost)

    def swap_sides(self):
        return self.changed(candidates=None)

    def widen(self, shape):
        return self.changed(candidates=None)

    def among(self, candidates, nodes1, nodes2):
        old = self.candidates.index(nodes1[candidates.left], nodes2[candidates.right])
        rank = np.full(len(self.candidates), -1, dtype=np.int32)
        rank[old] = np.arange(len(old), dtype=np.int32)
        a, b = rank[self.a], rank[self.b]
        kept = (a >= 0) & (b >= 0)
        return make_listed(candidates, a[kept], b[kept], self.cost[kept])


def make_listed(candidates, a, b, cost):
    """Listed edges from int32 indices in any order."""
    return Listed(candidates, *map(freeze, canonical_edges(a, b, cost, len(candidates))))


def check_edges(candidates, a, b, cost, order=None):
    """Return listed edges; order sorts the candidates to which a and b refer."""
    a, b = (check_index(name, ends, len(candidates)) for name, ends in (("a", a), ("b", b)))
    cost = check_costs("edge_cost", cost)
    if not len(a) == len(b) == len(cost):
        raise InputError(
            f"a, b and edge_cost must have one length, got {len(a)}, {len(b)}, {len(cost)}"
        )
    if order is None:
        return make_listed(candidates, a, b, cost)
    return Listed(None, a, b, cost).over(candidates, order)


def canonical_edges(a, b, cost, n_candidates):
    """a < b, sorted, each pair once, int32: costs of repeated pairs add up."""
    loop = a == b
    if loop.any():
        k = np.flatnonzero(loop)[0]
        raise InputError(
            f"an edge must join two different candidates, edge {k} joins {a[k]} to itself"
        )
    first, second = np.minimum(a, b), np.maximum(a, b)
    key = first.astype(np.int64) * n_candidates + second
    if np.all(key[1:] > key[:-1]):
        return first, second, cost
    # a sparse matrix sorts by buckets, four times faster than argsort
    rows = sparse.csr_array((cost, (first, second)), shape=(n_candidates, n_candidates))
    rows.sum_duplicates()
    return (
        np.repeat(np.arange(n_candidates, dtype=np.int32), np.diff(rows.indptr)),
        rows.indices.astype(np.int32),
        rows.data,
    )


class Multiplier:
    """factor * K of a problem whose edges are not written out, for methods that need no more of a
    matrix than K @ x, -K, a * K and K.sum().
    """

    def __init__(self, cost, edges, factor):
        self.cost, self.edges, self.factor = cost, edges, factor
        self.shape, self.dtype = (len(cost),) * 2, np.dtype(np.float64)

    def __matmul__(self, x):
        return self.factor * (self.cost * x + self.edges.product(x))

    def __mul__(self, scalar):
        return Multiplier(self.cost, self.edges, self.factor * scalar)

    def __neg__(self):
        return self * -1.0

    def sum(self):
        """The sum of all entries."""
        return float((self @ np.ones(self.shape[0])).sum())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise TooManyEdgesError(len(self.edges), MAX_EDGES, MATRIX_EDGES)


def find_tolerance(problem):
    """See Problem.tolerance."""
    if isinstance(problem.edges, Listed):
        return lib.gm_tolerance(lib.gm_cost_scale(problem.c_model[0]))
    scale = problem.edges.scale
    if problem.cost.any():
        nothing = [freeze(np.empty(0, kind)) for kind in (np.int32, np.int32, np.float64)]
        bare = problem.changed(edges=Listed(problem.candidates, *nothing))
        scale = min(scale, lib.gm_cost_scale(bare.c_model[0]))
    return lib.gm_tolerance(scale) if np.isfinite(scale) else 0.0


def find_cost_error(problem, labels):
    """See Problem.cost_error."""
    if isinstance(problem.edges, Listed):
        labels = np.ascontiguousarray(labels, np.int32)
        return lib.gm_matching_error(problem.c_model[0], pointer(labels))
    chosen = problem.candidates.of(np.asarray(labels))
    size = np.abs(problem.cost[chosen]).sum() + problem.edges.size_among(chosen)
    return lib.gm_rounding_error(4.0 * len(chosen) ** 2, float(size))
