"""Affinity matrices from features of nodes and edges: the utils of pygmtools."""

from gmtoolbox.compat.pygmtools.arrays import (
    as_batch,
    as_counts,
    as_numpy,
    check_backend,
    is_tensor,
    unbatch,
    zeros_like,
)
from gmtoolbox.compat.pygmtools.missing import refuse_missing
from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

__all__ = ["build_aff_mat", "dense_to_sparse", "gaussian_aff_fn", "inner_prod_aff_fn"]
__getattr__ = refuse_missing(__name__, __all__)


def build_aff_mat(
    node_feat1,
    edge_feat1,
    connectivity1,
    node_feat2,
    edge_feat2,
    connectivity2,
    n1=None,
    ne1=None,
    n2=None,
    ne2=None,
    node_aff_fn=None,
    edge_aff_fn=None,
    backend=None,
):
    """Return the affinity matrix of two graphs, row left + n1 * right.

    Parameters
    ----------
    node_feat1, node_feat2 : (b, n1, f) and (b, n2, f), or None
        Features of nodes; all arrays may lack the batch dimension.
    edge_feat1, edge_feat2 : (b, ne1, f) and (b, ne2, f), or None
        Features of edges.
    connectivity1, connectivity2 : (b, ne1, 2) and (b, ne2, 2) integers
        First and last node of each edge.
    n1, ne1, n2, ne2 : b integers, optional
        Numbers of nodes and edges of each graph, if the arrays are padded.
    node_aff_fn, edge_aff_fn : function, optional
        From two batches of features to affinities, (b, n1, n2); by default inner products.
    backend : "numpy", "pytorch" or None

    Returns
    -------
    (b, n1 * n2, n1 * n2) or (n1 * n2, n1 * n2) array or tensor

    Examples
    --------
    >>> import numpy as np
    >>> from gmtoolbox.compat import pygmtools as pygm
    >>> weights, ends = np.array([[2.0], [3.0]]), np.array([[0, 1], [1, 0]])
    >>> K = pygm.utils.build_aff_mat(None, weights, ends, None, weights, ends)
    >>> K[0].tolist()
    [0.0, 0.0, 0.0, 4.0]
    """
    nodes = both("node_feat", node_feat1, node_feat2)
    edges = both("edge_feat", edge_feat1, edge_feat2)
    if nodes is None and edges is None:
        raise InputError("node_feat1 and node_feat2, or edge_feat1 and edge_feat2, must be given")
    ends = both("connectivity", connectivity1, connectivity2)
    if (ends is None) != (edges is None):
        raise InputError("edge_feat and connectivity of both graphs must be given together")
    refuse_unused(
        "goes with features of nodes", node_aff_fn=nodes is None and node_aff_fn is not None
    )
    by_edges = {"edge_aff_fn": edge_aff_fn, "ne1": ne1, "ne2": ne2}
    refuse_unused(
        "goes with features of edges",
        **{name: edges is None and value is not None for name, value in by_edges.items()},
    )
    first, is_batched = nodes or edges
    check_backend(backend, first[0])
    node_affinity = None if nodes is None else (node_aff_fn or inner_prod_aff_fn)(*nodes[0])
    edge_affinity = None if edges is None else (edge_aff_fn or inner_prod_aff_fn)(*edges[0])
    given = edge_affinity if node_affinity is None else node_affinity
    length = given.shape[0]
    ends = None if ends is None else [as_numpy("connectivity", part) for part in ends[0]]
    sizes = [
        node_counts(k, n, length, node_affinity, None if ends is None else ends[k - 1])
        for k, n in ((1, n1), (2, n2))
    ]
    most1, most2 = max(sizes[0]), max(sizes[1])
    K = zeros_like(given, (length, most2, most1, most2, most1))
    if edge_affinity is not None:
        lengths = [
            as_counts(f"ne{k}", n, length, edge_affinity.shape[k]) for k, n in ((1, ne1), (2, ne2))
        ]
        for b, (m1, m2) in enumerate(zip(*lengths, strict=True)):
            (i, j), (s, t) = ends[0][b, :m1].T[:, :, None], ends[1][b, :m2].T[:, None]
            place = np.broadcast_arrays(s, i, t, j)
            place = np.ravel_multi_index([part.ravel() for part in place], K.shape[1:])
            add_at(K[b].reshape(-1), place, edge_affinity[b, :m1, :m2].reshape(-1))
    K = K.reshape(length, most1 * most2, most1 * most2)
    if node_affinity is not None:
        diagonal = np.arange(most1 * most2)
        inside = node_affinity[:, :most1, :most2]
        K[:, diagonal, diagonal] = inside.swapaxes(1, 2).reshape(length, -1)
    return unbatch(K, is_batched)


