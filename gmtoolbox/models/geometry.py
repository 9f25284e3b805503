"""Graphs over points, and how well pairs of matches agree about the geometry.

Two matches i -> s and j -> t of plane points, as complex numbers, agree with a similarity z0
(rotation and scale) as far as z = (q_t - q_s) / (p_j - p_i) does:

    cost = -exp(-((log |z/z0|)^2 / length^2 + (arg z/z0)^2 / angle^2) / 2)

In space the same formula holds for |x|^2 z = x . y + i |x ^ y|, whose angle has no sign (quotient).
z0 is the similarity that most pairs of reliable matches vote for, in all or around each left node.
An affinity is a linear map put before the comparison (fitted_map).
"""

from gmtoolbox.core.errors import InputError, ShapeWarning, phrase, warn
from gmtoolbox.core.lazy import np, spatial
from gmtoolbox.core.values import as_array, as_numbers, check_count
from gmtoolbox.engine.limits import with_one_thread

NEIGHBOURS = 6  # of each point in a kNN graph
VOTERS = 8  # neighbours among the reliable matches with which each of them votes
MODES = 100  # votes that are tried as the most common one
LOCAL_MATCHES, LOCAL_MODES = 16, 16  # the same around one node
LEAST_COST = 1e-3  # weaker agreements are not stored
FEW = 3  # points up to which a set in more dimensions looks transposed
CHUNK = 2**19  # pairs of candidates looked at together


# ---- graphs


def delaunay_edges(points):
    """The edges of the Delaunay triangulation of some points.

    Points that coincide get the same neighbours, and each other; points on a line (or a plane in
    space) are triangulated within it.

    Parameters
    ----------
    points : array_like
        (n, d).

    Returns
    -------
    numpy.ndarray
        (m, 2) pairs i < j.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.models.delaunay_edges([[0, 0], [1, 1], [2, 2]]).tolist()
    [[0, 1], [1, 2]]
    """
    points = check_points("points", points)
    distinct, first, twin = np.unique(points, axis=0, return_index=True, return_inverse=True)
    if len(distinct) == len(points):
        return triangulate(points)
    edges = first[triangulate(distinct)]
    members = [np.flatnonzero(twin.reshape(-1) == k) for k in range(len(distinct))]
    group = {int(first[k]): nodes for k, nodes in enumerate(members)}
    pairs = [
        np.stack(np.meshgrid(group[i], group[j]), -1).reshape(-1, 2) for i, j in edges.tolist()
    ]
    pairs += [full_edges(len(nodes), nodes) for nodes in members if len(nodes) > 1]
    return sort_edges(np.concatenate(pairs)) if pairs else np.empty((0, 2), np.int64)


def triangulate(points):
    """Delaunay edges of distinct points, in the space that they span."""
    if len(points) <= points.shape[1]:
        points = find_span(points)
    if points.shape[1] <= 1:
        order = np.argsort(points[:, 0] if points.shape[1] else np.arange(len(points)))
        return sort_edges(np.column_stack([order[:-1], order[1:]]))
    try:
        triangles = spatial.Delaunay(points).simplices
    except (spatial.QhullError, ValueError) as error:
        flat = find_span(points)
        if flat.shape[1] == points.shape[1]:
            raise InputError(
                f"points have no Delaunay triangulation: {str(error).splitlines()[0]}"
            ) from error
        return triangulate(flat)
    corners = triangles.shape[1]
    pairs = [triangles[:, [k, m]] for k in range(corners) for m in range(k + 1, corners)]
    return sort_edges(np.concatenate(pairs))


@with_one_thread
def find_span(points):
    """Coordinates within the line, plane, ... that the points span."""
    centred = points - points.mean(axis=0)
    _, size, axes = np.linalg.svd(centred, full_matrices=False)
    kept = size > 1e-9 * max(size.max(initial=0.0), np.finfo(float).tiny)
    return centred @ axes[kept].T


