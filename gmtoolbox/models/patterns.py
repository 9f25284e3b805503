"""Matches of points in the plane or in space by the pattern of their neighbours.

Neighbours a of i and b of s support the pair (i, s) if they keep their distance and turn by the
rotation t that most pairs of points agree on:

    w_is <- normalised sum_ab w_ab exp(-log^2(|z| / z0) / (2 STRETCH^2)) exp(-d^2 / (2 TURN^2))

with z = (q_b - q_s) / (p_a - p_i), d the difference of arg z and t, and z0 the ratio of the usual
distances of neighbours. Pairs that are the best of both of their points are matches. Those whose
neighbours agree (inliers.py) predict the places of all points, and the nearest points there are
matches again.

In space the first set is turned by the common rotation (space_rotation.py), and d is the angle
between the two differences. Small sets, and those whose neighbours do not agree, are matched by one
motion of all points, if it matches most of them (rigid.py), else by the matches whose neighbours
agree more. A set that is the mirror image of the other has no matches.
"""

from gmtoolbox.core.lazy import np, sparse, spatial
from gmtoolbox.models.geometry import numbers_of_points, quotient
from gmtoolbox.models.inliers import inlier_chances, lengths, predict
from gmtoolbox.models.rigid import rigid_matches
from gmtoolbox.models.space_rotation import ballots_in_space, rotation_in_space

PATTERNED = (2, 3)  # dimensions of the points
AROUND = 10  # neighbours of each point
FEWEST = {2: 3, 3: 7}  # neighbours without which there is no pattern, by dimension
STRETCH, TURN = 0.2, 0.35  # tolerances of log length and of the angle
ANGLES = 72  # bins of the rotation
WEAK = 0.05  # agreement that is not stored
ROUNDS = 15  # of support
GROWTHS = 6  # predictions
REACH = 0.5  # of a predicted place, in units of the usual distance to the nearest point
ALL_PAIRS = 250_000  # pairs of points up to which all are compared
NEARBY = 100  # beyond: labels of each point, the nearest in place
CONVINCING, FEW = 0.5, 3.0  # a motion is sure if it matches this share of n points, plus FEW / n
MANY, AGREEING = 40, 0.4  # patterns of this many points are sure if this share agrees
MIRROR = (1.0, 1.0, -1.0)
LEAST = 6  # correct matches without which there is no growth


def pattern_matches(P, Q):
    """Return (m, 2) matches of two point sets; wrong ones are among them."""
    k = min(AROUND, len(P) - 1, len(Q) - 1)
    if k < FEWEST[P.shape[1]]:
        return np.empty((0, 2), np.int64)
    (near1, across1), (near2, across2) = (neighbour_vectors(X, k) for X in (P, Q))
    usual1, usual2 = (float(np.median(lengths(across))) for across in (across1, across2))
    if usual1 == 0 or usual2 == 0:
        return np.empty((0, 2), np.int64)
    left, right = compared_pairs(P, Q)
    across1, across2 = across1 / usual1, across2 / usual2
    if P.shape[1] == 2:
        return grow(P, Q, supported_matches(P, Q, left, right, near1, near2, across1, across2))
    scale, n = usual2 / usual1, min(len(P), len(Q))
    ballots = ballots_in_space(left, right, across1, across2)
    turned = across1 @ rotation_in_space(*ballots[2:]).T
    sides = left, right, near1, near2, turned, across2
    if n >= MANY:
        bent = grow(P, Q, supported_matches(P, Q, *sides))
        if agreeing_share(P, Q, bent) >= AGREEING * n:
            return bent
    sure = CONVINCING + FEW / n
    matches, share = rigid_matches(P, Q, ballots, scale)
    if share >= sure:
        return grow(P, Q, matches)
    of_mirror = ballots_in_space(left, right, across1, across2 * MIRROR)
    if rigid_matches(P, Q * MIRROR, of_mirror, scale)[1] >= max(sure, share):
        return np.empty((0, 2), np.int64)
    if n < MANY:
        bent = grow(P, Q, supported_matches(P, Q, *sides))
    found = grow(P, Q, matches), bent
    return max(found, key=lambda one: agreeing_share(P, Q, one))


def agreeing_share(P, Q, matches):
    """Return the number of matches whose neighbours agree."""
    if len(matches) < LEAST:
        return 0.0
    return float(inlier_chances(P[matches[:, 0]], Q[matches[:, 1]])[0].sum())


def supported_matches(P, Q, left, right, near1, near2, across1, across2):
    """Return (m, 2) pairs that are the best of both of their points after rounds of support."""
    k = near1.shape[1]
    found = [
        agreeing_neighbours(left, right, near1, near2, across1, across2, part)
        for part in np.array_split(np.arange(len(left)), max(len(left) * k * k >> 20, 1))
    ]
    pair, a, b, length, angle = (np.concatenate(column) for column in zip(*found, strict=True))
    turn = common_rotation(pair, length, angle, len(left)) if P.shape[1] == 2 else 0.0
    off = (angle - turn + np.pi) % (2 * np.pi) - np.pi
    agreement = length * np.exp(-0.5 * (off / TURN) ** 2)
    kept = agreement > WEAK
    position = positions(left, right, a[kept], b[kept], len(Q))
    known = position >= 0
    A = sparse.csr_array(
        (agreement[kept][known], (pair[kept][known], position[known])), (len(left), len(left))
    )
    return mutual(left, right, support_pairs(A, left, right, P, Q))


