"""Problem: one graph matching instance in candidate form, always costs inside.

minimise  sum_p cost_p x_p + sum_{p,q} edge_cost_pq x_p x_q + offset

over matchings x, where a candidate p = (left node, right node) is an allowed assignment and an
edge joins two candidates. Everything else (K, Ct, reducedK, KP, KQ, gph1, gph2) is a lazy view.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.matrix import check_mask, check_matrix, check_shape, infer_shape, matrix_edges


class Graph(NamedTuple):
    """Directed edges as the MATLAB originals store them: G marks starts, H ends, one column an
    edge.
    """

    G: object
    H: object


def vec(X):
    """x = X(:), column-major: entry (left, right) goes to left + n1 * right."""
    return np.asarray(X).reshape(-1, order="F")


def unvec(x, shape):
    """The matrix X with vec(X) == x."""
    return np.asarray(x).reshape(shape, order="F")


@dataclass(frozen=True, eq=False)
class Problem:
    """A frozen graph matching problem. Arrays are copied once, sorted and made read-only.

    shape        (n1, n2): numbers of left and right nodes
    left, right  the two nodes of each candidate; sorted column-major (by right, then left), so
                 that candidate k is row k of reducedK
    cost         unary cost of each candidate
    a, b         the two candidates of each edge, a < b, sorted
    edge_cost    the whole cost of the pair, counted once
    sense        "min" or "max": only how values are reported; the arrays are costs either way
    complete     every node of the smaller side must be matched
    offset       constant added to the cost
    points1/2, neighbours1/2   optional coordinates (n, d), NaN = unknown, and neighbour pairs (k,
                               2)
    ground_truth optional right label of each left node, -1 = unknown
    name, origin for people: what it is called, and what a reader took for what; no part of equality
    """

    shape: tuple
    left: object
    right: object
    cost: object
    a: object = ()
    b: object = ()
    edge_cost: object = ()
    sense: str = "min"
    complete: bool = False
    offset: float = 0.0
    points1: object = None
    points2: object = None
    neighbours1: object = None
    neighbours2: object = None
    ground_truth: object = None
    name: str = ""
    origin: str = ""

    def __post_init__(self):
        put = lambda name, value: object.__setattr__(self, name, value)  # frozen to everybody else
        n1, n2 = check_shape(self.shape)
        put("shape", (n1, n2))
        if self.sense not in ("min", "max"):
            raise InputError(f"sense must be 'min' or 'max', got {self.sense!r}")
        put("complete", bool(self.complete))
        put("offset", check_finite_scalar("offset", self.offset))
        left, right = (
            check_index(name, getattr(self, name), n) for name, n in (("left", n1), ("right", n2))
        )
        cost = check_costs("cost", self.cost)
        if not len(left) == len(right) == len(cost):
            raise InputError(
                f"left, right and cost must have one length, got {len(left)}, {len(right)},"
                f" {len(cost)}"
            )
        if len(left) == 0:
            raise InputError("a problem must have at least one candidate assignment, got none")
        a, b = (check_index(name, getattr(self, name), len(left)) for name in ("a", "b"))
        edge_cost = check_costs("edge_cost", self.edge_cost)
        if not len(a) == len(b) == len(edge_cost):
            raise InputError(
                f"a, b and edge_cost must have one length, got {len(a)}, {len(b)}, {len(edge_cost)}"
            )

        key = right.astype(np.int64) * n1 + left
        if np.any(key[1:] <= key[:-1]):
            order = np.argsort(key, kind="stable")
            key, left, right, cost = key[order], left[order], right[order], cost[order]
            repeated = np.flatnonzero(key[1:] == key[:-1])
            if len(repeated):
                k = repeated[0]
                raise InputError(f"candidates must not repeat, ({left[k]}, {right[k]}) does")
            rank = np.empty(len(order), dtype=np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            a, b = rank[a], rank[b]
        a, b, edge_cost = canonical_edges(a, b, edge_cost, len(left))
        for name, value in (
            ("left", left),
            ("right", right),
            ("cost", cost),
            ("a", a),
            ("b", b),
            ("edge_cost", edge_cost),
        ):
            put(name, frozen(value))
        for name, n in (("points1", n1), ("points2", n2)):
            points = getattr(self, name)
            if points is not None:
                points = np.array(points, dtype=float)
                if points.ndim != 2 or len(points) != n:
                    raise InputError(
                        f"{name} must have shape ({n}, dimensions), got {points.shape}"
                    )
                put(name, frozen(points))
        for name, n in (("neighbours1", n1), ("neighbours2", n2)):
            pairs = getattr(self, name)
            if pairs is not None:
                pairs = np.array(pairs, dtype=np.int32).reshape(-1, 2)
                check_index(name, pairs.ravel(), n)
                put(name, frozen(pairs))
        if self.ground_truth is not None:
            truth = np.array(self.ground_truth, dtype=np.int32)
            if truth.shape != (n1,) or truth.min(initial=0) < -1 or truth.max(initial=-1) >= n2:
                raise InputError(f"ground_truth must hold n1 = {n1} labels in -1..{n2 - 1}")
            put("ground_truth", frozen(truth))

    # ---- sizes and comparison

    @property
    def n_candidates(self):
        return len(self.left)

    @property
    def n_edges(self):
        return len(self.a)

    @property
    def block(self):
        """(row, col): where the rectangle of implicit zero-cost dummies starts; here it is empty.
        See transforms.Extended.
        """
        return self.shape

    def __eq__(self, other):
        if not isinstance(other, Problem):
            return NotImplemented
        compared = [field.name for field in fields(Problem) if field.name not in ("name", "origin")]
        return all(same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None

    def __getstate__(self):
        return {field.name: getattr(self, field.name) for field in fields(self)}  # no caches

    def __setstate__(self, state):
        self.__dict__.update(state)
        for value in state.values():
            if hasattr(value, "flags"):
                value.flags.writeable = False

    def __repr__(self):
        kind = "complete" if self.complete else "partial"
        name = f" {self.name!r}" if self.name else ""
        size = (
            f"{self.shape[0]}x{self.shape[1]}, {self.n_candidates} candidates, {self.n_edges} edges"
        )
        return f"<Problem{name} {size}, {kind}, {self.sense}>"

    # ---- making problems

    @classmethod
    def from_matrix(cls, K, *, shape=None, Ct=None, sense="max", complete=True, **rest):
        """The problem max (or min) x'Kx over matchings; see gm_solve for the conventions."""
        K = check_matrix(K, dense=True)
        Ct = None if Ct is None else check_mask(Ct)
        n1, n2 = infer_shape(K.shape[0], shape, Ct)
        sign = -1.0 if sense == "max" else 1.0
        diagonal = sign * K.diagonal()
        forbidden = np.isposinf(diagonal)
        if np.any(np.isneginf(diagonal)):
            raise InputError(
                f"K must not hold {'+inf' if sense == 'max' else '-inf'} (an assignment that must"
                " always be taken)"
            )
        allowed = ~forbidden if Ct is None else ~forbidden & (vec(Ct) != 0)
        index = np.flatnonzero(allowed)
        problem = cls(
            (n1, n2),
            index % n1,
            index // n1,
            diagonal[index],
            sense=sense,
            complete=complete,
            **rest,
        )
        for name, value in zip(
            ("a", "b", "edge_cost"), matrix_edges(K, allowed, sign), strict=True
        ):
            object.__setattr__(problem, name, frozen(value))
        return problem

    def explicit(self):
        """The same problem with its edges written out (see implicit)."""
        return self

    def as_costs(self):
        """The same problem, minimised: what solvers see."""
        if self.sense == "min":
            return self
        costs = object.__new__(type(self))  # the same arrays: they have been checked
        costs.__setstate__({**self.__getstate__(), "sense": "min"})
        return costs

    # ---- values

    @cached_property
    def _key(self):
        return self.right.astype(np.int64) * self.shape[0] + self.left

    def candidates_of(self, labels):
        """Candidate index of every matched left node, in node order. Raises if labels is no
        matching of candidates.
        """
        labels = np.asarray(labels)
        n1, n2 = self.shape
        if labels.shape != (n1,) or not np.issubdtype(labels.dtype, np.integer):
            raise InputError(
                f"labels must be n1 = {n1} integers, got shape {labels.shape} of {labels.dtype}"
            )
        nodes = np.flatnonzero(labels != -1)
        used = labels[nodes].astype(np.int64)
        if np.any((used < 0) | (used >= n2)):
            raise InputError(
                f"labels must be in -1..{n2 - 1}, got {used[(used < 0) | (used >= n2)][0]}"
            )
        if len(np.unique(used)) != len(used):
            raise InputError("labels must be one-to-one, but a label is used twice")
        wanted = used * n1 + nodes
        found = np.minimum(np.searchsorted(self._key, wanted), self.n_candidates - 1)
        missing = np.flatnonzero(self._key[found] != wanted)
        if len(missing):
            raise InputError(
                f"labels use the forbidden pair ({nodes[missing[0]]}, {used[missing[0]]})"
            )
        return found

    def allows(self, left, right):
        """Whether each pair (left[k], right[k]) is a stored candidate."""
        wanted = np.asarray(right, dtype=np.int64) * self.shape[0] + left
        found = np.minimum(np.searchsorted(self._key, wanted), self.n_candidates - 1)
        return self._key[found] == wanted

    def candidates_at(self, nodes):
        """All candidates of each given left node: (position in nodes, candidate), flat."""
        order = np.argsort(self.left, kind="stable")
        start = np.searchsorted(self.left[order], np.arange(self.shape[0] + 1))
        begin, end = start[nodes], start[np.asarray(nodes) + 1]
        return np.repeat(np.arange(len(nodes)), end - begin), order[runs(begin, end)]

    def total_cost(self, labels):
        """Cost of a matching, offset included, always minimised."""
        chosen = np.sort(self.candidates_of(labels))
        is_chosen = np.zeros(self.n_candidates, dtype=bool)
        is_chosen[chosen] = True
        edges = runs(
            np.searchsorted(self.a, chosen), np.searchsorted(self.a, chosen, side="right")
        )  # those whose a is chosen
        paid = edges[is_chosen[self.b[edges]]]
        return float(self.cost[chosen].sum() + self.edge_cost[paid].sum() + self.offset)

    def energy(self, labels):
        """Value of a matching in the problem's own sense, offset included."""
        return self.signed(self.total_cost(labels))

    def signed(self, cost):
        """A cost in the problem's own sense."""
        return cost if self.sense == "min" else -cost

    def is_complete_matching(self, labels):
        """Whether every node of the smaller side is matched."""
        return int(np.count_nonzero(np.asarray(labels) >= 0)) == min(self.shape)

    def scatter(self, x):
        """Candidate vector -> (n1, n2) matrix, zero on forbidden pairs."""
        X = np.zeros(self.shape)
        X[self.left, self.right] = x
        return X

    # ---- the MATLAB views, in the problem's own sense

    @cached_property
    def reducedK(self):
        """(N, N) symmetric sparse matrix over candidates: costs on the diagonal, half of each edge
        on both sides.
        """
        N = self.n_candidates
        index = np.arange(N, dtype=np.int32)
        half = 0.5 * self.edge_cost
        values = self.signed(np.concatenate([half, self.cost, half]))
        rows, cols = (
            np.concatenate([self.b, index, self.a]),
            np.concatenate([self.a, index, self.b]),
        )
        if not values.all():
            stored = np.flatnonzero(values)
            values, rows, cols = values[stored], rows[stored], cols[stored]
        entries = sparse.coo_array((values, (rows, cols)), shape=(N, N))
        entries.has_canonical_format = (
            True  # in this order every row is sorted already: nothing to sort or to add up
        )
        return entries.tocsr()

    @cached_property
    def K(self):
        """(n1 n2, n1 n2) symmetric sparse matrix with x'Kx + offset = energy; zero where Ct is."""
        n = self.shape[0] * self.shape[1]
        reduced = self.reducedK.tocoo()
        return sparse.csr_array(
            (reduced.data, (self._key[reduced.row], self._key[reduced.col])), shape=(n, n)
        )

    @cached_property
    def Ct(self):
        """(n1, n2) sparse 0/1 matrix of the allowed pairs."""
        return sparse.csc_array(
            (np.ones(self.n_candidates), (self.left, self.right)), shape=self.shape
        )

    @cached_property
    def KP(self):
        """(n1, n2) sparse matrix of unary costs."""
        stored = self.cost != 0
        values = self.signed(self.cost[stored])
        return sparse.csc_array((values, (self.left[stored], self.right[stored])), shape=self.shape)

    @cached_property
    def _factors(self):
        """(gph1, gph2, KQ): both directions of every edge, each with half of its cost."""
        n1, n2 = self.shape
        start, end = np.concatenate([self.a, self.b]), np.concatenate([self.b, self.a])
        gph1, e1 = directed_edges(self.left[start], self.left[end], n1)
        gph2, e2 = directed_edges(self.right[start], self.right[end], n2)
        half = self.signed(0.5 * np.concatenate([self.edge_cost, self.edge_cost]))
        stored = half != 0
        KQ = sparse.csc_array(
            (half[stored], (e1[stored], e2[stored])), shape=(gph1.G.shape[1], gph2.G.shape[1])
        )
        return gph1, gph2, KQ

    @property
    def gph1(self):
        return self._factors[0]

    @property
    def gph2(self):
        return self._factors[1]

    @property
    def KQ(self):
        """Edge costs: KQ[e1, e2] is half the cost of mapping directed left edge e1 to directed
        right edge e2.
        """
        return self._factors[2]