def knn_edges(points, k=NEIGHBOURS):
    """The edges between points of which one is among the k nearest of the other.

    Parameters
    ----------
    points : array_like
        (n, d).
    k : int
        Neighbours of each point.

    Returns
    -------
    numpy.ndarray
        (m, 2) pairs i < j.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.models.knn_edges([[0.0], [1.0], [3.0]], 1).tolist()
    [[0, 1], [1, 2]]
    """
    points = check_points("points", points)
    k = min(check_count("k", k), len(points) - 1)
    if k < 1:
        return np.empty((0, 2), np.int64)
    near = spatial.cKDTree(points).query(points, k + 1)[1]
    pairs = np.column_stack([np.repeat(np.arange(len(points)), k + 1), near.ravel()])
    return sort_edges(pairs[pairs[:, 0] != pairs[:, 1]])


def full_edges(n, nodes=None):
    """(m, 2) all pairs i < j of n nodes, or of the given ones."""
    pairs = np.column_stack(np.triu_indices(n, 1))
    return pairs if nodes is None else nodes[pairs]


def sort_edges(pairs):
    """The pairs with i < j, each once, sorted."""
    return np.unique(np.sort(pairs, axis=1), axis=0).astype(np.int64)


def check_edges(name, edges, points):
    """(m, 2) pairs i < j of a graph over the points: "delaunay", "knn", "full" or the pairs."""
    if isinstance(edges, str):
        if edges not in ("delaunay", "knn", "full"):
            raise InputError(
                f"{name} must be 'delaunay', 'knn', 'full' or (m, 2) pairs, got {edges!r}"
            )
        if edges == "full":
            return full_edges(len(points))
        return delaunay_edges(points) if edges == "delaunay" else knn_edges(points)
    edges = check_pairs(name, edges)
    if edges.size and (edges.max() >= len(points) or np.any(edges[:, 0] == edges[:, 1])):
        raise InputError(f"{name} must join different points 0..{len(points) - 1}")
    return sort_edges(edges)


# ---- pairs of candidates


def neighbouring_candidates(left, right, n1, edges):
    """Chunks (a, b) of candidates of the two ends of each left edge, with two different labels.

    left must be sorted.
    """
    start = np.searchsorted(left, np.arange(n1 + 1))
    count = np.diff(start)
    size = count[edges[:, 0]] * count[edges[:, 1]]
    chunk = np.cumsum(size) // CHUNK
    for part in np.split(np.arange(len(edges)), np.flatnonzero(np.diff(chunk)) + 1):
        i, j = edges[part].T
        n = size[part]
        within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        wide = np.repeat(np.maximum(count[j], 1), n)
        a = np.repeat(start[i], n) + within // wide
        b = np.repeat(start[j], n) + within % wide
        kept = right[a] != right[b]
        yield a[kept], b[kept]


def similarity_edges(P, Q, left, right, edges, log_z0, tolerance):
    """(a, b, cost) of all pairs of candidates of neighbours that agree with the similarity.

    log_z0 is one complex number, or one for each left node: then the better of the two ends counts.
    """
    p, q = numbers_of_points(P), numbers_of_points(Q)
    centre = np.exp(-np.broadcast_to(log_z0, len(P)))
    sides = (0, 1) if np.ndim(log_z0) else (0,)
    found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for ends in neighbouring_candidates(left, right, len(P), edges):
        nodes = [left[end] for end in ends]
        across1, across2 = p[nodes[1]] - p[nodes[0]], q[right[ends[1]]] - q[right[ends[0]]]
        z, known = quotient(across2, across1)
        for side in sides:
            ratio = z * centre[nodes[side]]
            close = np.flatnonzero(known & may_agree(ratio, *tolerance))
            cost = -np.exp(-0.5 * disagreement(np.log(ratio[close]), *tolerance))
            kept = cost < -LEAST_COST
            found.append((*(end[close[kept]] for end in ends), cost[kept]))
    a, b, cost = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return best_of_repeated(a, b, cost, len(left)) if len(sides) > 1 else (a, b, cost)


def may_agree(ratio, length, angle):
    """Return False if z / z0 is surely too far from 1 to be stored: cheaper than a logarithm."""
    reach = np.sqrt(-2.0 * np.log(LEAST_COST))
    longest, widest = min(reach * length, 300.0), min(reach * angle, np.pi)
    squared = ratio.real**2 + ratio.imag**2
    inside = (squared < np.exp(2 * longest)) & (squared > np.exp(-2 * longest))
    return inside & (ratio.real >= np.cos(widest) * np.sqrt(squared) - 1e-12 * np.sqrt(squared))


