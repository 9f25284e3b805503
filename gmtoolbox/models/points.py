"""Problems from point sets, with or without descriptors, and from distances between candidates."""

import gmtoolbox.models.geometry as geo
from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest, refuse_unused
from gmtoolbox.core.errors import GuessWarning, InputError, warn
from gmtoolbox.core.lazy import np, spatial
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import as_array, as_numbers, check_count, check_finite_scalar, check_flag
from gmtoolbox.models.descriptors import check_metric, nearest, pair_distances, typical
from gmtoolbox.models.geometry import (
    check_pairs,
    check_points,
    check_tolerance,
    check_two_sets,
)
from gmtoolbox.models.guided import PARAMETRIC, TOLERANCE, UNARY, join_candidates
from gmtoolbox.models.keypoints import descriptor_rows, keypoint_frames, keypoint_places
from gmtoolbox.models.patterns import PATTERNED, pattern_matches
from gmtoolbox.models.seeds import allow_with, seed_problem

CANDIDATES = 10  # labels of each node, by descriptor
MOST_EDGES = 150_000_000  # that are built at all: about 10 GB on the way
MISSING_IN_SPACE = (
    "P and Q are points in space and differ in number: give geometry='local' if points are missing"
    " or added, because the default, geometry='length', compares distances alone and fails then"
)
GEOMETRIES = ("auto", *PARAMETRIC, "similarity", "affine", "local", "length", "none")