# ---- checks and canonical forms


def frozen(array):
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def runs(begin, end):
    """begin[0] .. end[0]-1, then begin[1] .. end[1]-1, and so on."""
    count = end - begin
    return np.repeat(begin - np.cumsum(count) + count, count) + np.arange(count.sum())


def same(x, y):
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return (
            x is not None and y is not None and np.array_equal(x, y, equal_nan=True)
        )  # NaN: a point not given
    return x == y


def check_finite_scalar(name, value):
    value = float(value)
    if not np.isfinite(value):
        raise InputError(f"{name} must be finite, got {value}")
    return value


def check_index(name, values, n):
    """int32 copy of an index array, all in 0 .. n-1."""
    values = np.asarray(values)
    if values.ndim != 1 or (values.size and not np.issubdtype(values.dtype, np.integer)):
        raise InputError(
            f"{name} must be a vector of integers, got shape {values.shape} of {values.dtype}"
        )
    if values.size and (values.min() < 0 or values.max() >= n):
        wrong = values[(values < 0) | (values >= n)][0]
        raise InputError(f"{name} must be in 0..{n - 1}, got {wrong}")
    return values.astype(np.int32)


def check_costs(name, values):
    values = np.asarray(values)
    if values.ndim != 1 or np.iscomplexobj(values):
        raise InputError(
            f"{name} must be a real vector, got shape {values.shape} of {values.dtype}"
        )
    values = values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"{name}[{bad[0]}] must be finite, got {values[bad[0]]}; leave a forbidden pair out"
            " instead"
        )
    return values


