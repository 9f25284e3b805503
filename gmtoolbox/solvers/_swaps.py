"""Local search for Koopmans-Beckmann problems by swaps of two labels, on the factors (C kernels
qap and align): see cext/src/qap.
"""

import math

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.core.lazy import np
from gmtoolbox.core.overlaps import Overlaps
from gmtoolbox.engine.kernels import drive, tolerance_of
from gmtoolbox.solvers._factors import QapFactors, links, pad_dense
from gmtoolbox.solvers._starts import first_labels

# Chosen on the QAPs of benchmarks/bench_qaplib.py and the networks of benchmarks/bench_networks.py
# One move of the dense search touches n^2 cells, one node's moves of the sparse search the links of
# its links.
SPARSE_GAIN = 20  # the dense search sees all moves at once: the sparse one must be this much less
SPARSE_SIDE = 100  # below, tables are small anyway
TABLES, DENSE_SIDE = 10, 2500  # tables of n x n numbers, and the largest n for them: 500 MB
NEXT_ATTEMPT = 0x9E3779B97F4A7C15  # added to the seed: far from those that people choose
# Without success, in a row: rounds of two swaps a node (qap), or trials (align)
PATIENCE = {"qap": 4000, "align": 200_000}


def table_gigabytes(n):
    """Return the work of the dense search."""
    return TABLES * 8e-9 * n * n


def kernel_for(factors, memory=math.inf):
    """qap: tabu search on tables of all swaps; align: iterated local search on the links."""
    n = factors.n
    if n > DENSE_SIDE or n > SPARSE_SIDE and table_gigabytes(n) > memory:
        return "align"
    if n <= SPARSE_SIDE or not (factors.are_sparse and factors.problem.edges.nonpositive):
        return "qap"
    A, B = factors.A, factors.B
    work = A.nnz / A.shape[0] * B.nnz / B.shape[0]
    return "align" if SPARSE_GAIN * work <= n * n else "qap"


def search(
    factors,
    budget,
    init,
    *,
    bound=-math.inf,
    maxiter=None,
    until=math.inf,
    patience=None,
    memory=math.inf,
    attempt=0,
    fixed=None,
):
    """Improve labels by swaps until time, patience or maxiter end it, or the bound is met.

    Parameters
    ----------
    factors : Factors
    init : labels to start from; as many nodes matched as a complete problem wants
    bound : float
        A lower bound on the cost, offset included.
    attempt : int
        Another number makes other random choices.
    fixed : (n1,) array of bool, optional
        Nodes that keep their labels, all other pairs being allowed for nothing: for the kernel
        align.
    """
    overlaps = isinstance(factors.problem.edges, Overlaps)
    name = "align" if overlaps or fixed is not None else kernel_for(factors, memory)
    n, offset, C = factors.n, factors.problem.offset, factors.C if fixed is None else None
    at = factors.square(init)
    if name == "qap":
        if C is not None:
            wide = np.zeros((n, n))
            wide[: factors.shape[0], : factors.shape[1]] = C
            C = wide
        arrays = [pad_dense(factors.A, n), pad_dense(factors.B, n)]
        borrowed = [pointer(np.ascontiguousarray(M).reshape(-1)) for M in arrays]
        struct = ffi.new("gm_qap *", {"n": n, "A": borrowed[0], "B": borrowed[1]})
        size = n * n
    else:
        borrowed, size = [], n
        overlap = factors.problem.edges.sign if overlaps else 0.0
        struct = ffi.new("gm_align *", {"n": n, "overlap": overlap})
        for side, M in ((struct.A, factors.A), (struct.B, factors.B)):
            side.n = M.shape[0]
            for field, array in zip(("start", "other", "out", "in"), links(M), strict=True):
                borrowed.append(pointer(array))
                setattr(side, field, borrowed[-1])
                size += len(array)
    if fixed is not None:
        borrowed.append(pointer(np.ascontiguousarray(fixed, np.int32)))
        struct.fixed = borrowed[-1]
    flat = None if C is None else np.ascontiguousarray(C).reshape(-1)
    struct.C = held = ffi.NULL if C is None else pointer(flat)
    options = {
        "seed": (budget.seed + attempt * NEXT_ATTEMPT) % 2**63,
        "init": pointer(at),
        "bound": bound - offset,
        "tolerance": tolerance_of(factors.problem, budget),
        "patience": PATIENCE[name] if patience is None else patience,
    }
    outcome = drive(
        name, (struct, (borrowed, held)), options, budget, maxiter, offset=offset, until=until,
        lift=factors.lift, size=size,
    )  # fmt: skip
    outcome.bound = max(outcome.bound, bound)
    outcome.extra = {"kernel": name}
    return outcome


def swap_search(problem, budget, maxiter):
    """The whole method for problems whose edges cannot be written out: any matching, improved."""
    factors = QapFactors(problem)
    return search(factors, budget, first_labels(factors), maxiter=maxiter)
