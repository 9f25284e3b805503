"""Costs of candidate matches from the expected positions of points and their descriptors.

A motion is estimated from reliable matches (inliers.py; a homography or fundamental matrix on top
of it in robust.py). It predicts the place m_i and the spread s_i of every left point i. Both terms
of a candidate's cost are logarithms of likelihood ratios, correct match against chance:

    c_is = MATCH - log(area ((1 - e) N(q_s; m_i, s_i) + e background)) - unary log(f / g) - k_is / 2

N is the normal density. The background is uniform, or, with a fundamental matrix, uniform along the
epipolar line of i and normal across it. f and g are the densities of the descriptor distance d_is
among correct and among other candidates: normal, fitted to the candidates of reliable matches. k_is
is the gain of keypoints whose angle and size agree with the motion (turns.py).
"""

from dataclasses import dataclass

import gmtoolbox.models.geometry as geo
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_finite_scalar
from gmtoolbox.models.inliers import (
    inlier_chances,
    least_spread,
    normal,
    picture_area,
    predict,
)
from gmtoolbox.models.robust import fit_model, line_distance, move_points
from gmtoolbox.models.turns import match_turns, turn_gain

UNARY = 0.5  # weight of the descriptors
TURN = 0.5  # weight of angles and sizes
TOLERANCE = 0.2  # of log length and of the angle in radians
GLOBAL = 0.3  # share of votes that one similarity must have to be the similarity of all
MATCH = 4.5  # cost of a match without evidence, in units of a perfect agreement of neighbours
WORST = 4.0  # least logarithm of the likelihood ratio of a distance
OFF = 0.02  # share of correct matches that are not at their expected position
LEAST = 8  # an estimate needs this many correct matches
HOPELESS = 6.0  # cost from which on a candidate is left out: that of six perfect agreements
PARAMETRIC = ("homography", "epipolar")


@dataclass
class Motion:
    """Estimate of how points move from the first picture to the second.

    Parameters
    ----------
    prediction : Prediction
        For all points of the first picture.
    area : float
        Of the second picture.
    matches : (m, 2) array
        The reliable matches that the estimate rests on.
    chance : (m,) array
        Chance of each of them to be correct.
    kind : str
        "local", "homography" or "epipolar".
    model : (3, 3) array or None
        The homography or fundamental matrix.
    model_spread : float
        Standard deviation of correct matches from that model.
    """

    prediction: object
    area: float
    matches: object
    chance: object
    kind: str = "local"
    model: object = None
    model_spread: float = 0.0


def estimate_motion(P, Q, matches, kind="local", known=0):
    """Return the Motion that the matches (m, 2) agree on, or None if fewer than LEAST do.

    The first `known` matches are correct.
    """
    if len(matches) < LEAST:
        return None
    p, q = P[matches[:, 0]], Q[matches[:, 1]]
    chance, spread = inlier_chances(p, q, known)
    if (chance > 0.5).sum() < LEAST:
        return None
    area = picture_area(Q)
    least = least_spread(area, Q.shape[1])
    model, model_spread = None, 0.0
    if kind in PARAMETRIC:
        model, model_spread = fit_model(kind, p, q, chance, max(spread, least))
    correct = np.flatnonzero(chance > 0.5)
    own = np.full(len(P), -1)
    own[matches[correct, 0]] = correct
    prediction = predict(p, q, chance * (chance > 0.5), P, skip=own)
    around = np.sqrt(spread * np.maximum(prediction.spread, spread / 2))
    prediction.spread = np.maximum(around, least / 2)
    if kind == "homography":
        prediction.place = move_points(model, P)
        prediction.spread = np.full(len(P), max(model_spread, least / 2))
    return Motion(prediction, area, matches, chance, kind, model, model_spread)


def position_gain(motion, P, Q, left, right):
    """Return log(area * density of q_s at the expected position of i) of each candidate."""
    expected = motion.prediction
    off = np.linalg.norm(expected.place[left] - Q[right], axis=1)
    background = np.ones(len(left))
    if motion.kind == "epipolar":
        across = line_distance(motion.model, P[left], Q[right])
        spread = max(motion.model_spread, least_spread(motion.area, 2))
        # a strip of that width and about sqrt(area) long holds the same mass as the picture
        strip = np.exp(-0.5 * (across / spread) ** 2) / (np.sqrt(2 * np.pi) * spread)
        background = OFF + strip * np.sqrt(motion.area)
    near = motion.area * normal(off, expected.spread[left], Q.shape[1])
    return np.log((1 - OFF) * near + OFF * background)


def descriptor_gain(distance, left, right, motion):
    """Return log(f / g) of each candidate's distance; 0 if the distances do not differ."""
    chance = candidate_chances(left, right, motion)
    known = np.isfinite(chance)
    d, w = distance[known], chance[known]
    centre, spread = [], []
    for weight in (w, 1 - w):
        if weight.sum() < 2:
            return np.zeros(len(distance))
        centre.append((weight * d).sum() / weight.sum())
        spread.append(np.sqrt((weight * (d - centre[-1]) ** 2).sum() / weight.sum()))
    least = 1e-3 * np.abs(d).max()
    if min(spread) <= least or centre[0] >= centre[1]:
        return np.zeros(len(distance))
    d = np.maximum(distance, centre[0])  # more alike than usual is not less likely
    one, other = ((d - c) / s for c, s in zip(centre, spread, strict=True))
    return np.maximum(0.5 * other**2 - 0.5 * one**2 + np.log(spread[1] / spread[0]), -WORST)