def from_points(
    P,
    Q,
    F1=None,
    F2=None,
    *,
    edges1=None,
    edges2=None,
    candidates=None,
    k=None,
    metric=None,
    unary=UNARY,
    unmatched=0.0,
    geometry="auto",
    tolerance=TOLERANCE,
    width=None,
    both=True,
    seeds=None,
    complete=None,
    **rest,
):
    r"""Build the problem of two point sets, alone or with descriptors; it is minimised.

    With descriptors F1, F2 (SIFT, ORB, learnt ones) every node has its k nearest labels as
    candidates, and outliers stay unmatched if that is better. Mutually nearest descriptors whose
    neighbours agree predict the place :math:`m_i` of every point i, by affine maps fitted around
    it. With points :math:`q_s` of the second set as complex numbers, the costs are

    .. math::

        c_{is} = 4.5 - g_{is} - \mathrm{unary} \cdot h_{is} - r_{is} / 2 - \mathrm{unmatched}

    .. math::

        c_{is,jt} = -e^{-\left| \log z \right|^2 / 2 \tau^2}, \qquad z = \frac{q_t - q_s}{m_j - m_i}

    for neighbours i, j, where :math:`\tau` is the tolerance. A match without evidence costs 4.5, as
    much as 4.5 neighbours that agree perfectly can gain. The gains g (position) and h
    (descriptors) are logarithms of likelihood ratios, correct match against chance: of
    :math:`q_s`, given :math:`m_i` and its spread, and of the distance of the descriptors. So is r,
    of the rotation and scale between two keypoints, if P and Q have angles and sizes (lists of
    OpenCV's KeyPoint, frames of kornia); else it is 0. Candidates that cost more than their
    neighbours can gain are left out. If fewer than 8 matches agree, or with geometry "similarity",
    "affine" or "local",

    .. math::

        c_{is} = \mathrm{unary} \cdot \frac{d_{is}}{d_0} - \mathrm{unmatched}

    .. math::

        c_{is,jt} = -e^{-\left| \log z - \log z_0 \right|^2 / 2 \tau^2}, \qquad
        z = \frac{q_t - q_s}{p_j - p_i}

    where d is the distance of descriptors, :math:`d_0` its median over nearest neighbours, and
    :math:`z_0` the similarity (scale and rotation) for which most pairs of mutually nearest
    descriptors vote. Without descriptors it is the study's house-sparse model with lengths
    :math:`l` of edges and the width :math:`w`,

    .. math::

        c_{is,jt} = -e^{-(l_{ij} - l_{st})^2 / w}

    for i, j and s, t joined in the two graphs, without unary costs, and complete. The study itself
    uses width=2500, both=False.

    Parameters
    ----------
    P, Q : array_like, tensors, or lists of OpenCV's KeyPoint
        Points (n1, d) and (n2, d), one row each. Up to three rows of more than three numbers look
        like points in columns: a ShapeWarning says so.
    F1, F2 : array_like, optional
        Descriptors, one row for each point.
    edges1, edges2 : "delaunay", "knn", "full" or (m, 2) pairs
        The two graphs. Default: "delaunay"; with descriptors "knn" (6 neighbours) and "full". The
        second one goes with geometry "length" only.
    candidates : (N, 2) pairs, optional
        The allowed pairs, instead of the k nearest. Default without descriptors and k: all pairs.
    k : int, optional
        Candidates of each left node: the labels with the nearest descriptors (default 10). Without
        descriptors the nearest points, if both sets have the same coordinates (tracking).
    metric : "euclidean", "cosine" or "hamming", optional
        How descriptors are compared; hamming takes bits or packed bytes. Default: hamming for bits
        and for uint8 rows of 16, 32, 61 or 64 bytes (ORB, BRIEF, AKAZE, BRISK, FREAK), else
        euclidean; a GuessWarning says so for other bytes than SIFT's 128.
    unary : float
        Weight of the descriptors.
    unmatched : float
        Cost of leaving a left node unmatched; a larger one gives more matches.
    geometry : str
        "homography": the places :math:`m_i` by one homography, fitted robustly (flat scenes, or a
        camera that turns). "epipolar": local affinities, and the epipolar line of a fundamental
        matrix for points that they do not explain (two views of a rigid scene). "similarity": one
        :math:`z_0` for all. "local": a :math:`z_0` around each node, for several objects or
        bending; without descriptors the places :math:`m_i` from points whose neighbours have the
        same pattern, in the plane or in space, turned by any angle, and outliers stay unmatched
        ("homography" and "epipolar" likewise in the plane). "affine": one linear map for
        all. "length": the study's formula. "none": no edges.
        "auto": "length" without descriptors or off the plane (with a GuessWarning for two sets in
        space that differ in size: "local" is made for those); else local affinities, and if too few
        matches agree, "similarity" if enough votes do, else "local".
    tolerance : float or (float, float)
        Tolerance of the logarithm of lengths and of angles (radians); math.inf ignores one of them.
    width : float, optional
        Width w of the study's formula; default: the median squared length of all edges.
    both : bool
        In the study's formula: whether an edge {i, j} is compared with s, t in both orders; False:
        i < j with s < t only.
    seeds : (m, 2) pairs, optional
        Pairs known to be correct: they are matched, and they vote.
    complete : bool, optional
        Every node of the smaller side must be matched. Default: only if all pairs are allowed.
    **rest
        Further fields of the Problem: name, ground_truth, nodes1, nodes2.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> P = np.random.default_rng(0).normal(size=(12, 2))
    >>> order = np.random.default_rng(1).permutation(12)
    >>> p = gm.models.from_points(P, 5 * P[order] + 1, P, P[order])
    >>> r = gm.gm_solve(p)
    >>> print(f"{sum(order[r.labels] == np.arange(12))} of 12 correct, {r.status}")
    12 of 12 correct, optimal
    """
    check_rest(from_points, rest, *DESCRIBING, "sense", "neighbours1", "neighbours2")
    frames = None if F1 is None else keypoint_frames(P, Q)
    P, Q = check_two_sets(keypoint_places("P", P), keypoint_places("Q", Q))
    if (F1 is None) != (F2 is None):
        raise InputError("F1 and F2 go together: give descriptors of both sides or of none")
    if geometry not in GEOMETRIES:
        raise InputError(f"geometry must be one of {' '.join(GEOMETRIES)}, got {geometry!r}")
    if F1 is not None:
        F1, F2 = descriptor_rows("F1", F1), descriptor_rows("F2", F2)
    described, plane = F1 is not None, P.shape[1] == 2
    if geometry == "auto":
        geometry = "vote" if described and plane else "length"
        if P.shape[1] == 3 and len(P) != len(Q) and not described:
            warn(MISSING_IN_SPACE, GuessWarning)
    patterned = geometry == "local" and not described and P.shape[1] in PATTERNED
    if geometry not in ("length", "none") and not plane and not patterned:
        raise InputError(f"geometry={geometry!r} needs plane points, got {P.shape[1]} dimensions")
    if geometry in ("similarity", "affine") and not described:
        raise InputError(f"geometry={geometry!r} needs plane points with descriptors F1, F2")
    by_pattern = not described and geometry in ("local", *PARAMETRIC)
    unary, both = check_finite_scalar("unary", unary), check_flag("both", both)
    tolerance = check_tolerance(tolerance)
    refuse_unused(
        "goes with descriptors F1 and F2", metric=not described and metric is not None,
        unary=not described and unary != UNARY,
    )  # fmt: skip
    refuse_unused("goes without candidates", k=k is not None and candidates is not None)
    by_length, by_angle = geometry == "length", geometry not in ("length", "none")
    refuse_unused(
        "goes with geometry='length'", edges2=edges2 is not None and not by_length,
        width=width is not None and not by_length, both=not (both or by_length),
    )  # fmt: skip
    refuse_unused(
        "goes with geometry 'similarity', 'affine' or 'local'",
        tolerance=tolerance != check_tolerance(TOLERANCE) and not by_angle,
    )
    if edges1 is None:
        edges1 = "knn" if described or by_pattern else "delaunay"
    if edges2 is None:
        edges2 = "full" if described else "delaunay"
    shape = (len(P), len(Q))
    if described:
        for name, F, n in (("F1", F1, shape[0]), ("F2", F2, shape[1])):
            rows = as_array(name, F).shape[:1]
            if rows != (n,):
                raise InputError(f"{name} must have a row for each of {n} points, got {rows}")
        metric = check_metric(metric, F1, F2)
        left, right, distance, unit, reliable = described_candidates(
            F1, F2, shape, candidates, CANDIDATES if k is None else k, metric, seeds
        )
        left, right, cost, graph1, pairs = join_candidates(
            P, Q, left, right, distance, unit, reliable, geometry=geometry, tolerance=tolerance,
            edges=("edges1", edges1), unary=unary, unmatched=unmatched,
            known=0 if seeds is None else len(seeds), frames=frames,
        )  # fmt: skip
    else:
        if candidates is None and k is not None:
            candidates = nearest_candidates(P, Q, min(check_k(k), len(Q)))
        left, right = all_candidates(shape, candidates, seeds)
        cost = np.full(len(left), 0.0 - check_finite_scalar("unmatched", unmatched))
        graph1, pairs = geo.check_edges("edges1", edges1, P), ((), (), ())
        if by_pattern:
            left, right, cost, graph1, pairs = join_by_pattern(
                P, Q, left, right, seeds, geometry, tolerance, ("edges1", edges1), unmatched
            )
    rest.setdefault("neighbours1", graph1)
    if geometry == "length":
        unrestricted = isinstance(edges2, str) and edges2 == "full" and described
        graph2 = None if unrestricted else geo.check_edges("edges2", edges2, Q)
        rest.setdefault("neighbours2", graph2)
        if len(left) == shape[0] * shape[1] and graph2 is not None:
            check_size(shape, (1 + both) * len(graph1) * len(graph2))
        a, b, value = length_edges(P, Q, left, right, graph1, graph2, width, both)
    else:
        a, b, value = pairs
    every = candidates is None and not described and not by_pattern
    problem = Problem(
        shape, left, right, cost, a, b, value,
        complete=every if complete is None else complete, points1=P, points2=Q, **rest,
    )  # fmt: skip
    return problem if seeds is None else seed_problem(problem, seeds)


