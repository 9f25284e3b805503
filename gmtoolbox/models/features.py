"""Problems from features of nodes and edges, compared by functions of the caller."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.factors import from_factors
from gmtoolbox.core.lazy import np, sparse


def inner_product(F1, F2):
    """Inner products of all rows, as an affinity for from_features.

    Parameters
    ----------
    F1, F2 : array_like
        (n1, d) and (n2, d).

    Returns
    -------
    numpy.ndarray
        (n1, n2).

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.models.inner_product([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]]).tolist()
    [[11.0, 2.0]]
    """
    return np.asarray(F1, dtype=float) @ np.asarray(F2, dtype=float).T


def gaussian(sigma=1.0):
    """The affinity exp(-|f1 - f2|^2 / sigma) of all rows, for from_features.

    Parameters
    ----------
    sigma : float
        Positive.

    Returns
    -------
    function
        (F1, F2) -> (n1, n2) array.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.models.gaussian(1.0)([[0.0]], [[0.0], [9.0]]).round(3).tolist()
    [[1.0, 0.0]]
    """
    if not sigma > 0:
        raise InputError(f"sigma must be positive, got {sigma!r}")

    def affinity(F1, F2):
        F1, F2 = np.asarray(F1, dtype=float), np.asarray(F2, dtype=float)
        squared = (F1**2).sum(1)[:, None] + (F2**2).sum(1) - 2 * F1 @ F2.T
        return np.exp(-np.maximum(squared, 0) / sigma)

    return affinity


def from_features(
    nodes1,
    nodes2,
    edges1=None,
    edges2=None,
    edge_features1=None,
    edge_features2=None,
    *,
    node_affinity=inner_product,
    edge_affinity=inner_product,
    Ct=None,
    directed=False,
    sense="max",
    complete=True,
    **rest,
):
    """Node and edge features, compared by any vectorised functions; maximised.

        sum node_affinity_is x_is + sum edge_affinity_ef x_is x_jt  for edges e = (i,j), f = (s,t)

    Parameters
    ----------
    nodes1, nodes2 : array_like or None
        Features (n1, d) and (n2, d) of the nodes.
    edges1, edges2 : (m1, 2) and (m2, 2) index pairs, optional
        The edges of the two graphs.
    edge_features1, edge_features2 : array_like, optional
        A row for each edge; ones if not given.
    node_affinity, edge_affinity : callable
        function(features1, features2) -> (n1, n2) or (m1, m2) matrix, dense or sparse;
        inner_product and gaussian(sigma) are here.
    Ct : (n1, n2) 0/1 matrix, optional
        The allowed pairs.
    directed : bool
        Whether edge (i, j) is compared with (s, t) only, not with (t, s).
    sense, complete, **rest
        As of the Problem.

    Returns
    -------
    Problem
        With its edges kept as factors.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> F = np.eye(4)
    >>> ring = [[0, 1], [1, 2], [2, 3], [3, 0]]
    >>> p = gm.models.from_features(F, F[::-1], ring, ring)
    >>> gm.gm_solve(p).labels.tolist()
    [3, 2, 1, 0]
    """
    KP = checked("node_affinity", node_affinity, np.asarray(nodes1), np.asarray(nodes2))
    n1, n2 = KP.shape
    ends1, ends2 = ends("edges1", edges1, n1), ends("edges2", edges2, n2)
    given = [
        features_of(name, F, len(e))
        for name, F, e in (
            ("edge_features1", edge_features1, ends1),
            ("edge_features2", edge_features2, ends2),
        )
    ]
    if len(ends1) and len(ends2):
        KQ = checked("edge_affinity", edge_affinity, *given)
    else:
        KQ = np.zeros((len(ends1), len(ends2)))
    if not directed:  # every right edge in both directions: {i, j} goes with s, t and with t, s
        ends2 = np.concatenate([ends2, ends2[:, ::-1]])
        KQ = sparse.hstack([KQ, KQ]) if sparse.issparse(KQ) else np.hstack([KQ, KQ])
    return from_factors(
        KP, KQ, incidence(ends1, n1), incidence(ends2, n2), Ct,
        sense=sense, complete=complete, **rest,
    )  # fmt: skip


def checked(name, affinity, F1, F2):
    """What the caller's function says about all pairs of rows."""
    if not callable(affinity):
        raise InputError(f"{name} must be a function of two feature arrays, got {affinity!r}")
    found = affinity(F1, F2)
    found = found if sparse.issparse(found) else np.asarray(found, dtype=float)
    wanted = (len(F1), len(F2))
    if found.shape != wanted:
        raise InputError(f"{name} must give a matrix of shape {wanted}, gave {found.shape}")
    if not np.all(np.isfinite(found.data if sparse.issparse(found) else found)):
        raise InputError(f"{name} must give finite numbers")
    return found


def ends(name, edges, n):
    """(m, 2) pairs of nodes, checked."""
    if edges is None or not len(edges):
        return np.empty((0, 2), np.int64)
    edges = np.asarray(edges)
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise InputError(f"{name} must be (m, 2) index pairs, got shape {edges.shape}")
    if edges.min() < 0 or edges.max() >= n:
        raise InputError(f"{name} must join nodes 0..{n - 1}, got {edges.max()}")
    return edges.astype(np.int64)


def features_of(name, features, m):
    """(m, d) features of edges, ones where none are given."""
    if features is None:
        return np.ones((m, 1))
    features = np.asarray(features, dtype=float)
    features = features[:, None] if features.ndim == 1 else features
    if len(features) != m:
        raise InputError(f"{name} must have a row for each of {m} edges, got {len(features)}")
    return features


def incidence(edges, n):
    """{"G": starts, "H": ends} as FGM has them."""
    m = len(edges)
    one = np.ones(m), np.arange(m)
    return {
        key: sparse.csc_array((one[0], (edges[:, side], one[1])), shape=(n, m))
        for key, side in (("G", 0), ("H", 1))
    }
