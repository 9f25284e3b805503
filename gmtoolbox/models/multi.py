"""Problems of many graphs: any pair builder applied to all pairs, and a synthetic scene."""

import math
from dataclasses import replace
from itertools import combinations
from numbers import Integral

from gmtoolbox.core.checks import check_rest
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, spatial
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.text import show
from gmtoolbox.core.tracks import labels_between
from gmtoolbox.core.values import as_array, as_list, check_count, check_finite_scalar
from gmtoolbox.engine.limits import accept_rng
from gmtoolbox.models.descriptors import check_metric, pair_distances
from gmtoolbox.models.frames import frame_problem, matches_of_frames
from gmtoolbox.models.geometry import check_points, rotation
from gmtoolbox.models.patterns import PATTERNED
from gmtoolbox.models.points import MOST_EDGES, from_points, nearest_candidates

SIDE = 300.0  # of the square that 200 points of a scene lie in
CANDIDATES = 6  # nearest descriptors of each left node
DEGREE = 7.8  # neighbours of a left node
SCALE, CUT = 20.0, 4.0  # an edge costs min(difference / SCALE, CUT) - 1


def multi_from_points(points, *, pair=from_points, unary=0.0, truth=None, name="", **options):
    """Many point sets, every two of them joined by a pair builder.

    Without options sets in the plane or in space are matched by the pattern of their neighbours,
    whatever their rotation, also if they bend and if points are missing or added: from_points with
    geometry="local". Two sets that differ too much are matched through a third one. A set without
    enough agreement gets the default of from_points, as do all sets of other dimensions: it
    compares distances alone, which fails if points are missing or added. In space those are mirror
    images, and sets with fewer than eight points in common. For them give a pair= that calls
    from_points with the candidates= that are near after a registration.

    Parameters
    ----------
    points : sequence of arrays (n_g, dimensions)
    pair : callable
        pair(P, Q, **options) -> Problem, e.g. `models.from_points`.
    unary : float
        Added to the cost of every match. If no cost is positive, every outlier is matched; a
        positive unary makes only good matches pay.
    truth : d int arrays, optional
        True track of each point, -1 = none.
    name : str
    **options
        For the pair builder.

    Returns
    -------
    MultiProblem

    Examples
    --------
    >>> import numpy as np
    >>> import gmtoolbox as gm
    >>> first = np.array([[0, 0], [4, 0], [0, 3.0], [5, 5]])
    >>> frames = [first + shift for shift in range(3)]
    >>> m = gm.models.multi_from_points(frames, both=True, width=1.0)
    >>> r = gm.gm_solve_multi(m)
    >>> r.status, [own.tolist() for own in r.tracks]
    ('optimal', [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
    """
    points = check_sets("points", points)
    unary = check_finite_scalar("unary", unary)
    if not callable(pair):
        raise InputError(f"pair must be a function that builds a Problem, got {show(pair)}")
    if pair is from_points:
        check_total(points, options)
    by_pattern = pair is from_points and not options and points[0].shape[1] in PATTERNED
    matches = matches_of_frames(points) if by_pattern else {}
    pairs = {}
    for g, h in combinations(range(len(points)), 2):
        problem = frame_problem(points[g], points[h], matches[g, h]) if by_pattern else None
        if problem is None:
            chosen = {"geometry": "length"} if by_pattern else options
            problem = pair(points[g], points[h], **chosen)
        cost = problem.cost + unary if unary else problem.cost
        pairs[g, h] = replace(problem, complete=False, cost=cost)
    return MultiProblem(pairs, truth=truth, points=points, name=name)


def check_total(points, options):
    """InputError if from_points would make more edges than memory holds, over all pairs of sets."""
    if options.keys() & {"candidates", "F1", "geometry"}:
        return
    k = options.get("k") if isinstance(options.get("k"), Integral) else math.inf
    # k of n labels are candidates of a node: (k / n)^2 of the pairs of edges are left
    share = [min(1.0, k / max(1, len(own))) ** 2 for own in points]
    n_edges = [
        [edge_count(options.get(name), len(own)) for own in points] for name in ("edges1", "edges2")
    ]
    total = (1 + options.get("both", True)) * sum(
        n_edges[0][g] * n_edges[1][h] * share[h] for g, h in combinations(range(len(points)), 2)
    )
    if total > MOST_EDGES:
        raise InputError(
            f"{len(points)} sets of up to {max(map(len, points))} points would make about"
            f" {total:.1e} edges, {16 * total / 1e9:.0f} GB: leave the options out, or give"
            " a small k= or edges1='delaunay', edges2='delaunay'"
        )


