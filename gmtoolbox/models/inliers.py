"""Which of some matches of points are correct, and the expected positions of other points.

No model of the whole picture is needed. First neighbours vote: match a supports match b as far as
the similarity from a to b is also the similarity from a to further supported neighbours c,

    support_a = max_b sum_c w_c exp(-|log z_ab - log z_ac|^2 / (2 tolerance^2))

with z_ab = (q_b - q_a) / (p_b - p_a) and w_a a sigmoid of support_a. Then an affinity is fitted to
the neighbours of every match, without the match itself, and the match is judged by its distance r
from the predicted place:

    chance = pi f(r) / (pi f(r) + (1 - pi) / area),    f: two normal densities, of spreads s and 6 s

Plane points are complex numbers here; an affinity is q = q0 + z (p - p0) + u conj(p - p0). In space
log z_ab - log z_ac is read off the two triangles (quotient of geometry.py), and an affinity is a
matrix drawn to the closest similarity.
"""

from dataclasses import dataclass

from gmtoolbox.core.lazy import np, spatial
from gmtoolbox.engine.limits import with_one_thread
from gmtoolbox.models.geometry import disagreement, numbers_of_points, quotient

VOTERS = 10  # neighbours of a match in each picture that vote about it
AGREEMENT = 0.25  # tolerance of votes, of log length and of the angle in radians
ENOUGH = 1.5  # agreeing neighbours that make a match as likely correct as not
VOTING_ROUNDS, FITTING_ROUNDS = 8, 4
FITTED = 12  # neighbours that a local affinity is fitted to
CREDIBLE = 0.2  # least chance of a match that others are predicted from
SHEAR = 0.05  # weight that draws affinities to similarities
STRAY, WIDE = 0.03, 6.0  # share of correct matches that lie off, and by how much more
RAYLEIGH, MAXWELL = 1.18, 1.54  # median distance from the centre in the plane and in space
LEAST_SPREAD = 1e-3  # of predicted places, in units of the size of the second picture
ROWS = 4096  # matches whose votes are compared together


@dataclass
class Prediction:
    """Expected positions of points of the first picture in the second.

    Parameters
    ----------
    place : (n, d) array
    spread : (n,) array
        Standard deviation of each coordinate.
    support : (n,) array
        Number of matches, weighted by their chances, that the prediction rests on.
    turn : (n,) complex array
        Logarithm of the similarity z of the affinity around each point; in space of its scale.
    """

    place: object
    spread: object
    support: object
    turn: object


def inlier_chances(P, Q, known=0):
    """Return (chance of each match P[a] -> Q[a] to be correct, spread of the correct ones).

    The first `known` matches are correct.
    """
    area, dimension = picture_area(Q), Q.shape[1]
    least = least_spread(area, dimension)
    chance = vote(P, Q)
    chance[:known] = 1.0
    own = np.arange(len(P))
    spread = least
    for _ in range(FITTING_ROUNDS):
        correct = chance > 0.5
        if correct.sum() < 4:
            break
        fitted = predict(P, Q, chance, P, skip=own)
        off = np.linalg.norm(fitted.place - Q, axis=1)
        usual = RAYLEIGH if dimension == 2 else MAXWELL
        spread = max(np.median(off[correct]) / usual, least / 4)
        around = np.sqrt(spread * np.maximum(fitted.spread, spread / 2))
        density = (1 - STRAY) * normal(off, around, dimension)
        density += STRAY * normal(off, WIDE * around, dimension)
        share = np.clip(chance.mean(), 0.05, 0.95)
        chance = share * density / (share * density + (1 - share) / area)
        chance[fitted.support < ENOUGH] = 0.0
        chance[:known] = 1.0
    return chance, float(spread)


@with_one_thread
def vote(P, Q):
    """Return the chance of each match by the agreement of its neighbours in both pictures."""
    k = min(VOTERS, len(P) - 1)
    if k < 2:
        return np.full(len(P), 0.5)
    near = np.concatenate([spatial.cKDTree(side).query(side, k + 1)[1] for side in (P, Q)], axis=1)
    p, q = numbers_of_points(P), numbers_of_points(Q)
    across1, across2 = p[near] - p[:, None], q[near] - q[:, None]
    votes = quotient(across2, across1)[1]  # not oneself, nor coinciding points
    plane = np.iscomplexobj(p)
    if plane:
        log_z = np.log(np.where(votes, across2, 1) / np.where(votes, across1, 1))
    agreement = np.empty((*near.shape, near.shape[1]), np.float32)
    for begin in range(0, len(P), ROWS):
        rows = slice(begin, begin + ROWS)
        if plane:
            apart = log_z[rows, :, None] - log_z[rows, None, :]
        else:
            apart = log_of_corners(across1[rows]) - log_of_corners(across2[rows])
        agreement[rows] = np.exp(-0.5 * disagreement(apart, AGREEMENT, AGREEMENT))
    agreement *= votes[:, :, None] & votes[:, None, :]
    agreement[near[:, :, None] == near[:, None, :]] = 0.0
    chance = np.full(len(P), 0.5)
    for _ in range(VOTING_ROUNDS):
        support = np.matmul(agreement, chance[near][..., None].astype(np.float32))[..., 0].max(
            axis=1
        )
        chance = 1 / (1 + np.exp(2.0 * (ENOUGH - support.astype(float))))
    return chance


def log_of_corners(across):
    """Return the logarithm of the quotient of every two displacements (n, k, d) of a point."""
    z, known = quotient(across[:, :, None], across[:, None])
    return np.log(np.where(known, z, 1))