def check_size(shape, n_edges):
    """InputError instead of an answer that no memory holds."""
    if n_edges > MOST_EDGES:
        raise InputError(
            f"all {shape[0]} x {shape[1]} pairs as candidates would make {n_edges} edges; choose"
            " some: k=10 (the nearest by descriptors, else by position), or candidates="
        )


# ---- candidates


def check_k(k):
    """The number of candidates of a node."""
    return check_count("k", k, "a positive number of candidates")


def all_candidates(shape, candidates, seeds):
    """(left, right): all pairs, or the given ones, sorted by left node."""
    if candidates is None:
        left, right = (
            index.ravel() for index in np.divmod(np.arange(shape[0] * shape[1]), shape[1])
        )
    else:
        left, right = sort_pairs(candidates, shape).T
    return allow_with(seeds, left, right, shape)


def sort_pairs(candidates, shape):
    """Candidates by left node, then label."""
    pairs = check_pairs("candidates", candidates)
    if pairs[:, 0].max() >= shape[0] or pairs[:, 1].max() >= shape[1]:
        raise InputError(f"candidates must lie in {shape[0]} x {shape[1]}")
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def join_by_pattern(P, Q, left, right, seeds, geometry, tolerance, edges, unmatched):
    """Return the candidates and costs of join_candidates, from points with similar neighbours."""
    reliable, known = pattern_matches(P, Q), 0
    if seeds is not None:
        seeds = check_pairs("seeds", seeds)
        reliable, known = with_seeds(reliable, seeds), len(seeds)
    kind = "motion" if geometry == "local" else geometry
    return join_candidates(
        P, Q, left, right, np.ones(len(left)), 1.0, reliable, geometry=kind, tolerance=tolerance,
        edges=edges, unary=0.0, unmatched=unmatched, known=known,
    )  # fmt: skip