def canonical_edges(a, b, cost, n_candidates):
    """a < b, sorted, each pair once: costs of repeated pairs add up."""
    loop = np.flatnonzero(a == b)
    if len(loop):
        raise InputError(
            f"an edge must join two different candidates, edge {loop[0]} joins {a[loop[0]]} to"
            " itself"
        )
    first, second = np.minimum(a, b), np.maximum(a, b)
    key = first.astype(np.int64) * n_candidates + second
    if np.all(key[1:] > key[:-1]):
        return first, second, cost
    rows = sparse.csr_array(
        (cost, (first, second)), shape=(n_candidates, n_candidates)
    )  # a bucket sort, four times faster than argsort
    rows.sum_duplicates()
    return (
        np.repeat(np.arange(n_candidates, dtype=np.int32), np.diff(rows.indptr)),
        rows.indices.astype(np.int32),
        rows.data,
    )


def directed_edges(start, end, n):
    """(Graph with one column per distinct directed pair, column of each given pair)."""
    key, column = np.unique(start.astype(np.int64) * n + end, return_inverse=True)
    m = len(key)
    ones, columns = np.ones(m), np.arange(m)
    G = sparse.csc_array((ones, (key // n, columns)), shape=(n, m))
    H = sparse.csc_array((ones, (key % n, columns)), shape=(n, m))
    return Graph(G, H), column
