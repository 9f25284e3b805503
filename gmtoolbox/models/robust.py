"""Homographies and fundamental matrices fitted to matches of which some are wrong.

Random minimal samples, drawn by the chances of the matches, propose models; the one with the least
truncated squared error is refitted to its inliers (MSAC with local optimisation).
"""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.limits import with_one_thread

SAMPLES = 400
MINIMAL = {"homography": 4, "epipolar": 8}
REFITS = 5
CUT = 3.0  # spreads beyond which a match is an outlier


@with_one_thread
def fit_model(kind, P, Q, chance, spread):
    """Return ((3, 3) matrix M, spread of its inliers): Q ~ M P, or Q' M P = 0."""
    size = MINIMAL[kind]
    if (chance > 0).sum() < size:
        raise InputError(
            f"geometry={kind!r} needs {size} matches that agree, got {int((chance > 0.5).sum())}"
        )
    rng = np.random.default_rng(0)
    (X, T1), (Y, T2) = normalise(P), normalise(Q)
    cut = CUT * spread * T2[0, 0]
    order = np.log(np.maximum(chance, 1e-12)) + rng.gumbel(size=(SAMPLES, len(P)))
    samples = np.argpartition(-order, size - 1, axis=1)[:, :size]  # without replacement
    models = solve_model(kind, X[samples], Y[samples], np.ones(samples.shape))
    loss = np.minimum(model_errors(kind, models, X, Y) / cut, 1) ** 2
    M = models[np.argmin(loss.sum(axis=1))]
    for _ in range(REFITS):
        error = model_errors(kind, M[None], X, Y)[0]
        inlier = error < cut
        if inlier.sum() < size:
            break
        weight = (inlier / (1 + (error / cut * CUT) ** 2))[None]
        M = solve_model(kind, X[None], Y[None], weight)[0]
    error = model_errors(kind, M[None], X, Y)[0]
    inlier = error < cut
    typical = float(np.median(error[inlier])) if inlier.any() else cut / CUT
    # the median of |x| is 0.67 spreads on a line, 1.18 in the plane
    typical /= (1.18 if kind == "homography" else 0.67) * T2[0, 0]
    M = np.linalg.inv(T2) @ M @ T1 if kind == "homography" else T2.T @ M @ T1
    return M / np.linalg.norm(M), max(typical, spread / 4)


def normalise(points):
    """Return (points with mean 0 and mean length sqrt 2, the 3 x 3 map to them)."""
    centre = points.mean(axis=0)
    scale = np.sqrt(2) / max(np.linalg.norm(points - centre, axis=1).mean(), 1e-300)
    T = np.array([[scale, 0, -scale * centre[0]], [0, scale, -scale * centre[1]], [0, 0, 1.0]])
    return (points - centre) * scale, T


def solve_model(kind, X, Y, weight):
    """Return (b, 3, 3) models of b weighted sets of matches (b, n, 2): direct linear method."""
    x, y, one = *np.moveaxis(X, -1, 0), np.ones(X.shape[:-1])
    u, v = np.moveaxis(Y, -1, 0)
    zero = np.zeros_like(one)
    w = np.sqrt(weight)[..., None]
    if kind == "epipolar":
        A = w * np.stack([u * x, u * y, u, v * x, v * y, v, x, y, one], -1)
    else:
        A = np.concatenate(
            [
                w * np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], -1),
                w * np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], -1),
            ],
            axis=1,
        )
    M = np.linalg.eigh(np.swapaxes(A, -1, -2) @ A)[1][..., 0].reshape(-1, 3, 3)
    if kind == "epipolar":  # of rank two
        U, size, Vt = np.linalg.svd(M)
        size[:, 2] = 0
        M = (U * size[:, None]) @ Vt
    return M


def model_errors(kind, M, X, Y):
    """Return (b, n) distances: of Y from the moved X, or from the epipolar line of X."""
    ends = np.column_stack([X, np.ones(len(X))])
    moved = ends @ np.swapaxes(M, -1, -2)
    if kind == "homography":
        depth = moved[..., 2:]
        depth = np.where(np.abs(depth) < 1e-12, 1e-12, depth)
        return np.linalg.norm(moved[..., :2] / depth - Y, axis=-1)
    length = np.maximum(np.linalg.norm(moved[..., :2], axis=-1), 1e-12)
    return np.abs((moved * np.column_stack([Y, np.ones(len(Y))])).sum(axis=-1)) / length


def move_points(H, points):
    """Return the points moved by a homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ H.T
    depth = np.where(np.abs(moved[:, 2:]) < 1e-12, 1e-12, moved[:, 2:])
    return moved[:, :2] / depth


def line_distance(F, P, Q):
    """Return the distance of each Q[a] from the epipolar line of P[a]."""
    lines = np.column_stack([P, np.ones(len(P))]) @ F.T
    length = np.maximum(np.linalg.norm(lines[:, :2], axis=1), 1e-300)
    return np.abs((lines * np.column_stack([Q, np.ones(len(Q))])).sum(axis=1)) / length
