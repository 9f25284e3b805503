"""Arrays of edit models: adjacency matrices, steps of paths, the matching problem of tables."""

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem


def adjacency(graph, n):
    """Sparse n x n matrix with a 1 for each place of edges of a NumberedGraph, loops left out."""
    i, j = graph.tail, graph.head
    if not graph.directed:
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
    return sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))


def paid_for(one, other, delete, insert, substitute):
    """Return the cost of a step of an edit path: `one` becomes `other`, None is nothing."""
    if other is None:
        return delete[one]
    return insert[other] if one is None else substitute(one, other)


def as_table(rows, ours, theirs):
    """Return the array of rows, one for each of ours with an entry for each of theirs."""
    return np.array(rows, float).reshape(len(ours), len(theirs))


def matching_problem(unary, ends, gain, offset, complete=False):
    """Return the Problem with these costs: +inf in `unary`: no candidate; `ends` = (i, s, j, t)
    of each pair cost. None without candidates.
    """
    n1, n2 = unary.shape
    i, s, j, t = ends
    right, left = np.nonzero(np.isfinite(unary.T))
    if len(left) == 0:
        return None
    number = np.full((n1, n2), -1)
    number[left, right] = np.arange(len(left))
    a, b = number[i, s], number[j, t]
    if len(left) < n1 * n2:
        kept = (a >= 0) & (b >= 0)
        a, b, gain = a[kept], b[kept], gain[kept]
    # sorted here, Problem has nothing to sort: its general way takes longer for a small graph
    order = np.argsort(np.minimum(a, b) * len(left) + np.maximum(a, b), kind="stable")
    a, b, gain = a[order], b[order], gain[order]
    return Problem(
        (n1, n2), left, right, unary[left, right], a, b, gain, offset=offset, complete=complete
    )
