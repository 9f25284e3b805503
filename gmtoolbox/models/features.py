"""Problems from features of nodes and edges, compared by functions of the caller."""

from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest, refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.factors import from_factors
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.matrix import check_mask
from gmtoolbox.core.values import as_array, as_reals, check_finite_scalar, stored_entries
from gmtoolbox.engine.limits import with_one_thread


@with_one_thread
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
    return as_reals("F1", F1) @ as_reals("F2", F2).T


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
    sigma = check_finite_scalar("sigma", sigma)
    if not sigma > 0:
        raise InputError(f"sigma must be positive, got {sigma!r}")

    @with_one_thread
    def affinity(F1, F2):
        F1, F2 = as_reals("F1", F1), as_reals("F2", F2)
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
    node_affinity=None,
    edge_affinity=None,
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
        Features (n1, d) and (n2, d) of the nodes. None for both: no unary affinities; the numbers
        of nodes are those of Ct, or as many as the edges name.
    edges1, edges2 : (m1, 2) and (m2, 2) index pairs, optional
        The edges of the two graphs, of both or of none. Undirected ones are listed once.
    edge_features1, edge_features2 : array_like, optional
        A row for each edge, of both graphs or of none; ones if not given.
    node_affinity, edge_affinity : callable, optional
        function(features1, features2) -> (n1, n2) or (m1, m2) matrix, dense or sparse;
        inner_product (the default) and gaussian(sigma) are here.
    Ct : (n1, n2) 0/1 matrix, optional
        The allowed pairs.
    directed : bool
        Whether edge (i, j) is compared with (s, t) only, not with (t, s). Either way a kept edge
        counts its affinity once, and a self loop too.
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
    check_rest(from_features, rest, *DESCRIBING, *PLACES)
    for name, one, other in (
        ("nodes", nodes1, nodes2),
        ("edges", edges1, edges2),
        ("edge_features", edge_features1, edge_features2),
    ):
        if (one is None) != (other is None):
            raise InputError(f"{name}1 and {name}2 go together: give both or none")
    if nodes1 is None and node_affinity is not None:
        raise InputError("node_affinity compares nodes1 and nodes2, which are None")
    for name, given in (("edge_affinity", edge_affinity), ("edge_features1", edge_features1)):
        if edges1 is None and given is not None:
            raise InputError(f"{name} goes with edges1 and edges2, which are None")
    refuse_unused(
        "goes with edges1 and edges2, which are None", directed=directed and edges1 is None
    )
    if nodes1 is None:
        KP = np.zeros(named_shape(edges1, edges2, Ct))
    else:
        compare = inner_product if node_affinity is None else node_affinity
        KP = check_affinity(
            "node_affinity", compare, as_array("nodes1", nodes1), as_array("nodes2", nodes2)
        )
    n1, n2 = KP.shape
    ends1, ends2 = (
        ends(name, edges, n, directed)
        for name, edges, n in (("edges1", edges1, n1), ("edges2", edges2, n2))
    )
    given = [
        features_of(name, F, len(e))
        for name, F, e in (
            ("edge_features1", edge_features1, ends1),
            ("edge_features2", edge_features2, ends2),
        )
    ]
    if len(ends1) and len(ends2):
        compare = inner_product if edge_affinity is None else edge_affinity
        KQ = check_affinity("edge_affinity", compare, *given)
    else:
        KQ = np.zeros((len(ends1), len(ends2)))
    if not directed:  # every right edge in both directions: {i, j} goes with s, t and with t, s
        back = np.flatnonzero(ends2[:, 0] != ends2[:, 1])
        ends2 = np.concatenate([ends2, ends2[back, ::-1]])
        KQ = sparse.csc_array(KQ) if sparse.issparse(KQ) else KQ
        KQ = (sparse.hstack if sparse.issparse(KQ) else np.hstack)([KQ, KQ[:, back]])
    return from_factors(
        KP, KQ, incidence(ends1, n1), incidence(ends2, n2), Ct,
        sense=sense, complete=complete, **rest,
    )  # fmt: skip


def check_affinity(name, affinity, F1, F2):
    """Return the values of the caller's function for all pairs of rows."""
    if not callable(affinity):
        raise InputError(f"{name} must be a function of two feature arrays, got {affinity!r}")
    found = affinity(F1, F2)
    found = as_reals(f"the matrix of {name}", found)
    wanted = (len(F1), len(F2))
    if found.shape != wanted:
        raise InputError(f"{name} must give a matrix of shape {wanted}, gave {found.shape}")
    if not np.all(np.isfinite(stored_entries(found))):
        raise InputError(f"{name} must give finite numbers")
    return found


def named_shape(edges1, edges2, Ct):
    """(n1, n2) without features of nodes: of Ct, or as many as the edges name."""
    if Ct is not None:
        return check_mask(Ct).shape
    if edges1 is None or not (len(edges1) and len(edges2)):
        raise InputError("give nodes1 and nodes2, or edges1 and edges2, or Ct: nothing has a size")
    return tuple(int(np.max(edges)) + 1 for edges in (edges1, edges2))


def ends(name, edges, n, directed):
    """(m, 2) pairs of nodes, checked."""
    if edges is None or not len(edges):
        return np.empty((0, 2), np.int64)
    edges = as_array(name, edges)
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise InputError(f"{name} must be (m, 2) index pairs, got shape {edges.shape}")
    if edges.min() < 0 or edges.max() >= n:
        raise InputError(f"{name} must join nodes 0..{n - 1}, got {edges.max()}")
    pairs, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    if not directed and count.max() > 1:
        i, j = pairs[count.argmax()]
        raise InputError(
            f"{name} must list an undirected edge once, got {{{i}, {j}}} {count.max()} times;"
            " directed=True for arcs"
        )
    return edges.astype(np.int64)


def features_of(name, features, m):
    """Return (m, d) features of edges, ones if none are given."""
    if features is None:
        return np.ones((m, 1))
    features = as_reals(name, features)
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