def with_seeds(reliable, seeds):
    """Return the seeds, then the reliable matches of other nodes."""
    return np.concatenate([seeds, reliable[~np.isin(reliable[:, 0], seeds[:, 0])]])


def described_candidates(F1, F2, shape, candidates, k, metric, seeds):
    """Return (left, right, distance) of the candidates, the unit of distances, and the (m, 2)
    reliable matches among all pairs, seeds first.
    """
    label, distance, back = nearest(F1, F2, check_k(k), metric)
    mutual = np.flatnonzero(back[label[:, 0]] == np.arange(shape[0]))
    reliable = np.column_stack([mutual, label[mutual, 0]])
    if candidates is None:
        left, right = np.repeat(np.arange(shape[0]), label.shape[1]), label.ravel()
        distance = distance.ravel()
    else:
        left, right = sort_pairs(candidates, shape).T
        distance = pair_distances(F1, F2, left, right, metric)
    unit = typical(distance, left)
    if seeds is not None:
        left, right = allow_with(seeds, left, right, shape)
        distance = pair_distances(F1, F2, left, right, metric)
        seeds = check_pairs("seeds", seeds)
        reliable = with_seeds(reliable, seeds)
    return left, right, distance, unit, reliable


# ---- edges


def length_edges(P, Q, left, right, graph1, graph2, width, both):
    """(a, b, cost) of the study's formula; graph2 None: any two labels are compared."""
    i, j = graph1.T
    length1 = np.linalg.norm(P[i] - P[j], axis=1)
    length2 = None if graph2 is None else edge_lengths(Q, graph2)
    if width is None:
        known = length1 if length2 is None else np.concatenate([length1, length2])
        width = float(np.median(known**2)) if len(known) else 1.0
        width = width if width > 0 else 1.0
    width = check_finite_scalar("width", width)
    if width <= 0:
        raise InputError(f"width must be a positive number, got {width!r}")
    if graph2 is not None and compares_edges(left, len(P), graph1, graph2):
        s, t = graph2.T
        if both:
            s, t, length2 = np.concatenate([s, t]), np.concatenate([t, s]), np.tile(length2, 2)
        value = -np.exp(-((length1[:, None] - length2) ** 2) / width)
        position = pair_position(left, right, len(Q))
        a, b = position(i[:, None], s), position(j[:, None], t)
        kept = (a >= 0) & (b >= 0)
        return a[kept], b[kept], value[kept]
    found = []
    for a, b in geo.neighbouring_candidates(left, right, len(P), graph1):
        s, t = right[a], right[b]
        kept = np.ones(len(a), bool) if both else s < t
        if graph2 is not None:
            kept &= is_joined(graph2, len(Q), s, t)
        a, b = a[kept], b[kept]
        long1 = np.linalg.norm(P[left[a]] - P[left[b]], axis=1)
        long2 = np.linalg.norm(Q[right[a]] - Q[right[b]], axis=1)
        found.append((a, b, -np.exp(-((long1 - long2) ** 2) / width)))
    if not found:
        return np.empty(0, int), np.empty(0, int), np.empty(0)
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def edge_lengths(points, edges):
    """Distance of the two ends of each edge."""
    return np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)