def candidate_chances(left, right, motion):
    """Return the chance of each candidate: of the reliable ones theirs, of other candidates of
    correctly matched nodes 0, of the rest NaN.
    """
    n2 = int(max(right.max(), motion.matches[:, 1].max())) + 1
    key, reliable = left * n2 + right, motion.matches @ [n2, 1]
    order = np.argsort(reliable)
    found = order[np.minimum(np.searchsorted(reliable[order], key), len(order) - 1)]
    of_node = np.zeros(int(max(left.max(), motion.matches[:, 0].max())) + 1)
    np.maximum.at(of_node, motion.matches[:, 0], motion.chance)
    others = np.where(of_node[left] > 0.5, 0.0, np.nan)
    return np.where(reliable[found] == key, motion.chance[found], others)


def guided_costs(P, Q, left, right, distance, turn, motion, unary):
    """Return the cost of each candidate."""
    gain = position_gain(motion, P, Q, left, right)
    if turn is not None:
        chance = candidate_chances(left, right, motion)
        gain = gain + TURN * turn_gain(turn - motion.prediction.turn[left], chance)
    evidence = MATCH
    if P.shape[1] == 3:  # few points in space: fewer of them can be at a place by chance
        evidence = min(MATCH, np.log(min(len(P), len(Q))))
    return evidence - gain - unary * descriptor_gain(distance, left, right, motion)


def guided_edges(Q, left, right, graph, motion, tolerance):
    """Return (a, b, cost) of neighbours whose displacement is the expected one."""
    return geo.similarity_edges(motion.prediction.place, Q, left, right, graph, 0j, tolerance)


def join_candidates(
    P, Q, left, right, distance, unit, reliable, *,
    geometry, tolerance, edges, unary, unmatched, known=0, frames=None,
):  # fmt: skip
    """Return (left, right, cost, graph over the left points, (a, b, cost) of the edges).

    geometry: "vote" (a motion if the reliable matches agree on one, else one similarity or local
    ones), "motion" (or an error), "homography", "epipolar", "similarity", "affine", "local",
    "length" or "none". Without a motion a match costs unary * distance / unit. edges: (name, "knn"
    or pairs, see check_edges).
    The first `known` of the reliable matches are correct and stay candidates. frames: those of the
    points of both pictures (turns.py), or None.
    """
    unary, unmatched = (
        check_finite_scalar(name, value)
        for name, value in (("unary", unary), ("unmatched", unmatched))
    )
    motion = None
    if geometry in ("vote", "motion", *PARAMETRIC):
        kind = geometry if geometry in PARAMETRIC else "local"
        motion = estimate_motion(P, Q, reliable, kind, known)
    if motion is None:
        if geometry in ("motion", *PARAMETRIC):
            shown = "local" if geometry == "motion" else geometry
            raise InputError(
                f"geometry={shown!r} needs at least {LEAST} reliable matches whose neighbours"
                " agree: fewer do"
            )
        cost = unary * distance / unit - unmatched
    else:
        turn = match_turns(frames, left, right)
        cost = guided_costs(P, Q, left, right, distance, turn, motion, unary) - unmatched
        kept = (cost < HOPELESS) | np.isin(left, reliable[:known, 0])
        kept |= not kept.any()
        left, right, cost = left[kept], right[kept], cost[kept]
    graph = graph_over_candidates(*edges, P, left)
    if geometry in ("length", "none"):
        pairs = (), (), ()
    elif motion is not None:
        pairs = guided_edges(Q, left, right, graph, motion, tolerance)
    else:
        pairs = agreeing_edges(P, Q, left, right, graph, reliable, geometry, tolerance)
    return left, right, cost, graph, pairs


def graph_over_candidates(name, edges, P, left):
    """Return (m, 2) pairs of neighbours; a kind of graph joins points with candidates only."""
    if not isinstance(edges, str):
        return geo.check_edges(name, edges, P)
    nodes = np.unique(left)
    return nodes[geo.check_edges(name, edges, P[nodes])]


def agreeing_edges(P, Q, left, right, graph1, reliable, geometry, tolerance):
    """Return (a, b, cost) of neighbours that agree with a similarity or affinity (geometry.py)."""
    log_z0, share = geo.global_similarity(P, Q, reliable, tolerance)
    if geometry == "vote":
        geometry = "similarity" if share >= GLOBAL else "local"
    if geometry == "local":
        log_z0 = geo.local_similarities(P, Q, reliable, tolerance)
    elif geometry == "affine":
        P, log_z0 = P @ geo.fitted_map(P, Q, reliable, log_z0, tolerance).T, 0j
    return geo.similarity_edges(P, Q, left, right, graph1, log_z0, tolerance)
