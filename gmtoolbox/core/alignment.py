"""Measures of network alignment: common edges of two graphs, and ranks of the true labels."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import csgraph, np, sparse
from gmtoolbox.core.values import as_numbers

CUTOFFS = (1, 5, 10)  # of Hits@k


def edge_measures(labels, edges1, edges2):
    """Return the measures of a matching by its common edges.

    An edge of the left graph is common if its two ends are matched to the two ends of an edge of
    the right graph. Directions and weights do not count, nor do self loops.

    Parameters
    ----------
    labels : (n1,) labels, -1 = unmatched
    edges1, edges2 : (m, 2) pairs of nodes of each graph, or None

    Returns
    -------
    dict
        With m1 left edges, m2 right edges between nodes that are matched, and k common ones:
        edge_correctness k / m1, ics k / m2, s3 k / (m1 + m2 - k), and lccc, the share of left nodes
        in the largest connected component of common edges. Empty without two graphs, or without a
        left edge.
    """
    if edges1 is None or edges2 is None:
        return {}
    labels = np.asarray(labels, dtype=np.int64)
    edges1, edges2 = simple_edges(edges1), simple_edges(edges2)
    if not len(edges1):
        return {}
    is_used = np.zeros(max(int(edges2.max(initial=-1)), int(labels.max(initial=-1))) + 1, bool)
    is_used[labels[labels >= 0]] = True
    n_induced = int(np.count_nonzero(is_used[edges2].all(axis=1)))
    images = labels[edges1]
    is_common = (images >= 0).all(axis=1)
    span = len(is_used)
    keys = images.min(axis=1) * span + images.max(axis=1)
    is_common &= np.isin(keys, edges2[:, 0] * span + edges2[:, 1])
    common = edges1[is_common]
    k = len(common)
    return {
        "edge_correctness": k / len(edges1),
        "ics": k / n_induced if n_induced else float("nan"),
        "s3": k / (len(edges1) + n_induced - k),
        "lccc": largest_component(common, len(labels)) / len(labels),
    }


def simple_edges(edges):
    """Return the distinct pairs i < j of a list of pairs."""
    edges = np.sort(np.asarray(edges, dtype=np.int64).reshape(-1, 2), axis=1)
    return np.unique(edges[edges[:, 0] < edges[:, 1]], axis=0)


def largest_component(edges, n):
    """Return the number of nodes of the largest connected component with an edge, 0 without one."""
    if not len(edges):
        return 0
    joined = sparse.coo_array((np.ones(len(edges)), edges.T), shape=(n, n))
    return int(np.bincount(csgraph.connected_components(joined, directed=False)[1]).max())


def rank_measures(scores, truth):
    """Return {"mrr": ..., "hits": {k: ...}} of scores.

    The rank of a node is the place of its true label in the order of the scores of its row, 1 for
    the highest; labels of equal score stand before it. MRR is the mean of 1 / rank, Hits@k the
    share of ranks of at most k.

    Parameters
    ----------
    scores : (n1, n2) array or sparse matrix
    truth : for each left node the tuple of its true labels, of which the best rank counts
    """
    scores = as_numbers("scores", scores.toarray() if sparse.issparse(scores) else scores)
    if scores.ndim != 2 or len(scores) != len(truth):
        raise InputError(f"scores must have a row for each of {len(truth)} nodes, got shape"
                         f" {scores.shape}")  # fmt: skip
    if np.isnan(scores).any():
        raise InputError("scores must not hold NaN")
    ranks = []
    for row, accepted in zip(scores, truth, strict=True):
        if not accepted:
            continue
        if max(accepted) >= len(row):
            raise InputError(f"scores must have a column for label {max(accepted)}, got shape"
                             f" {scores.shape}")  # fmt: skip
        ranks.append(int(np.count_nonzero(row >= row[list(accepted)].max())))
    if not ranks:
        return {}
    ranks = np.array(ranks)
    hits = {k: float(np.mean(ranks <= k)) for k in CUTOFFS}
    return {"mrr": float(np.mean(1.0 / ranks)), "hits": hits}
