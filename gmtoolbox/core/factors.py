"""Factors: edges whose costs are those of mapping a graph's edges to another graph's."""

from dataclasses import dataclass
from functools import cached_property

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest
from gmtoolbox.core.edges import Implicit
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.prices import second_prices, typical
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import as_reals, check_sense, dense, freeze


@dataclass(frozen=True, eq=False, repr=False)
class Factors(Implicit):
    """KQ_ef for each directed left edge e = (i -> j) and right edge f = (s -> l), if i -> s and
    j -> l.

    edges1, edges2   (2, m): start and end of each directed edge
    KQ               (m1, m2) sparse costs
    """

    edges1: object
    edges2: object
    KQ: object
    candidates: object = None

    def over(self, candidates, order=None):
        """Factors speak of nodes: the order of the candidates does not matter."""
        for name, n in zip(("edges1", "edges2"), candidates.shape, strict=True):
            ends = getattr(self, name)
            if ends.size and (ends.min() < 0 or ends.max() >= n):
                raise InputError(f"{name} must hold nodes in 0..{n - 1}")
        return self.changed(candidates=candidates)

    def among(self, candidates, nodes1, nodes2):
        (edges1, kept1), (edges2, kept2) = (
            keep_edges(edges, nodes, n)
            for edges, nodes, n in zip(
                (self.edges1, self.edges2),
                (nodes1, nodes2),
                self.candidates.shape,
                strict=True,
            )
        )
        KQ = self.KQ[kept1][:, kept2]
        return self.changed(edges1=edges1, edges2=edges2, KQ=KQ, candidates=candidates)

    def swap_sides(self):
        KQ = sparse.csr_array(self.KQ.T)
        return self.changed(edges1=self.edges2, edges2=self.edges1, KQ=KQ, candidates=None)

    def widen(self, shape):
        return self.changed(candidates=None)

    @cached_property
    def at_most(self):
        return self.KQ.nnz

    @cached_property
    def largest(self):
        """Entries of both directions, and of parallel edges, add up."""
        return float(abs(self.KQ).sum()) if self.KQ.nnz else 0.0

    @property
    def magnitude(self):
        return self.largest

    @cached_property
    def scale(self):
        return typical(*second_prices(self.KQ))

    def size_among(self, chosen):
        return self.changed(KQ=abs(self.KQ)).total_among(chosen)

    @cached_property
    def nonpositive(self):
        return self.KQ.nnz == 0 or self.KQ.max() <= 0

    def expand(self):
        Q = self.KQ.tocoo()
        a, b = (
            self.candidates.index(self.edges1[end, Q.row], self.edges2[end, Q.col])
            for end in range(2)
        )
        kept = (a >= 0) & (b >= 0) & (a != b)
        return a[kept], b[kept], Q.data[kept]

    @cached_property
    def _arrays(self):
        """KQ and the ends of the edges as the kernel wants them."""
        Q = self.KQ
        return [
            Q.indptr.astype(np.int64),
            Q.indices.astype(np.int32),
            np.ascontiguousarray(Q.data),
            *(np.ascontiguousarray(end) for edges in (self.edges1, self.edges2) for end in edges),
        ]

    def product(self, x):
        X = np.ascontiguousarray(self.candidates.scatter(x))
        Y = np.zeros(X.shape)
        lib.gm_factored_product(
            self.KQ.shape[0], *map(pointer, self._arrays), X.shape[1], pointer(X), pointer(Y)
        )
        return Y[self.candidates.left, self.candidates.right]

    def total(self, labels):
        return self.total_among(self.candidates.of(labels))

    def total_among(self, chosen):
        x = np.zeros(len(self.candidates))
        x[chosen] = 1.0
        return float(x @ self.product(x))


def keep_edges(edges, nodes, n):
    """(edges among the kept nodes in the new numbers, their old positions)."""
    rank = np.full(n, -1, dtype=np.int32)
    rank[nodes] = np.arange(len(nodes), dtype=np.int32)
    renumbered = rank[edges]
    kept = np.flatnonzero(np.all(renumbered >= 0, axis=0))
    return freeze(renumbered[:, kept]), kept


def from_factors(KP, KQ, gph1, gph2, Ct=None, *, sense="max", complete=True, **rest):
    """Factors as FGM users have them, maximised unless said otherwise:

        sum KP .* X + sum KQ .* (G1' X G2) .* (H1' X H2)

    The products stay implicit: see core.factors.

    Parameters
    ----------
    KP : matrix
        (n1, n2) affinities of nodes.
    KQ : matrix
        (m1, m2) affinities of directed edges.
    gph1, gph2 : objects or dicts with G and H
        (n, m) matrices that mark the start and the end of each directed edge, a column for each.
    Ct : (n1, n2) 0/1 matrix, optional
        The allowed pairs.
    sense, complete, **rest
        As of the Problem.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> G, H = np.array([[1], [0]]), np.array([[0], [1]])  # one edge, 0 -> 1
    >>> graph = {"G": G, "H": H}
    >>> p = gm.models.from_factors(np.zeros((2, 2)), [[3.0]], graph, graph)
    >>> r = gm.gm_solve(p)
    >>> r.value, r.labels.tolist()
    (3.0, [0, 1])
    """
    check_rest(from_factors, rest, *DESCRIBING, *PLACES)
    KP = as_reals("KP", dense(KP))
    if KP.ndim != 2:
        raise InputError(f"KP must be an n1 x n2 matrix, got shape {KP.shape}")
    ends = [
        graph_ends(name, graph, n)
        for name, graph, n in (("gph1", gph1, KP.shape[0]), ("gph2", gph2, KP.shape[1]))
    ]
    KQ = sparse.csr_array(as_reals("KQ", KQ), copy=True)
    KQ.eliminate_zeros()
    if KQ.shape != (ends[0].shape[1], ends[1].shape[1]):
        raise InputError(
            f"KQ must have shape (m1, m2) = ({ends[0].shape[1]}, {ends[1].shape[1]}), got"
            f" {KQ.shape}"
        )
    if not np.all(np.isfinite(KQ.data)):
        raise InputError("KQ must be finite")
    KP, KQ = loops_as_unaries(KP, KQ, *ends)
    sign = check_sense(sense)
    allowed = np.ones(KP.shape, dtype=bool) if Ct is None else dense(Ct) != 0
    if allowed.shape != KP.shape:
        raise InputError(f"Ct must have shape (n1, n2) = {KP.shape}, got {allowed.shape}")
    right, left = np.nonzero(allowed.T)
    return Problem(
        KP.shape, left, right, sign * KP[left, right],
        edges=Factors(ends[0], ends[1], sign * KQ), sense=sense, complete=complete, **rest,
    )  # fmt: skip


def graph_ends(name, graph, n):
    """(2, m) starts and ends of a graph given by its incidence matrices G and H."""
    G, H = (graph[key] if isinstance(graph, dict) else getattr(graph, key) for key in ("G", "H"))
    ends = []
    for key, M in (("G", G), ("H", H)):
        M = sparse.csc_array(M, copy=True)
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
    return freeze(np.array(ends, dtype=np.int32))


def loops_as_unaries(KP, KQ, edges1, edges2):
    """Return (KP, KQ) with a loop i -> i met by a loop s -> s moved to the cost of the pair
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