def predict(P, Q, chance, points, skip=None, rounds=3):
    """Return the Prediction of points by affinities fitted to the credible matches around each.

    Reweighted least squares; skip: for each point the match that is left out, or -1.
    """
    credible = np.flatnonzero(chance > CREDIBLE)
    if len(credible) < 4:
        credible = np.sort(np.argsort(-chance, kind="stable")[:4])
    k = min(FITTED + (skip is not None), len(credible))
    distance, near = spatial.cKDTree(P[credible]).query(points, k)
    distance, near = distance.reshape(len(points), k), credible[near.reshape(len(points), k)]
    weight0 = chance[near] if skip is None else chance[near] * (near != skip[:, None])
    weight0 = np.maximum(weight0, 1e-12)
    reach = np.sqrt((distance**2 * weight0).sum(axis=1) / weight0.sum(axis=1))
    p, q = numbers_of_points(P)[near], numbers_of_points(Q)[near]
    size = np.finfo(float).tiny + np.abs(p).max() ** 2 * 1e-24
    weight, plane = weight0, np.iscomplexobj(p)
    fit = fit_in_plane if plane else fit_in_space
    for _ in range(rounds):
        total = weight.sum(axis=1)
        wide = weight if plane else weight[:, :, None]
        total = total if plane else total[:, None]
        p0, q0 = (wide * p).sum(axis=1) / total, (wide * q).sum(axis=1) / total
        x, y = p - p0[:, None], q - q0[:, None]
        move, turn = fit(weight, x, y, size)
        wrong = lengths(move(-y, x))
        usual = median_of_weighty(wrong, weight0)
        weight = weight0 / (1 + (wrong / (2 * usual[:, None] + np.sqrt(size))) ** 2)
    off = numbers_of_points(points) - p0
    place = move(q0[:, None], off[:, None])[:, 0]
    # farther from the matches the prediction is less sure
    spread = usual * (1 + 0.5 * lengths(off) / np.maximum(reach, np.sqrt(size)))
    place = np.column_stack([place.real, place.imag]) if plane else place
    return Prediction(place, spread, weight0.sum(axis=1), turn)


def fit_in_plane(weight, x, y, size):
    """Return (the map from a start on, log z) of the affinity of each row for which
    sum w |y - z x - u conj(x)|^2 + SHEAR (sum w |x|^2) |u|^2 is least.
    """
    squares, turned = (weight * np.abs(x) ** 2).sum(axis=1) + size, (weight * x * x).sum(axis=1)
    one, other = (weight * np.conj(x) * y).sum(axis=1), (weight * x * y).sum(axis=1)
    firm = squares * (1 + SHEAR)
    scale = squares * firm - np.abs(turned) ** 2
    z = (one * firm - other * np.conj(turned)) / scale
    u = (other * squares - one * turned) / scale
    turn = np.log(np.where(z == 0, 1, z))
    return lambda start, x: start + z[:, None] * x + u[:, None] * np.conj(x), turn


@with_one_thread
def fit_in_space(weight, x, y, size):
    """Return (the map from a start on, log scale) of the affinity of each row for which
    sum w |y - A x|^2 + SHEAR (sum w |x|^2) |A - z R|^2 is least; the similarity z R fits best.
    """
    weighted = np.swapaxes(weight[:, :, None] * x, 1, 2)
    within, across = weighted @ x, np.swapaxes(weighted @ y, 1, 2)
    squares = np.trace(within, axis1=1, axis2=2) + size
    R, gain = closest_rotation(across)
    z = gain / squares
    firm = (SHEAR * squares)[:, None, None]
    A = (across + firm * z[:, None, None] * R) @ np.linalg.inv(within + firm * np.eye(x.shape[2]))
    return lambda start, x: start + x @ np.swapaxes(A, 1, 2), np.log(np.where(z > 0, z, 1)) + 0j


def closest_rotation(M):
    """Return (R, trace of R' M) of the rotations closest to matrices (n, d, d) (Kabsch)."""
    U, size, V = np.linalg.svd(M)
    mirrored = np.linalg.det(U @ V) < 0
    U[mirrored, :, -1] *= -1
    size[mirrored, -1] *= -1
    return U @ V, size.sum(axis=1)


def lengths(across):
    """Return the lengths of displacements."""
    return np.abs(across) if np.iscomplexobj(across) else np.linalg.norm(across, axis=-1)


def median_of_weighty(values, weight):
    """Return the lower median of each row over the entries with at least a tenth of the weight."""
    values = np.where(weight > 0.1 * weight.max(axis=1, keepdims=True), values, np.inf)
    values = np.sort(values, axis=1)
    n = np.isfinite(values).sum(axis=1)
    return values[np.arange(len(values)), np.maximum(n - 1, 0) // 2]


def normal(off, spread, dimension):
    """Return the density of a normal distribution at a distance from its centre."""
    return np.exp(-0.5 * (off / spread) ** 2) / ((2 * np.pi) ** (dimension / 2) * spread**dimension)


def least_spread(area, dimension):
    """Return the least spread of predicted places."""
    return LEAST_SPREAD * (np.sqrt(area) if dimension == 2 else area ** (1 / dimension))


def picture_area(Q):
    """Return the area (in space the volume) that the points lie in, positive."""
    sides, dimension = np.ptp(Q, axis=0), Q.shape[1]
    return float(max(np.prod(sides), (1e-3 * sides.max()) ** dimension, np.finfo(float).tiny))
