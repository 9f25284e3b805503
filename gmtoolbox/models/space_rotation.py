"""The rotation in space that the neighbours of most pairs of points agree on.

Two neighbours a, a' of i and two of s that keep their distances and the angle between them are two
triangles, and one rotation turns the one to the other. A pair (i, s) supports the rotation of its
triangles that most of its triangles share: those of a correct pair agree, those of another one
differ. The rotation with the most support from all pairs counts.
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.models.inliers import closest_rotation, lengths

CORNERS = 6  # neighbours of a point that make triangles
LENGTH, ANGLE = 0.2, 0.25  # largest differences of log lengths and of the angle in a triangle
FLAT = 0.3  # least angle between the sides of a triangle, from 0 and from pi
TRIANGLES = 24  # of a pair, those that agree best
CLOSE = 0.35  # tolerance of a rotation
COMPARED = 10_000  # pairs of points whose triangles are compared, drawn if there are more
BALLOTS = 600  # pairs that vote, those with the most support
PORTION = 1 << 21  # triangles looked at together
ROUNDS = 5  # towards the mean of the rotations that agree


def ballots_in_space(left, right, across1, across2):
    """Return (left, right, support, (n, 3, 3) rotation) of the pairs with the most support, best
    first, from differences to neighbours.
    """
    if len(left) > COMPARED:
        drawn = np.random.default_rng(0).choice(len(left), COMPARED, replace=False)
        left, right = left[drawn], right[drawn]
    sides1, sides2 = triangles(across1), triangles(across2, both=True)
    size = sides1[0].shape[1] * sides2[0].shape[1]
    parts = np.array_split(np.arange(len(left)), max(len(left) * size // PORTION, 1))
    found = [supported_rotation(left[part], right[part], sides1, sides2) for part in parts]
    support, R = (np.concatenate(column) for column in zip(*found, strict=True))
    best = np.argsort(-support, kind="stable")[:BALLOTS]
    return left[best], right[best], support[best], R[best]


def rotation_in_space(support, R):
    """Return the (3, 3) rotation that most ballots agree on."""
    ballots, weight = R.reshape(-1, 9), np.maximum(support - 1.5, 0.0) ** 2
    if not weight.any():
        return np.eye(3)
    M = ballots[np.argmax(agreement(ballots, ballots) @ weight)]
    for _ in range(ROUNDS):
        shared = agreement(ballots, M[None])[:, 0] * weight
        M = closest_rotation((shared @ ballots).reshape(1, 3, 3))[0].ravel()
    return M.reshape(3, 3)


def triangles(across, both=False):
    """Return ((n, t, 2) log lengths of two sides of each triangle, (n, t) angle between them,
    (n, t, 3, 3) its axes as columns); NaN angles of flat ones. both: in both orders.
    """
    across = across[:, :CORNERS]
    a, b = np.triu_indices(across.shape[1], 1)
    if both:
        a, b = np.append(a, b), np.append(b, a)
    far = lengths(across)
    unit = across / np.where(far == 0, 1, far)[..., None]
    long = np.log(np.where(far == 0, 1, far))
    x, y = unit[:, a], unit[:, b]
    angle = np.arccos(np.clip((x * y).sum(axis=-1), -1, 1))
    angle[(angle < FLAT) | (angle > np.pi - FLAT) | (far[:, a] == 0) | (far[:, b] == 0)] = np.nan
    one, other = x + y, x - y  # they are at right angles
    one, other = (side / np.maximum(lengths(side), 1e-9)[..., None] for side in (one, other))
    axes = np.stack([one, other, np.cross(one, other)], axis=-1)
    return np.stack([long[:, a], long[:, b]], axis=-1), angle, axes


def supported_rotation(left, right, sides1, sides2):
    """Return (support, (n, 3, 3) the rotation that most triangles share) of some pairs."""
    (long1, angle1, axes1), (long2, angle2, axes2) = sides1, sides2
    off = np.abs(angle2[right][:, None, :] - angle1[left][:, :, None]) / ANGLE
    for side in (0, 1):
        apart = long2[right, :, side][:, None, :] - long1[left, :, side][:, :, None]
        np.maximum(off, np.abs(apart) / LENGTH, out=off)
    row, one, other = np.nonzero(off < 1)
    order = np.lexsort((off[row, one, other], row))
    row, one, other = row[order], one[order], other[order]
    place = np.arange(len(row)) - np.searchsorted(row, row)
    kept = place < TRIANGLES
    row, one, other, place = row[kept], one[kept], other[kept], place[kept]
    R = axes2[right[row], other] @ np.swapaxes(axes1[left[row], one], 1, 2)
    table = np.zeros((len(left), TRIANGLES, 9), np.float32)
    table[row, place] = R.reshape(-1, 9)
    filled = np.zeros(table.shape[:2], bool)
    filled[row, place] = True
    share = np.where(filled, agreement(table, table).sum(axis=2), 0)
    best = share.argmax(axis=1)
    rows = np.arange(len(left))
    return share[rows, best], table[rows, best].astype(float).reshape(-1, 3, 3)


def agreement(one, other):
    """Return how well every two rotations (.., n, 9) and (.., m, 9) agree, at most 1."""
    # the trace of R' S is 1 + 2 cos(angle), and angle^2 is about 2 - 2 cos(angle)
    squared = 3 - one @ np.swapaxes(other, -1, -2)
    return np.exp(-0.5 * squared / CLOSE**2)
