"""The motion of a whole set of points in space that most of its points agree with.

Every pair (i, s) of points with a rotation R of its neighbours (space_rotation.py) is one motion of
the whole set, p -> q_s + z R (p - p_i), where z is the ratio of the usual distances of neighbours.
Points that are then nearest to each other are matches, with weight 1 - d^2 / reach^2 at distance d.
The heaviest motions are fitted to their matches again and again, and the heaviest one counts.
"""

from gmtoolbox.core.lazy import np, spatial
from gmtoolbox.models.inliers import closest_rotation

STARTS = 50  # motions that are weighed
FITTED = 10  # of them, the heaviest, that are fitted
FITS = 4
FAR, NEAR = 1.0, 0.6  # reach of the first matches and of the last, in distances of nearest points
FIRST = 2  # rounds in which matches may be far


def rigid_matches(P, Q, ballots, scale):
    """Return ((m, 2) matches of the best motion, their weight over the points of the smaller set).

    ballots: (left, right, support, (n, 3, 3) rotations), the best pairs first; scale: z.
    """
    left, right, support, R = (column[:STARTS] for column in ballots)
    known = support > 0
    if not known.any():
        return np.empty((0, 2), np.int64), 0.0
    A, p0, q0 = scale * R[known], P[left[known]], Q[right[known]]
    trees = spatial.cKDTree(P), spatial.cKDTree(Q)
    unit = np.median(trees[1].query(Q, 2)[0][:, 1])
    for k in range(FITS + 1):
        label, weight = weigh_motions(P, Q, trees, A, p0, q0, unit * (FAR if k < FIRST else NEAR))
        if k == FITS:
            break
        best = np.argsort(-weight.sum(axis=1), kind="stable")[:FITTED]
        A, p0, q0, label, weight = (part[best] for part in (A, p0, q0, label, weight))
        known = (weight > 0).sum(axis=1) > 3
        A[known], p0[known], q0[known] = fit_motions(P, Q[label[known]], weight[known])
    best = weight.sum(axis=1).argmax()
    kept = np.flatnonzero(weight[best])
    share = float(weight[best].sum()) / min(len(P), len(Q))
    return np.column_stack([kept, label[best, kept]]), share


def weigh_motions(P, Q, trees, A, p0, q0, reach):
    """Return ((k, n1) nearest points of the moved ones, (k, n1) their weight, 0 if not mutual)."""
    moved = (P - p0[:, None]) @ np.swapaxes(A, 1, 2) + q0[:, None]
    far, label = trees[1].query(moved)
    # a motion keeps ratios of distances: nearest after it is nearest before it
    back = trees[0].query((Q - q0[:, None]) @ np.linalg.inv(np.swapaxes(A, 1, 2)) + p0[:, None])[1]
    is_mutual = np.take_along_axis(back, label, axis=1) == np.arange(len(P))
    return label, np.where(is_mutual, np.maximum(1 - (far / reach) ** 2, 0), 0)


def fit_motions(P, Q, weight):
    """Return (A, p0, q0) of the motions closest to weighted matches P -> Q[k] (Umeyama 1991)."""
    weight = weight / weight.sum(axis=1, keepdims=True)
    p0, q0 = weight @ P, (weight[:, None] @ Q)[:, 0]
    x, y = P - p0[:, None], Q - q0[:, None]
    R, trace = closest_rotation(np.swapaxes(weight[:, :, None] * y, 1, 2) @ x)
    spread = (weight * (x * x).sum(axis=-1)).sum(axis=1)
    return (trace / spread)[:, None, None] * R, p0, q0
