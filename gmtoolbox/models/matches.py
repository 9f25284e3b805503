"""Problems from the output of a keypoint matcher: candidates with scores, plus geometry."""

from gmtoolbox.core.checks import DESCRIBING, check_rest, refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import as_array, as_numbers, check_count
from gmtoolbox.models.descriptors import typical
from gmtoolbox.models.geometry import check_tolerance
from gmtoolbox.models.guided import PARAMETRIC, TOLERANCE, UNARY, join_candidates
from gmtoolbox.models.keypoints import keypoint_frames, plain, plane_places
from gmtoolbox.models.points import CANDIDATES

GEOMETRIES = ("auto", *PARAMETRIC, "similarity", "affine", "local", "none")


def from_matches(
    kpts0,
    kpts1,
    matches,
    scores=None,
    *,
    distances=None,
    k=CANDIDATES,
    unary=UNARY,
    unmatched=0.0,
    geometry="auto",
    tolerance=TOLERANCE,
    edges="knn",
    **rest,
):
    """Build the problem of judging the matches of any matcher; it is minimised, with free outliers.

    Costs are those of from_points with descriptors: matches are judged by the positions that their
    neighbours predict, by their distance (or 1 / score), and by the agreement of neighbours.
    Neighbours are taken among the keypoints that have a candidate.

    Parameters
    ----------
    kpts0, kpts1 : (n, 2) arrays or tensors, lists of OpenCV's KeyPoint, or kornia's frames
        The keypoints; a batch of one picture and a dictionary with "keypoints" are taken, too.
    matches : one of
        (m, 2) integer pairs; (n0,) integers, the match of each keypoint or -1 (LightGlue's
        matches0); an (n0, n1) matrix of scores, dense or sparse, whose positive entries are
        candidates (of log probabilities give np.exp); a list of OpenCV's DMatch, or of lists of
        them (knnMatch).
    scores : array, optional
        Score of each match, larger is better, positive.
    distances : array, optional
        Distance of each match, smaller is better, instead of scores.
    k : int
        Best candidates of each keypoint that are kept.
    unary, unmatched, tolerance
        As in from_points.
    geometry : "auto", "homography", "epipolar", "similarity", "affine", "local" or "none"
        As in from_points.
    edges : "knn", "delaunay", "full" or (m, 2) pairs
        Which keypoints of the first image are neighbours.
    **rest
        Further fields of the Problem: name, ground_truth.

    Returns
    -------
    Problem

    Raises
    ------
    InputError
        If the matches have none of these forms or do not fit the keypoints.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> P = [[0, 0], [9, 0], [0, 9], [9, 9], [4, 5]]
    >>> p = gm.models.from_matches(P, P, [[0, 0], [1, 1], [2, 2], [3, 3], [4, 0], [4, 4]])
    >>> gm.gm_solve(p).labels.tolist()
    [0, 1, 2, 3, 4]
    """
    check_rest(from_matches, rest, *DESCRIBING, "sense", "complete", "neighbours2")
    frames = keypoint_frames(kpts0, kpts1)
    P, Q = plane_places("kpts0", kpts0), plane_places("kpts1", kpts1)
    shape = (len(P), len(Q))
    if geometry not in GEOMETRIES:
        raise InputError(f"geometry must be one of {' '.join(GEOMETRIES)}, got {geometry!r}")
    left, right, distance = list_matches(matches, scores, distances, shape, k)
    left, right, distance = best_of_each(left, right, distance, k)
    tolerance = check_tolerance(tolerance)
    refuse_unused(
        "does not go with geometry='none'",
        tolerance=geometry == "none" and tolerance != check_tolerance(TOLERANCE),
    )
    reliable = mutual_best(left, right, distance)
    left, right, cost, graph, (a, b, value) = join_candidates(
        P, Q, left, right, distance, typical(distance, left), reliable,
        geometry="vote" if geometry == "auto" else geometry, tolerance=tolerance,
        edges=("edges", edges), unary=unary, unmatched=unmatched, frames=frames,
    )  # fmt: skip
    return Problem(
        shape, left, right, cost, a, b, value,
        points1=P, points2=Q, neighbours1=graph, **rest,
    )  # fmt: skip


def list_matches(matches, scores, distances, shape, k):
    """(left, right, distance) of the matches in any form."""
    if scores is not None and distances is not None:
        raise InputError("give scores or distances, not both")
    matches, scores, distances = plain(matches), plain(scores), plain(distances)
    if isinstance(matches, (list, tuple)) and len(matches) and is_opencv(matches):
        groups = (m if isinstance(m, (list, tuple)) else [m] for m in matches)
        flat = [match for group in groups for match in group]
        left, right = (
            np.array([getattr(m, name) for m in flat], dtype=np.int64)
            for name in ("queryIdx", "trainIdx")
        )
        if scores is None and distances is None:
            distances = np.array([m.distance for m in flat])
    elif sparse.issparse(matches) or is_score_matrix(matches, shape):
        if scores is not None or distances is not None:
            raise InputError("a matrix of scores brings its own: leave scores and distances out")
        left, right, scores = positive_scores(matches, shape, k)
    else:
        left, right, chosen = index_pairs(matches, shape)
        scores, distances = (of_chosen(values, chosen) for values in (scores, distances))
    if not len(left):
        raise InputError("matches must hold at least one candidate")
    for side, column, n in (("kpts0", left, shape[0]), ("kpts1", right, shape[1])):
        if column.min() < 0 or column.max() >= n:
            raise InputError(f"matches must point to {side} 0..{n - 1}, got {column.max()}")
    return left, right, as_distances(scores, distances, len(left))