def edge_count(edges, n):
    """Return about how many edges a graph over n points has."""
    if edges is None or isinstance(edges, str):
        return n * (n - 1) // 2 if edges == "full" else 3 * n
    return len(edges)


def from_feature_sets(
    features, *, candidates=CANDIDATES, metric=None, points=None, unary=0.0, name="", **rest
):
    """Descriptors of many images: a match costs the distance of its descriptors minus a threshold.

    Parameters
    ----------
    features : sequence of arrays (n_g, dimensions)
        One row for each keypoint.
    candidates : int
        Number of nearest keypoints of the other image to which each keypoint may be matched.
    metric : "euclidean", "cosine" or "hamming", optional
        How descriptors are compared; default as in from_points.
    points : sequence of arrays (n_g, 2), optional
        Coordinates: neighbouring keypoints then prefer matches that move alike (see worms_multi).
    unary : float
        Added to the cost of every match. By default a match pays if it is closer
        than the median distance of each keypoint's nearest candidate and its last one.
    name : str
    **rest
        truth, names: see MultiProblem.

    Returns
    -------
    MultiProblem

    Examples
    --------
    >>> import numpy as np
    >>> import gmtoolbox as gm
    >>> rng = np.random.default_rng(0)
    >>> scene = rng.normal(size=(5, 8))
    >>> images = [scene + 0.1 * rng.normal(size=(5, 8)) for _ in range(3)]
    >>> r = gm.gm_solve_multi(gm.models.from_feature_sets(images))
    >>> [own.tolist() for own in r.tracks]
    [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]
    """
    check_rest(from_feature_sets, rest, "truth", "names")
    unary, candidates = check_finite_scalar("unary", unary), check_count("candidates", candidates)
    features = as_list("features", features)
    features = [as_array(f"features[{g}]", own) for g, own in enumerate(features)]
    check_sets("features", features)
    if points is not None:
        points = check_sets("points", points)
    pairs = {}
    for g, h in combinations(range(len(features)), 2):
        chosen = check_metric(metric, features[g], features[h])
        k = min(candidates, len(features[h]))
        near = nearest_candidates(features[g], features[h], k, chosen)
        if chosen == "euclidean":
            unlike = descriptor_distances(features[g], features[h], near)
        else:
            unlike = pair_distances(features[g], features[h], *near.T, chosen)
        by_node = unlike.reshape(len(features[g]), -1)
        threshold = np.median((by_node.min(axis=1) + by_node.max(axis=1)) / 2)
        edges = ((), (), ())
        if points is not None:
            edges = displacement_edges(points[g], points[h], near)
        shape = (len(features[g]), len(features[h]))
        pairs[g, h] = Problem(shape, *near.T, unlike - threshold + unary, *edges)
    return MultiProblem(pairs, points=points, name=name, **rest)


def check_sets(name, sets):
    """Two or more arrays (n_g, dimensions)."""
    sets = as_list(name, sets)
    sets = tuple(check_points(f"{name}[{g}]", own) for g, own in enumerate(sets))
    if len(sets) < 2:
        raise InputError(f"{name} must hold at least two sets, got {len(sets)}")
    return sets