def both(name, first, second):
    """Return ((arrays of both graphs with a batch dimension), whether they had one); or None."""
    if first is None and second is None:
        return None
    if first is None or second is None:
        raise InputError(f"{name}1 and {name}2 must be given together")
    (first, is_batched), (second, also) = as_batch(f"{name}1", first), as_batch(f"{name}2", second)
    if is_batched != also or first.shape[0] != second.shape[0]:
        raise InputError(f"{name}1 and {name}2 must have the same batch dimension")
    return (first, second), is_batched


def node_counts(k, counts, length, node_affinity, ends):
    """Return the numbers of nodes of graph k: given, or those of features, or those of edges."""
    most = np.iinfo(np.int64).max if node_affinity is None else node_affinity.shape[k]
    if ends is not None and ends.min(initial=0) < 0:
        raise InputError(f"connectivity{k} must name nodes from 0 on, got {ends.min()}")
    if counts is None and node_affinity is None:
        return (ends.max((1, 2)) + 1).tolist()
    counts = as_counts(f"n{k}", counts, length, most)
    if node_affinity is not None and max(counts) < most:
        raise InputError(f"n{k} must have a graph with all {most} nodes, got {counts}")
    if ends is not None and any(part.max() >= n for part, n in zip(ends, counts, strict=True)):
        raise InputError(f"connectivity{k} must name nodes below n{k}")
    return counts


def add_at(flat, places, values):
    """Add values to a flat array or tensor in place; those of one place add up (edges that are
    given twice).
    """
    if is_tensor(flat):
        whole = flat.new_zeros(0).long()  # a float32 would round places beyond 2^24
        flat.index_add_(0, whole.new_tensor(places), values)
    else:
        np.add.at(flat, places, values)


def inner_prod_aff_fn(feat1, feat2):
    """Return the inner products of two batches of features, (b, n1, n2)."""
    return feat1 @ feat2.swapaxes(-1, -2)


def gaussian_aff_fn(feat1, feat2, sigma=1.0):
    """Return exp(-|f1 - f2|^2 / sigma) of two batches of features, (b, n1, n2)."""
    distance = ((feat1[..., :, None, :] - feat2[..., None, :, :]) ** 2).sum(-1)
    return (-distance / sigma).exp() if is_tensor(distance) else np.exp(-distance / sigma)


def dense_to_sparse(dense_adj, backend=None):
    """Return (ends of edges, their weights, numbers of edges) of (b, n, n) or (n, n) matrices.

    The arrays of a batch are padded by 0 to the largest number of edges.
    """
    check_backend(backend, dense_adj)
    given, is_batched = as_batch("dense_adj", dense_adj)
    found = [np.argwhere(matrix) for matrix in as_numpy("dense_adj", given)]
    counts = [len(pairs) for pairs in found]
    ends = np.zeros((len(found), max(counts), 2), np.int64)
    weights = zeros_like(given, (len(found), max(counts), 1))
    for b, pairs in enumerate(found):
        ends[b, : counts[b]] = pairs
        weights[b, : counts[b], 0] = given[b][(pairs[:, 0], pairs[:, 1])]
    if is_tensor(given):
        ends = given.new_tensor(ends).long()
    return (
        unbatch(ends, is_batched),
        unbatch(weights, is_batched),
        counts if is_batched else counts[0],
    )