def best_of_repeated(a, b, cost, n):
    """Each pair once, with its least cost."""
    order = np.lexsort((cost, a * n + b))
    a, b, cost = a[order], b[order], cost[order]
    first = np.ones(len(a), dtype=bool)
    first[1:] = (np.diff(a) != 0) | (np.diff(b) != 0)
    return a[first], b[first], cost[first]


def disagreement(log_ratio, length, angle):
    """Squared distance of log z and log z0 in units of the tolerances; angles wrap."""
    turn = (log_ratio.imag + np.pi) % (2 * np.pi) - np.pi
    return (log_ratio.real / length) ** 2 + (turn / angle) ** 2


def rotation(angle):
    """2 x 2 matrix that turns by an angle."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def complex_points(points):
    """x + iy of plane points."""
    return points[:, 0] + 1j * points[:, 1]


def numbers_of_points(points):
    """Return x + iy of plane points, and points of other dimensions as they are."""
    return complex_points(points) if points.shape[1] == 2 else points


def quotient(y, x):
    """Return (z = y / x, whether it is known) of displacements: coinciding points have none.

    Off the plane z has the ratio of the lengths, and the angle between x and y, in 0 .. pi.
    """
    if np.iscomplexobj(x):
        known = (x != 0) & (y != 0)
        return np.divide(y, x, out=np.zeros_like(x), where=known), known
    squared1, squared2, along = (
        np.einsum("...d,...d->...", one, other) for one, other in ((x, x), (y, y), (x, y))
    )
    known = (squared1 != 0) & (squared2 != 0)
    across = np.sqrt(np.maximum(squared1 * squared2 - along**2, 0.0))
    return (along + 1j * across) / np.where(known, squared1, 1.0), known


# ---- the similarity that most matches vote for


def votes(P, Q, matches):
    """(log z, first match of each) of neighbouring pairs of reliable matches (m, 2)."""
    p, q = complex_points(P)[matches[:, 0]], complex_points(Q)[matches[:, 1]]
    k = min(VOTERS, len(matches) - 1)
    if k < 1:
        return np.empty(0, complex), np.empty(0, np.int64)
    near = spatial.cKDTree(P[matches[:, 0]]).query(P[matches[:, 0]], k + 1)[1]
    a, b = np.repeat(np.arange(len(matches)), k + 1), near.ravel()
    across1, across2 = p[b] - p[a], q[b] - q[a]
    known = (across1 != 0) & (across2 != 0)
    return np.log(across2[known] / across1[known]), a[known]


def global_similarity(P, Q, matches, tolerance):
    """(log z0, share of the votes that agree with it); (0, 0) without votes."""
    log_z, _ = votes(P, Q, matches)
    if not len(log_z):
        return 0j, 0.0
    tried = log_z[np.linspace(0, len(log_z) - 1, min(len(log_z), MODES)).astype(int)]
    mode = modes(log_z[None], tried[None], tolerance)[0]
    agreeing = np.exp(-0.5 * disagreement(log_z - mode, *tolerance))
    return complex(mode), float(agreeing.mean())


def local_similarities(P, Q, matches, tolerance):
    """(n1,) log z0 around each left node, from the votes of the reliable matches near it."""
    log_z, voter = votes(P, Q, matches)
    if not len(log_z):
        return np.zeros(len(P), complex)
    near = spatial.cKDTree(P[matches[:, 0]]).query(P, min(LOCAL_MATCHES, len(matches)))[1]
    near = near.reshape(len(P), -1)
    order = np.argsort(voter, kind="stable")
    start = np.searchsorted(voter[order], np.arange(len(matches) + 1))
    slots = np.minimum(start[near][..., None] + np.arange(VOTERS), start[near + 1][..., None] - 1)
    ballots = log_z[order[np.clip(slots, 0, len(order) - 1)]].reshape(len(P), -1)
    tried = ballots[:, np.linspace(0, ballots.shape[1] - 1, LOCAL_MODES).astype(int)]
    return modes(ballots, tried, tolerance)


def modes(ballots, tried, tolerance):
    """For each row the tried vote that most agree with, moved to the mean of those (mean shift)."""
    mode = np.empty(len(ballots), complex)
    for rows in np.array_split(
        np.arange(len(ballots)), max(ballots.size * tried.shape[1] // CHUNK, 1)
    ):
        part = ballots[rows]
        weight = np.stack(
            [
                np.exp(-0.5 * disagreement(part - one[:, None], *tolerance)).sum(axis=1)
                for one in tried[rows].T
            ]
        )
        mode[rows] = tried[rows][np.arange(len(rows)), weight.argmax(axis=0)]
    for _ in range(10):
        off = ballots - mode[:, None]
        weight = np.exp(-0.5 * disagreement(off, *tolerance))
        turn = (off.imag + np.pi) % (2 * np.pi) - np.pi
        mode = mode + (weight * (off.real + 1j * turn)).sum(axis=1) / weight.sum(axis=1)
    return mode


@with_one_thread
def fitted_map(P, Q, matches, log_z0, tolerance, rounds=8):
    """(2, 2) linear part of the affinity that the reliable matches agree with.

    Iteratively reweighted least squares on differences of neighbouring matches, from the similarity
    log_z0 on.
    """
    k = min(VOTERS, len(matches) - 1)
    M = np.exp(log_z0.real) * rotation(log_z0.imag)
    if k < 2:
        return M
    p, q = P[matches[:, 0]], Q[matches[:, 1]]
    near = spatial.cKDTree(p).query(p, k + 1)[1].ravel()
    first = np.repeat(np.arange(len(matches)), k + 1)
    across1, across2 = p[near] - p[first], q[near] - q[first]
    known = np.any(across1 != 0, axis=1) & np.any(across2 != 0, axis=1)
    across1, across2 = across1[known], across2[known]
    for _ in range(rounds):
        moved = across1 @ M.T
        long = np.linalg.norm(moved, axis=1) + np.linalg.norm(across2, axis=1)
        wrong = 2 * np.linalg.norm(moved - across2, axis=1) / long
        weight = np.exp(-0.5 * (wrong / (2 * max(tolerance))) ** 2) / long
        solved = np.linalg.lstsq(weight[:, None] * across1, weight[:, None] * across2, rcond=None)
        M = solved[0].T
    return M


# ---- checks


def check_points(name, points):
    """Finite (n, dimensions) points."""
    points = as_numbers(name, points)
    if not points.size:
        raise InputError(f"{name} must hold at least one point, got shape {points.shape}")
    if points.ndim != 2:
        raise InputError(f"{name} must be points (n, dimensions), got shape {points.shape}")
    finite = np.isfinite(points).all(axis=1)
    if not finite.all():
        k = int(np.argmin(finite))
        raise InputError(f"{name} must be finite points, but point {k} is {points[k].tolist()}")
    return points


def looks_turned(points):
    """Return True if the columns look like the points: few rows of many numbers."""
    return len(points) <= FEW < points.shape[1]


def check_two_sets(P, Q):
    """Check two sets of points of one dimension. If they look as if their columns were the points,
    a ShapeWarning, or the error, says so.
    """
    P, Q = check_points("P", P), check_points("Q", Q)
    turned = {name: points for name, points in (("P", P), ("Q", Q)) if looks_turned(points)}
    remedy = " and ".join(phrase(f"{name}.T", f"{name}.'", f"{name}.T") for name in turned)
    if P.shape[1] != Q.shape[1]:
        hint = f"; points are rows: give {remedy} if they are columns" if turned else ""
        raise InputError(
            f"P and Q must have the same dimension, got {P.shape[1]} and {Q.shape[1]}{hint}"
        )
    if turned:
        name, points = next(iter(turned.items()))
        n, d = points.shape
        warn(
            f"{name} ({n} x {d}) is taken as {n} points in {d} dimensions: give {remedy} if points"
            " are columns",
            ShapeWarning,
        )
    return P, Q


def check_pairs(name, pairs):
    """(N, 2) pairs of 0-based indices, at least one."""
    pairs = as_array(name, pairs)
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


def check_tolerance(tolerance):
    """(log length, angle) from one positive number or two."""
    pair = as_numbers("tolerance", tolerance)
    if pair.size not in (1, 2) or not np.all(pair > 0):
        raise InputError(f"tolerance must be positive (log length, angle), got {tolerance!r}")
    return tuple(np.broadcast_to(pair.ravel(), (2,)).tolist())
