"""Problems from point sets, and from distances between candidate assignments."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem


def from_points(
    P,
    Q,
    *,
    edges1=None,
    edges2=None,
    candidates=None,
    width=2500.0,
    both=False,
    complete=None,
    **rest,
):
    """The study's house-sparse model of two point sets (n1, d), (n2, d): zero unaries and,
    minimised,

        c_is,jl = -exp(-(d_ij - d_sl)^2 / width)

    for i, j and s, l joined in the two graphs (edges1, edges2: (m, 2) index pairs; Delaunay
    triangulations if not given). As published, an undirected pair i < j goes with s < l only
    (points in the same order); both=True adds s > l. candidates: (N, 2) allowed pairs, all if not
    given. complete defaults to whether all pairs are allowed.
    """
    P, Q = check_points("P", P), check_points("Q", Q)
    if P.shape[1] != Q.shape[1]:
        raise InputError(f"P and Q must have the same dimension, got {P.shape[1]} and {Q.shape[1]}")
    graphs = [
        check_edges(name, edges, points)
        for name, edges, points in (("edges1", edges1, P), ("edges2", edges2, Q))
    ]
    i, j = graphs[0].T
    s, t = graphs[1].T
    if both:
        s, t = np.concatenate([s, t]), np.concatenate([t, s])
    lengths1 = np.linalg.norm(P[i] - P[j], axis=1)
    lengths2 = np.linalg.norm(Q[s] - Q[t], axis=1)
    value = -np.exp(-((lengths1[:, None] - lengths2) ** 2) / width)
    shape = (len(P), len(Q))
    left, right, position = candidate_table(shape, candidates)
    a, b = position[i[:, None], s], position[j[:, None], t]
    kept = (a >= 0) & (b >= 0)
    return Problem(
        shape, left, right, np.zeros(len(left)), a[kept], b[kept], value[kept],
        complete=candidates is None if complete is None else complete,
        points1=P, points2=Q, neighbours1=graphs[0], neighbours2=graphs[1], **rest,
    )  # fmt: skip


def delaunay_edges(points):
    """(m, 2) pairs i < j joined in the Delaunay triangulation of plane points."""
    from scipy.spatial import Delaunay, QhullError

    try:
        triangles = Delaunay(points).simplices
    except (QhullError, ValueError) as error:
        raise InputError(
            f"points have no Delaunay triangulation: {str(error).splitlines()[0]}"
        ) from error
    corners = triangles.shape[1]
    pairs = [triangles[:, [k, m]] for k in range(corners) for m in range(k + 1, corners)]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def nearest_candidates(F1, F2, k):
    """(n1 k, 2) candidate pairs: for each row of F1 its k nearest rows of F2."""
    from scipy.spatial import cKDTree

    F1, F2 = check_points("F1", F1), check_points("F2", F2)
    if not 1 <= k <= len(F2):
        raise InputError(f"k must be in 1..{len(F2)}, got {k}")
    if F1.shape[1] != F2.shape[1]:
        raise InputError(
            f"F1 and F2 must have the same dimension, got {F1.shape[1]} and {F2.shape[1]}"
        )
    right = cKDTree(F2).query(F1, k)[1].reshape(len(F1), -1)
    return np.column_stack([np.repeat(np.arange(len(F1)), k), right.ravel()])


def from_distances(D, candidates, shape=None, *, threshold=50.0, **rest):
    """The study's caltech model: D (N, N) distances between N candidate assignments (N, 2); zero
    unaries and, minimised,

        c_p,q = -max(threshold - D_pq, 0)       for assignments p, q that do not conflict

    An edge carries c_pq + c_qp. Partial matchings are allowed unless complete=True.
    """
    D = np.asarray(D, dtype=float)
    candidates = check_pairs("candidates", candidates)
    N = len(candidates)
    if D.shape != (N, N):
        raise InputError(f"D must be {N} x {N}, one row per candidate, got shape {D.shape}")
    if np.isnan(D).any():
        raise InputError("D must not hold NaN")
    shape = shape if shape is not None else tuple(int(n) + 1 for n in candidates.max(axis=0))
    left, right = candidates.T
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    value = -np.maximum(threshold - D[a, b], 0.0) - np.maximum(threshold - D[b, a], 0.0)
    kept = value < 0
    return Problem(shape, left, right, np.zeros(N), a[kept], b[kept], value[kept], **rest)


# ---- checks


def check_points(name, points):
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or len(points) == 0 or not np.all(np.isfinite(points)):
        raise InputError(f"{name} must be finite points (n, dimensions), got shape {points.shape}")
    return points


def check_edges(name, edges, points):
    """(m, 2) pairs i < j of a graph over the points."""
    if edges is None:
        return delaunay_edges(points)
    edges = check_pairs(name, edges)
    if edges.size and (edges.max() >= len(points) or np.any(edges[:, 0] == edges[:, 1])):
        raise InputError(f"{name} must join different points 0..{len(points) - 1}")
    return np.unique(np.sort(edges, axis=1), axis=0)


def check_pairs(name, pairs):
    pairs = np.asarray(pairs)
    if (
        pairs.ndim != 2
        or pairs.shape[1] != 2
        or not np.issubdtype(pairs.dtype, np.integer)
        or pairs.size == 0
        or pairs.min() < 0
    ):
        raise InputError(
            f"{name} must be a non-empty (N, 2) array of 0-based indices, got shape {pairs.shape}"
            f" of {pairs.dtype}"
        )
    return pairs.astype(np.int64)


def candidate_table(shape, candidates):
    """(left, right, position of each pair or -1) of the given candidates, or of all pairs."""
    position = np.full(shape, -1, dtype=np.int64)
    if candidates is None:
        right, left = (
            index.ravel() for index in np.divmod(np.arange(shape[0] * shape[1]), shape[0])
        )
    else:
        left, right = check_pairs("candidates", candidates).T
        if left.max() >= shape[0] or right.max() >= shape[1]:
            raise InputError(f"candidates must lie in {shape[0]} x {shape[1]}")
    position[left, right] = np.arange(len(left))
    return left, right, position
