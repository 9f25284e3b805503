"""Rotation and scale of matches, from the angles and sizes of their keypoints.

A keypoint of size s and angle a has the frame log s + i a. The turn of a match is the difference
of the frames of its two keypoints: the logarithm of the similarity that moves the one neighbourhood
to the other. Of a correct match it is close to the log z_i of the matches around it (inliers.py).
So a candidate gains the logarithm of a likelihood ratio, correct match against chance,

    k_is = log((1 - e) f(t_is - log z_i) / g(t_is - log z_i) + e)

f is normal in both parts, with centre and spread of the reliable matches; g is uniform in the
angle, and in the scale normal as among other candidates.
"""

from gmtoolbox.core.lazy import np

OFF = 0.02  # share of correct matches whose keypoints have another angle or size
LEAST_SPREAD = 0.05  # of correct turns, in log length and in radians
WIDER = 1.3  # spread of correct turns, in units of that of the reliable ones: their tails are long
ENOUGH = 8.0  # correct matches that an estimate needs


def match_turns(frames, left, right):
    """Return the turn of each pair, of frames (first, second), or None without frames."""
    return None if frames is None else frames[1][right] - frames[0][left]


def turn_gain(off, chance):
    """Return k_is of each candidate; 0 if the reliable ones show nothing.

    Parameters
    ----------
    off : complex array
        t_is - log z_i of each candidate.
    chance : array
        Chance of each candidate to be correct, NaN if it is not known.
    """
    known = np.isfinite(chance)
    weight = chance[known]
    if weight.sum() < ENOUGH:
        return np.zeros(len(off))
    longer = off.real - weighted_median(off.real[known], weight)
    mean = np.angle((weight * np.exp(1j * off.imag[known])).sum())  # of directions
    turned = wrap(off.imag - mean)
    turned = wrap(turned - weighted_median(turned[known], weight))
    spreads = [
        max(WIDER * 1.48 * weighted_median(np.abs(part[known]), weight), LEAST_SPREAD)
        for part in (longer, turned)
    ]
    wrong = 1 - weight
    centre = (wrong * longer[known]).sum() / max(wrong.sum(), 1e-12)
    around = (wrong * (longer[known] - centre) ** 2).sum() / max(wrong.sum(), 1e-12)
    by_chance = normal(longer - centre, max(np.sqrt(around), spreads[0])) / (2 * np.pi)
    ratio = normal(longer, spreads[0]) * normal(turned, spreads[1]) / by_chance
    return np.log((1 - OFF) * ratio + OFF)


def normal(off, spread):
    """Return the density of a normal distribution at a distance from its centre."""
    return np.exp(-0.5 * (off / spread) ** 2) / (np.sqrt(2 * np.pi) * spread)


def weighted_median(values, weight):
    """Return the value with half of the weight below it."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def wrap(angle):
    """Return the same angle in -pi .. pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
