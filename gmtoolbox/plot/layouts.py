"""Positions of the nodes of graphs without coordinates."""

from gmtoolbox.core.lazy import csgraph, np, sparse

ROUNDS = 150  # of stress majorisation
EXACT = 250  # nodes up to which all shortest paths count
PIVOTS = 60  # nodes from which shortest paths are measured in larger graphs


def layout(linked):
    """Return an (n, 2) array of points whose distances are close to the lengths of shortest paths.

    linked  (n, n) matrix, dense or sparse: which nodes are joined
    """
    n = linked.shape[0]
    if n < 2:
        return np.zeros((n, 2))
    linked = sparse.csr_array(linked, dtype=float)
    return stress_layout(linked) if n <= EXACT else pivot_layout(linked)


def stress_layout(linked):
    """Return points by stress majorisation, from points on a circle (de Leeuw 1977)."""
    n = linked.shape[0]
    D = finite(csgraph.shortest_path(linked, directed=False, unweighted=True))
    turn = 2 * np.pi * np.arange(n) / n
    X = D.max() / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
    W = np.where(D > 0, 1.0 / np.maximum(D, 1e-9) ** 2, 0.0)
    inverse = np.linalg.pinv(np.diag(W.sum(axis=1)) - W)
    for _ in range(ROUNDS):
        apart = np.linalg.norm(X[:, None] - X, axis=2)
        B = -W * D / np.maximum(apart, 1e-9)
        np.fill_diagonal(B, 0.0)
        B -= np.diag(B.sum(axis=1))
        X = inverse @ B @ X
    return X


def pivot_layout(linked):
    """Return points by the two largest components of the doubly centred squared distances to some
    pivots, each as far from the others as possible (Brandes and Pich 2006).
    """
    n = linked.shape[0]
    pivot, rows = int(np.diff(linked.indptr).argmax()), []
    nearest = np.full(n, np.inf)
    for _ in range(min(PIVOTS, n)):
        row = csgraph.shortest_path(linked, directed=False, unweighted=True, indices=pivot)
        rows.append(row)
        nearest = np.minimum(nearest, row)
        pivot = int(np.where(np.isfinite(nearest), nearest, n).argmax())
    C = finite(np.array(rows).T) ** 2
    C = -0.5 * (C - C.mean(axis=0) - C.mean(axis=1)[:, None] + C.mean())
    _, _, axes = np.linalg.svd(C, full_matrices=False)
    X = C @ axes[:2].T
    spread = np.random.default_rng(0).standard_normal(X.shape)  # leaves of one node have one place
    return X / np.maximum(np.abs(X).max(axis=0), 1e-9) + 0.004 * spread


def finite(D):
    """Return distances in which parts that are not joined are a little farther than all others."""
    known = np.isfinite(D)
    return np.where(known, D, 1.0 + max(D[known].max(), 1.0))


def joint_layout(shape, edges, labels):
    """Return the points of two matched graphs: matched nodes have one place, in one layout of both
    graphs together.

    shape   (n1, n2)
    edges   two (m, 2) arrays
    labels  the label of each left node, -1 if it has none
    """
    n1, n2 = shape
    at2 = np.full(n2, -1)
    for i, s in enumerate(labels):
        if s >= 0:
            at2[s] = i
    at2[at2 < 0] = n1 + np.arange(np.count_nonzero(at2 < 0))
    count = max(n1, int(at2.max(initial=-1)) + 1)
    ends = np.concatenate([edges[0], at2[edges[1]] if len(edges[1]) else edges[1]])
    linked = sparse.coo_array((np.ones(len(ends)), ends.T), shape=(count, count)).tocsr()
    points = layout(linked + linked.T)
    return points[:n1], points[at2]
