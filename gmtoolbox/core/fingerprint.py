"""The identity of a problem: a hash that two problems share if and only if they are the same one.

Candidates, costs, edges, sense, complete and offset count. Names, points, neighbours and the ground
truth do not: they change no answer. Neither does the form in which a problem is stored: a dense or
sparse matrix, a file, edges that are listed or follow from Products or Factors. Candidates and
edges are hashed in their one order, a portion at a time, so that nothing of their size is made.

Edges of cost 0 and the sign of a zero do not count. Edges that could not be written out
(MAX_EDGES) are hashed in the form they have: the hash then differs from that of another form.
"""

from hashlib import sha256

from gmtoolbox.core.edges import MAX_EDGES, Listed, make_listed
from gmtoolbox.core.layers import Layers
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.overlaps import Overlaps
from gmtoolbox.core.products import Products

PORTION = 1 << 18  # entries that are hashed at once
DIGITS = 32  # hexadecimal digits of a fingerprint: 128 bits


def fingerprint(problem):
    """Return the identity of a Problem or MultiProblem, 32 hexadecimal digits.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> from scipy import sparse
    >>> from gmtoolbox.core.fingerprint import fingerprint
    >>> K = np.diag([1.0, 2.0, 3.0, 4.0])
    >>> p, q, r = map(gm.Problem.from_matrix, (K, sparse.csr_array(K), 2 * K))
    >>> fingerprint(p) == fingerprint(q), fingerprint(p) == fingerprint(r)
    (True, False)
    """
    if isinstance(problem, MultiProblem):
        pairs = [pair and fingerprint(pair) for pair in problem.pairs.values()]
        return hash_of("many graphs", list(problem.sizes), problem.sense, pairs)
    problem = problem.materialise()  # pairs that are allowed for nothing are candidates like others
    return hash_of(
        "problem",
        list(problem.shape),
        problem.sense,
        problem.complete,
        (problem.offset + 0.0).hex(),
        candidates_hash(problem.candidates),
        numbers_hash(problem.cost),
        edges_hash(problem.edges),
    )


def hash_of(*parts):
    """Return the hash of some texts, whole numbers, None and lists of these."""
    return sha256(repr(parts).encode()).hexdigest()[:DIGITS]


def numbers_hash(array):
    """Return the hash of an array of float, by its shape and content."""
    columns = Columns(np.float64)
    flat = np.asarray(array).reshape(-1)
    for begin in range(0, len(flat), PORTION):
        columns.add(flat[begin : begin + PORTION])
    return hash_of(list(np.shape(array)), columns.hash)


class Columns:
    """The hash of columns of numbers that come in portions; it does not depend on the portions."""

    def __init__(self, *types):
        self.types, self.parts, self.length = types, [sha256() for _ in types], 0

    def add(self, *columns):
        """Add the next rows."""
        self.length += len(columns[0])
        for kind, part, column in zip(self.types, self.parts, columns, strict=True):
            column = np.ascontiguousarray(column, dtype=np.dtype(kind).newbyteorder("<"))
            part.update(column + 0.0 if column.dtype.kind == "f" else column)  # no -0.0

    @property
    def hash(self):
        """The hash of everything so far."""
        return hash_of(self.length, [part.hexdigest() for part in self.parts])


# ---- the parts of a problem


def candidates_hash(candidates):
    """Return the hash of the allowed pairs, None if all are allowed."""
    n1, n2 = candidates.shape
    if len(candidates) == n1 * n2:
        return None
    columns = Columns(np.int32, np.int32)
    for begin in range(0, len(candidates), PORTION):
        portion = np.arange(begin, min(begin + PORTION, len(candidates)))
        columns.add(*candidates.pairs(portion))
    return columns.hash


def edges_hash(edges):
    """Return the hash of the edges between candidates whose order is known."""
    if not isinstance(edges, Listed) and edges.at_most > MAX_EDGES:
        return hash_of(type(edges).__name__, given_parts(edges))
    columns = Columns(np.int32, np.int32, np.float64)
    for a, b, cost in edge_portions(edges):
        if not cost.all():
            stored = np.flatnonzero(cost)
            a, b, cost = a[stored], b[stored], cost[stored]
        columns.add(a, b, cost)
    return columns.hash


def edge_portions(edges):
    """Yield (a, b, cost) of the edges in the order of Listed, a portion at a time."""
    if isinstance(edges, Products):
        yield from edges.portions(PORTION)
        return
    if not isinstance(edges, Listed):
        edges = make_listed(edges.candidates, *edges.expand())  # unlike written_out(), not kept
    for begin in range(0, len(edges), PORTION):
        portion = slice(begin, begin + PORTION)
        yield edges.a[portion], edges.b[portion], edges.cost[portion]


def given_parts(edges):
    """Return the hashes of the matrices that edges follow from, dense or sparse."""
    if isinstance(edges, Layers):
        return [given_parts(term) for term in edges.terms]
    if isinstance(edges, Overlaps):
        return [edges.sign, matrix_hash(edges.A), matrix_hash(edges.B)]
    names = ("A", "B") if isinstance(edges, Products) else ("edges1", "edges2", "KQ")
    return [matrix_hash(getattr(edges, name)) for name in names]


def matrix_hash(M):
    """Return the hash of a matrix, the same for a dense and a sparse one."""
    columns = Columns(np.int32, np.int32, np.float64)
    step = max(1, PORTION // max(1, M.shape[1]))
    M = sparse.csr_array(M) if sparse.issparse(M) else M
    for begin in range(0, M.shape[0], step):
        rows = sparse.csr_array(M[begin : begin + step])
        rows.sum_duplicates()
        rows = rows.tocoo()
        stored = np.flatnonzero(rows.data)
        columns.add(rows.row[stored] + begin, rows.col[stored], rows.data[stored])
    return hash_of(list(M.shape), columns.hash)