def neighbour_vectors(X, k):
    """Return ((n, k) nearest points, (n, k) differences to them: complex numbers in the plane)."""
    near = spatial.cKDTree(X).query(X, k + 1)[1][:, 1:]
    x = numbers_of_points(X)
    return near, x[near] - x[:, None]


def compared_pairs(P, Q):
    """Return (left, right): all pairs, of large sets each point with the nearest ones in place."""
    if len(P) * len(Q) <= ALL_PAIRS:
        return tuple(index.ravel() for index in np.divmod(np.arange(len(P) * len(Q)), len(Q)))
    moved = P - np.median(P, axis=0) + np.median(Q, axis=0)
    near = np.sort(spatial.cKDTree(Q).query(moved, min(NEARBY, len(Q)))[1], axis=1)
    return np.repeat(np.arange(len(P)), near.shape[1]), near.ravel()


def agreeing_neighbours(left, right, near1, near2, x, y, part):
    """Return (pair, a, b, agreement of lengths, angle) of neighbours that keep their distance."""
    x, y = x[left[part]], y[right[part]]
    far1, far2 = lengths(x), lengths(y)
    known = (far1 != 0)[:, :, None] & (far2 != 0)[:, None, :]
    far1, far2 = np.where(far1 == 0, 1, far1), np.where(far2 == 0, 1, far2)
    long = np.log(far2)[:, None, :] - np.log(far1)[:, :, None]
    row, a, b = np.nonzero(known & (np.abs(long) < STRETCH * np.sqrt(-2 * np.log(WEAK))))
    agreement = np.exp(-0.5 * (long[row, a, b] / STRETCH) ** 2)
    angle = np.angle(quotient(y[row, b], x[row, a])[0])
    return part[row], near1[left[part[row]], a], near2[right[part[row]], b], agreement, angle


def common_rotation(pair, length, angle, n):
    """Return the rotation at which most pairs of points have several agreeing neighbours."""
    place = np.floor((angle / (2 * np.pi) % 1.0) * ANGLES).astype(np.int64) % ANGLES
    count = np.bincount(pair * ANGLES + place, length, n * ANGLES).reshape(n, ANGLES)
    wide = count + np.roll(count, 1, axis=1) + np.roll(count, -1, axis=1)
    votes = (np.maximum(wide - 1.5, 0) ** 2).sum(axis=0)
    peak = int(np.argmax(votes + np.roll(votes, 1) + np.roll(votes, -1)))
    around = [peak - 1, peak, (peak + 1) % ANGLES]
    turn = np.exp(2j * np.pi * (np.array(around) + 0.5) / ANGLES)
    return float(np.angle((votes[around] * turn).sum()))


def positions(left, right, i, s, n2):
    """Return the index of each pair (i, s) among the compared ones, or -1."""
    key, wanted = left * n2 + right, i * n2 + s
    found = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    return np.where(key[found] == wanted, found, -1)


def support_pairs(A, left, right, P, Q):
    """Return the weight of each pair after some rounds of support, shared out among rivals."""
    weight = np.ones(len(left))
    for _ in range(ROUNDS):
        support = (A @ weight) ** 2  # a power makes the choice sharper
        row = np.bincount(left, support, len(P))[left]
        column = np.bincount(right, support, len(Q))[right]
        weight = support / np.maximum(np.sqrt(row * column), 1e-300)
    return weight


def mutual(left, right, weight):
    """Return (m, 2) pairs that have the largest weight of both of their points."""
    best = []
    for nodes in (left, right):
        order = np.lexsort((weight, nodes))
        last = np.append(np.diff(nodes[order]) != 0, True)
        is_best = np.zeros(len(left), bool)
        is_best[order[last]] = True
        best.append(is_best)
    kept = best[0] & best[1] & (weight > 1e-6)
    return np.column_stack([left[kept], right[kept]])


def grow(P, Q, matches):
    """Return the nearest points of the predicted places, mutual ones, as matches."""
    nearest = np.median(spatial.cKDTree(Q).query(Q, 2)[0][:, 1])
    if len(matches) < LEAST:
        return matches
    for _ in range(GROWTHS):
        p, q = P[matches[:, 0]], Q[matches[:, 1]]
        chance = inlier_chances(p, q)[0]
        if (chance > 0.5).sum() < LEAST:
            return matches
        place = predict(p, q, chance * (chance > 0.5), P).place
        far, label = spatial.cKDTree(Q).query(place)
        back = spatial.cKDTree(place).query(Q)[1]
        kept = (far < REACH * nearest) & (back[label] == np.arange(len(P)))
        if kept.sum() < LEAST:
            return matches
        grown = np.column_stack([np.flatnonzero(kept), label[kept]])
        if np.array_equal(grown, matches):
            break
        matches = grown
    return matches