@accept_rng
def worms_multi(d=10, m=60, seed=0, true_allowed=True):
    """One scene of m points seen d times, in the shape of worms.

    m points uniform in a square, 8-dimensional normal descriptors. Each graph keeps a point with
    probability 0.8, turns, scales, shifts and jitters it, adds noise to the descriptors
    and 10 % clutter. Candidates are the 6 nearest descriptors of each left node, at 2 distance - 6;
    edges join the shortest left pairs and compare displacements.

    Parameters
    ----------
    d : int
        Number of graphs.
    m : int
        Points of the scene.
    seed : int
        The same seed gives the same problem.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once.
    true_allowed : bool
        The true partner is always among the candidates.

    Returns
    -------
    MultiProblem
        With points and truth; costs have three decimals.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.synth.worms_multi(d=3, m=10).d
    3
    """
    if not 2 <= d <= 1000 or not 8 <= m <= 100_000:
        raise InputError(f"d must be in 2..1000 and m in 8..100000, got {d} and {m}")
    rng = np.random.default_rng([seed, d, m])
    side = SIDE * np.sqrt(m / 200)
    scene, descriptors = rng.uniform(0, side, (m, 2)), rng.normal(size=(m, 8))
    views = [view(rng, scene, descriptors, side) for _ in range(d)]
    points, features, truth = zip(*views, strict=True)
    pairs = {}
    for g, h in combinations(range(d), 2):
        near = nearest_candidates(features[g], features[h], min(CANDIDATES, len(features[h])))
        if true_allowed:
            allow_true(near, truth[g], truth[h])
        unlike = descriptor_distances(features[g], features[h], near)
        a, b, cost = displacement_edges(points[g], points[h], near)
        cost = np.round(cost, 3)
        kept = cost != 0
        shape = (len(points[g]), len(points[h]))
        unary = np.round(2 * unlike - 6, 3)
        pairs[g, h] = Problem(shape, *near.T, unary, a[kept], b[kept], cost[kept])
    name = f"worms-d{d}-n{m}-{seed}"
    return MultiProblem(pairs, truth=truth, points=tuple(np.round(p, 3) for p in points), name=name)


def descriptor_distances(F1, F2, near):
    """Distance of the two descriptors of each candidate (i, s) in `near`."""
    return np.linalg.norm(F1[near[:, 0]].astype(float) - F2[near[:, 1]], axis=1)


def allow_true(near, left, right):
    """Replace the last candidate by the true partner if it is not among them."""
    labels = near[:, 1].reshape(len(left), -1)  # a view: nearest first
    for i, s in enumerate(labels_between([left, right], 0, 1)):
        if s >= 0 and s not in labels[i]:
            labels[i, -1] = s


def view(rng, scene, descriptors, side):
    """(points, descriptors, true tracks) of one graph, in random order."""
    m = len(scene)
    kept = np.flatnonzero(rng.random(m) < 0.8)
    turn = rotation(rng.normal(0, 0.1))
    moved = scene[kept] @ turn.T * rng.uniform(0.95, 1.05) + rng.normal(0, 10, 2)
    n_clutter = int(0.1 * m)
    points = np.concatenate(
        [moved + rng.normal(0, 6, moved.shape), rng.uniform(0, side, (n_clutter, 2))]
    )
    seen = descriptors[kept] + rng.normal(0, 0.6, (len(kept), 8))
    features = np.concatenate([seen, rng.normal(size=(n_clutter, 8))])
    truth = np.concatenate([kept, np.full(n_clutter, -1)])
    order = rng.permutation(len(points))
    return points[order], features[order], truth[order]


def displacement_edges(P, Q, near):
    """(a, b, cost) of edges between candidates of neighbouring left points: how far the two
    displacements differ, cut off; near: (n1 k, 2) candidates, k for each left point.
    """
    n1 = len(P)
    k = len(near) // n1
    wanted = round(DEGREE * n1 / 2)
    around = min(n1, 40)
    distance, other = spatial.cKDTree(P).query(P, around)
    i, j = np.repeat(np.arange(n1), around), np.ravel(other)
    ordered = i < j
    close = np.argsort(np.ravel(distance)[ordered], kind="stable")[:wanted]
    i, j = i[ordered][close], j[ordered][close]
    grid = np.arange(k)
    a = (i[:, None, None] * k + grid[:, None] + 0 * grid).ravel()
    b = (j[:, None, None] * k + 0 * grid[:, None] + grid).ravel()
    allowed = near[a, 1] != near[b, 1]
    a, b = a[allowed], b[allowed]
    across = (P[near[a, 0]] - P[near[b, 0]]) - (Q[near[a, 1]] - Q[near[b, 1]])
    return a, b, np.minimum(np.linalg.norm(across, axis=1) / SCALE, CUT) - 1
