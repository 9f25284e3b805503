"""Problems whose edges are products, written out only when somebody needs them.

KoopmansBeckmann   sum A_ij B_sl x_is x_jl            n1 x n1, n2 x n2: n = 1000 has 10^12 products
Factored           sum KQ_ef over directed edges e = (i,j), f = (s,l) with x_is x_jl = 1

Values and K @ x come straight from the factors, so a method that only multiplies (sm, ipfp, ga,
lsm) runs at sizes whose edges would never fit. Everything else asks for a, b, edge_cost: they are
written out on first use, up to MAX_EDGES.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem, canonical_edges, frozen

MAX_EDGES = 30_000_000  # that may be written out: about 2 GB on the way
MATRIX_EDGES = 1_000_000  # up to here K is better a sparse matrix
LAZY = ("a", "b", "edge_cost")


def edges_of(problem):
    """a, b, edge_cost of an implicit problem, written out once and kept."""
    if problem.n_edges_at_most > MAX_EDGES:
        raise too_many_edges(problem)
    found = canonical_edges(*problem.expanded(), problem.n_candidates)
    return tuple(frozen(array) for array in found)


def too_many_edges(problem):
    return InputError(
        f"this problem has {problem.n_edges_at_most} edges, too many to be written out (at most"
        f" {MAX_EDGES}, as a matrix {MATRIX_EDGES}); use a method that only multiplies with K (sm,"
        " ipfpu, ipfps, ga, lsm)"
    )


@dataclass(frozen=True, eq=False, repr=False)
class Implicit(Problem):
    """A Problem with lazy edges. A subclass gives expanded(), product(), edge_total() and
    n_edges_at_most.
    """

    a: object = field(init=False, default=())
    b: object = field(init=False, default=())
    edge_cost: object = field(init=False, default=())

    def __post_init__(self):
        self.__dict__.update(dict.fromkeys(LAZY, ()))
        super().__post_init__()
        for name in LAZY:
            del self.__dict__[name]  # from now on the lazy attributes of the class

    def explicit(self):
        return Problem(**{f.name: getattr(self, f.name) for f in fields(Problem)})

    @cached_property
    def _edges(self):
        return edges_of(self)

    @property
    def n_edges(self):
        return len(self._edges[0]) if "_edges" in self.__dict__ else self.n_edges_at_most

    def __getstate__(self):
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in LAZY}

    def total_cost(self, labels):
        chosen = self.candidates_of(labels)
        return float(self.cost[chosen].sum() + self.edge_total(np.asarray(labels)) + self.offset)

    @cached_property
    def reducedK(self):
        """A sparse matrix where that is small, else something that multiplies like one."""
        return (
            Problem.reducedK.func(self)
            if self.n_edges <= MATRIX_EDGES
            else Multiplier(self, self.signed(1.0))
        )


class Multiplier:
    """factor * K of an implicit problem, for methods that need no more of a matrix than K @ x, -K,
    a * K and K.sum().
    """

    def __init__(self, problem, factor):
        self.problem, self.factor, self.shape, self.dtype = (
            problem,
            factor,
            (problem.n_candidates,) * 2,
            np.dtype(np.float64),
        )

    def __matmul__(self, x):
        return self.factor * (self.problem.cost * x + self.problem.product(x))

    def __mul__(self, scalar):
        return Multiplier(self.problem, self.factor * scalar)

    def __neg__(self):
        return self * -1.0

    def sum(self):
        return float((self @ np.ones(self.shape[0])).sum())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise too_many_edges(self.problem)


for position, name in enumerate(
    LAZY
):  # a dataclass would take these for default values, were they in its body
    lazy = cached_property(lambda self, position=position: self._edges[position])
    lazy.__set_name__(Implicit, name)
    setattr(Implicit, name, lazy)


def off_diagonal(M):
    M = np.array(M, dtype=np.float64)
    np.fill_diagonal(M, 0.0)
    return frozen(M)


@dataclass(frozen=True, eq=False, repr=False)
class KoopmansBeckmann(Implicit):
    """cost_is x_is + A_ij B_sl x_is x_jl; A and B are costs with a zero diagonal, dense."""

    A: object = None
    B: object = None

    def __post_init__(self):
        super().__post_init__()
        for name, n in (("A", self.shape[0]), ("B", self.shape[1])):
            M = np.asarray(getattr(self, name))
            if M.shape != (n, n) or not np.all(np.isfinite(M)):
                raise InputError(f"{name} must be a finite {n} x {n} matrix, got shape {M.shape}")
            object.__setattr__(self, name, off_diagonal(M))

    @cached_property
    def n_edges_at_most(self):
        """Unordered pairs {(i,s), (j,l)} with A_ij B_sl or A_ji B_ls in the pattern."""
        (nA, sA), (nB, sB) = (
            (np.count_nonzero(M), np.count_nonzero((M != 0) & (M.T != 0))) for M in (self.A, self.B)
        )
        return (2 * nA * nB - sA * sB) // 2

    @cached_property
    def nonpositive(self):
        """Whether no product is positive, without writing them out."""
        (lowA, highA), (lowB, highB) = ((M.min(), M.max()) for M in (self.A, self.B))
        return max(lowA * lowB, lowA * highB, highA * lowB, highA * highB) <= 0

    def expanded(self):
        i, j = np.nonzero(np.triu((self.A != 0) | (self.A.T != 0), 1))
        s, t = np.nonzero((self.B != 0) | (self.B.T != 0))
        position = np.full(self.shape, -1, dtype=np.int64)
        position[self.left, self.right] = np.arange(self.n_candidates)
        a, b = position[i[:, None], s], position[j[:, None], t]
        value = self.A[i, j][:, None] * self.B[s, t] + self.A[j, i][:, None] * self.B[t, s]
        kept = (value != 0) & (a >= 0) & (b >= 0)
        return a[kept], b[kept], value[kept]

    @cached_property
    def _symmetric(self):
        return np.array_equal(self.A, self.A.T) and np.array_equal(self.B, self.B.T)

    def product(self, x):
        X = self.scatter(x)
        Y = self.A @ X @ self.B.T
        if not self._symmetric:
            Y = 0.5 * (Y + self.A.T @ X @ self.B)
        return Y[self.left, self.right]

    def edge_total(self, labels):
        nodes = np.flatnonzero(labels >= 0)
        used = labels[nodes]
        return (self.A[np.ix_(nodes, nodes)] * self.B[np.ix_(used, used)]).sum()


@dataclass(frozen=True, eq=False, repr=False)
class Factored(Implicit):
    """cost_is x_is + sum of KQ_ef over directed left edges e = start1 -> end1 and right edges f =
    start2 -> end2.
    """

    edges1: object = None  # (2, m1): start and end of each directed left edge
    edges2: object = None
    quadratic: object = None  # (m1, m2) sparse costs

    @cached_property
    def n_edges_at_most(self):
        return self.quadratic.nnz

    @cached_property
    def nonpositive(self):
        return self.quadratic.nnz == 0 or self.quadratic.max() <= 0

    def expanded(self):
        Q = self.quadratic.tocoo()
        position = np.full(self.shape, -1, dtype=np.int64)
        position[self.left, self.right] = np.arange(self.n_candidates)
        a = position[self.edges1[0, Q.row], self.edges2[0, Q.col]]
        b = position[self.edges1[1, Q.row], self.edges2[1, Q.col]]
        kept = (a >= 0) & (b >= 0) & (a != b)
        return a[kept], b[kept], Q.data[kept]

    @cached_property
    def _arrays(self):
        """KQ and the ends of the edges as the kernel wants them."""
        Q = self.quadratic
        ends = [
            np.ascontiguousarray(end, dtype=np.int32)
            for edges in (self.edges1, self.edges2)
            for end in edges
        ]
        return [
            Q.indptr.astype(np.int64),
            Q.indices.astype(np.int32),
            np.ascontiguousarray(Q.data),
            *ends,
        ]

    def product(self, x):
        from gmtoolbox.core._ffi import lib, pointer

        X = np.ascontiguousarray(self.scatter(x))
        Y = np.zeros(self.shape)
        lib.gm_factored_product(
            self.quadratic.shape[0],
            *map(pointer, self._arrays),
            self.shape[1],
            pointer(X),
            pointer(Y),
        )
        return Y[self.left, self.right]

    def edge_total(self, labels):
        x = np.zeros(self.n_candidates)
        x[self.candidates_of(labels)] = 1.0
        return float(x @ self.product(x))


def from_factors(KP, KQ, gph1, gph2, Ct=None, *, sense="max", complete=True, **rest):
    """Factors as FGM users have them: KP (n1, n2), KQ (m1, m2), and gph1, gph2 with G, H (n, m)
    marking the start and end of each directed edge:

        sum KP .* X + sum KQ .* (G1' X G2) .* (H1' X H2)

    gph1, gph2: objects or dicts with G and H. The products stay implicit: see Factored.
    """
    KP = np.asarray(KP.toarray() if sparse.issparse(KP) else KP, dtype=float)
    if KP.ndim != 2:
        raise InputError(f"KP must be an n1 x n2 matrix, got shape {KP.shape}")
    ends = [
        graph_ends(name, graph, n)
        for name, graph, n in (("gph1", gph1, KP.shape[0]), ("gph2", gph2, KP.shape[1]))
    ]
    KQ = factored_quadratic(KQ)
    if KQ.shape != (ends[0].shape[1], ends[1].shape[1]):
        raise InputError(
            f"KQ must have shape (m1, m2) = ({ends[0].shape[1]}, {ends[1].shape[1]}), got"
            f" {KQ.shape}"
        )
    if not np.all(np.isfinite(KQ.data)):
        raise InputError("KQ must be finite")
    KP, KQ = loops_as_unaries(KP, KQ, *ends)
    sign = check_sense(sense)
    allowed = (
        np.ones(KP.shape, dtype=bool)
        if Ct is None
        else np.asarray(Ct.toarray() if sparse.issparse(Ct) else Ct) != 0
    )
    if allowed.shape != KP.shape:
        raise InputError(f"Ct must have shape (n1, n2) = {KP.shape}, got {allowed.shape}")
    right, left = np.nonzero(allowed.T)
    return Factored(
        KP.shape, left, right, sign * KP[left, right], sense=sense, complete=complete,
        edges1=ends[0], edges2=ends[1], quadratic=sign * KQ, **rest,
    )  # fmt: skip


def graph_ends(name, graph, n):
    """(2, m) starts and ends of a graph given by its incidence matrices G and H."""
    G, H = (graph[key] if isinstance(graph, dict) else getattr(graph, key) for key in ("G", "H"))
    ends = []
    for key, M in (("G", G), ("H", H)):
        M = sparse.csc_array(M)
        M.eliminate_zeros()
        if M.shape[0] != n or np.any(np.diff(M.indptr) != 1):
            raise InputError(
                f"{name}.{key} must have {n} rows and a single one in each column, got shape"
                f" {M.shape}"
            )
        ends.append(M.indices)
    if len(ends[0]) != len(ends[1]):
        raise InputError(
            f"{name}.G and {name}.H must have as many columns, got {len(ends[0])} and"
            f" {len(ends[1])}"
        )
    return np.array(ends, dtype=np.int64)


def loops_as_unaries(KP, KQ, edges1, edges2):
    """(KP, KQ) where a loop i -> i met by a loop s -> s is what it amounts to: a cost of the pair
    (i, s).
    """
    loop1, loop2 = (start == end for start, end in (edges1, edges2))
    if not (loop1.any() and loop2.any()):
        return KP, KQ
    Q = KQ.tocoo()
    both = loop1[Q.row] & loop2[Q.col]
    KP = KP.copy()
    np.add.at(KP, (edges1[0, Q.row[both]], edges2[0, Q.col[both]]), Q.data[both])
    return KP, sparse.csr_array((Q.data[~both], (Q.row[~both], Q.col[~both])), shape=KQ.shape)


def factored_quadratic(KQ):
    """KQ as csr costs without explicit zeros."""
    KQ = sparse.csr_array(KQ, dtype=np.float64)
    KQ.eliminate_zeros()
    return KQ


def check_sense(sense):
    if sense not in ("min", "max"):
        raise InputError(f"sense must be 'min' or 'max', got {sense!r}")
    return -1.0 if sense == "max" else 1.0