def positive_scores(matches, shape, k):
    """(left, right, score) of a matrix; of a dense one at least the k best of each row."""
    if sparse.issparse(matches):
        table = sparse.coo_array(matches)
        left, right, scores = table.row.astype(np.int64), table.col.astype(np.int64), table.data
    else:
        table = as_array("matches", matches)
        if np.isnan(table).any():
            raise InputError("a matrix of scores must not hold NaN; give 0 for no candidate")
        least = -np.inf
        if k < table.shape[1]:
            least = np.partition(table, -k, axis=1)[:, -k, None]
        left, right = np.nonzero((table >= least) & (table > 0))
        scores = table[left, right]
    if table.shape != shape:
        raise InputError(f"a matrix of scores must be (n0, n1) = {shape}, got {table.shape}")
    kept = scores > 0
    if not kept.any():
        raise InputError(
            "a matrix of scores must have positive entries (others are no candidates); of"
            " logarithms give np.exp(scores)"
        )
    return left[kept], right[kept], scores[kept]


def of_chosen(values, chosen):
    """Return the values of the chosen entries, if there is one for every entry."""
    if values is None or len(as_array("scores", values).ravel()) != len(chosen):
        return values
    return np.ravel(values)[chosen]


def is_opencv(matches):
    """Whether the first match is a DMatch of OpenCV, or a list of them."""
    first = next((m for m in matches if not isinstance(m, (list, tuple)) or len(m)), None)
    return hasattr(first[0] if isinstance(first, (list, tuple)) else first, "queryIdx")


def is_score_matrix(matches, shape):
    """Whether the matches are an (n0, n1) matrix of floats."""
    matches = as_array("matches", matches)
    return matches.ndim == 2 and matches.shape == shape and matches.dtype.kind == "f"


def index_pairs(matches, shape):
    """(left, right, which of the given entries are matches)."""
    matches = as_array("matches", matches)
    if not matches.size:
        raise InputError("matches must hold at least one match, got none")
    if not np.issubdtype(matches.dtype, np.integer):
        raise InputError(
            "matches must be integer pairs (m, 2), one label for each keypoint, or a float matrix"
            f" of scores (n0, n1) = {shape}, got shape {matches.shape} of {matches.dtype}"
        )
    if matches.ndim == 1 and len(matches) == shape[0]:
        chosen = matches >= 0
        return np.flatnonzero(chosen), matches[chosen].astype(np.int64), chosen
    if matches.ndim != 2 or matches.shape[1] != 2:
        raise InputError(f"matches must be pairs (m, 2), got shape {matches.shape}")
    left, right = matches.astype(np.int64).T
    return left, right, np.ones(len(left), dtype=bool)


def as_distances(scores, distances, n):
    """One positive distance for each match; without scores all are alike."""
    given = scores if scores is not None else distances
    if given is None:
        return np.ones(n)
    name = "scores" if scores is not None else "distances"
    given = as_numbers(name, given).ravel()
    if len(given) != n:
        raise InputError(f"{name} must hold one number for each of {n} matches, got {len(given)}")
    if not np.all(np.isfinite(given)) or given.min() < 0:
        raise InputError(f"{name} must be finite and not negative")
    return 1.0 / np.maximum(given, 1e-6 * max(given.max(), 1e-300)) if scores is not None else given


def best_of_each(left, right, distance, k):
    """The k best candidates of each keypoint, each pair once, sorted by left node and label."""
    k = check_count("k", k, "a positive number of candidates")
    order = np.lexsort((distance, right, left))
    left, right, distance = left[order], right[order], distance[order]
    once = np.ones(len(left), dtype=bool)
    once[1:] = (np.diff(left) != 0) | (np.diff(right) != 0)
    left, right, distance = left[once], right[once], distance[once]
    order = np.lexsort((distance, left))
    rank = np.arange(len(left)) - np.searchsorted(left[order], left[order])
    kept = np.sort(order[rank < k])
    return left[kept], right[kept], distance[kept]


def mutual_best(left, right, distance):
    """(m, 2) candidates that are the best of both of their keypoints."""
    best = np.zeros((2, len(left)), dtype=bool)
    for side, nodes in enumerate((left, right)):
        order = np.lexsort((distance, nodes))
        first = np.ones(len(order), dtype=bool)
        first[1:] = np.diff(nodes[order]) != 0
        best[side, order[first]] = True
    chosen = best.all(axis=0)
    return np.column_stack([left[chosen], right[chosen]])