def compares_edges(left, n1, graph1, graph2):
    """Whether the products of the two edge lists are fewer than the pairs of candidates."""
    count = np.bincount(left, minlength=n1).astype(float)
    return 2 * len(graph1) * len(graph2) <= (count[graph1[:, 0]] * count[graph1[:, 1]]).sum()


def is_joined(edges, n, s, t):
    """Whether each pair (s, t) is among the edges, which are sorted."""
    key = edges[:, 0] * n + edges[:, 1]  # sorted, s < t
    wanted = np.minimum(s, t) * n + np.maximum(s, t)
    found = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    return key[found] == wanted if len(key) else np.zeros(len(s), bool)


def pair_position(left, right, n2):
    """(i, s) -> index of the candidate, or -1; candidates are sorted by left node, then label."""
    key = left * n2 + right

    def position(i, s):
        wanted = np.asarray(i) * n2 + s
        if key[-1] == len(key) - 1:  # all pairs
            return wanted
        found = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        return np.where(key[found] == wanted, found, -1)

    return position


def nearest_candidates(F1, F2, k, metric=None):
    """Candidates: for each row of F1 its k nearest rows of F2.

    Parameters
    ----------
    F1, F2 : array_like
        Points or descriptors, (n1, d) and (n2, d).
    k : int
        Candidates of each left node, at most n2.
    metric : "euclidean", "cosine" or "hamming", optional
        As in from_points.

    Returns
    -------
    numpy.ndarray
        (n1 k, 2) pairs (left, right), nearest first.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.models.nearest_candidates([[0.0], [5.0]], [[1.0], [4.0], [9.0]], 2).tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]
    """
    metric = check_metric(metric, F1, F2)
    given, (F1, F2) = (F1, F2), (check_points("F1", F1), check_points("F2", F2))
    k = check_k(k)
    if not 1 <= k <= len(F2):
        raise InputError(f"k must be in 1..{len(F2)}, got {k}")
    if F1.shape[1] != F2.shape[1]:
        raise InputError(
            f"F1 and F2 must have the same dimension, got {F1.shape[1]} and {F2.shape[1]}"
        )
    if metric == "euclidean":
        right = spatial.cKDTree(F2).query(F1, k)[1].reshape(len(F1), -1)
    else:
        right = nearest(*given, k, metric)[0]
    return np.column_stack([np.repeat(np.arange(len(F1)), k), right.ravel()])


def from_distances(D, candidates, shape=None, *, threshold=50.0, **rest):
    """The study's caltech model: distances between candidates; zero unaries and, minimised,

        c_p,q = -max(threshold - D_pq, 0)       for candidates p, q that do not conflict

    An edge carries c_pq + c_qp. Partial matchings are allowed unless complete=True.

    Parameters
    ----------
    D : array_like
        (N, N) distances.
    candidates : (N, 2) pairs
        The candidates (left, right).
    shape : (int, int), optional
        Numbers of left and right nodes; default: as many as the candidates name.
    threshold : float
        Distance from which on a pair costs nothing.
    **rest
        Further fields of the Problem.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> D = [[0.0, 10.0, 90.0], [10.0, 0.0, 90.0], [90.0, 90.0, 0.0]]
    >>> p = gm.models.from_distances(D, [[0, 0], [1, 1], [1, 2]])
    >>> p.edge_cost.tolist(), gm.gm_solve(p).labels.tolist()
    ([-80.0], [0, 1])
    """
    check_rest(from_distances, rest, *DESCRIBING, *PLACES, "sense", "complete")
    D = as_numbers("D", D)
    candidates = check_pairs("candidates", candidates)
    N = len(candidates)
    if D.shape != (N, N):
        raise InputError(f"D must be {N} x {N}, one row per candidate, got shape {D.shape}")
    if np.isnan(D).any():
        raise InputError("D must not hold NaN")
    shape = shape if shape is not None else tuple(int(n) + 1 for n in candidates.max(axis=0))
    threshold = check_finite_scalar("threshold", threshold)
    left, right = candidates.T
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    value = -np.maximum(threshold - D[a, b], 0.0) - np.maximum(threshold - D[b, a], 0.0)
    kept = value < 0
    return Problem(shape, left, right, np.zeros(N), a[kept], b[kept], value[kept], **rest)
