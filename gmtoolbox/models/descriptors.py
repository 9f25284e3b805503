"""Descriptors of points: the nearest ones, and the cost of a match of two."""

from gmtoolbox.core.errors import GuessWarning, InputError, phrase, warn
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_array
from gmtoolbox.engine.limits import with_one_thread

METRICS = ("euclidean", "cosine", "hamming")
BINARY = (16, 32, 61, 64)  # bytes of a row: BRIEF, ORB and BRIEF, AKAZE, BRISK and FREAK and BRIEF
SIFT = 128  # numbers of a row, often kept as bytes
ROWS = 2**22  # distances held at a time


def check_metric(metric, F1, F2):
    """Return the metric, of None the one that the descriptors ask for: "hamming" for bits, and for
    bytes in rows as long as those of binary descriptors; else "euclidean". GuessWarning for other
    bytes.
    """
    if metric is not None:
        if not isinstance(metric, str) or metric not in METRICS:
            raise InputError(f"metric must be one of {' '.join(METRICS)}, got {metric!r}")
        return metric
    kinds = {getattr(F, "dtype", None) for F in (F1, F2)}
    if kinds == {np.dtype(bool)}:
        return "hamming"
    if kinds != {np.dtype(np.uint8)}:
        return "euclidean"
    width = np.shape(F1)[-1]
    if width in BINARY or not any(F.max(initial=0) > 1 for F in (F1, F2)):
        return "hamming"
    if width != SIFT:
        ways = [
            phrase(f"metric={name!r}", f"'metric', {name!r}", f"metric={name!r}")
            for name in ("hamming", "euclidean")
        ]
        warn(
            f"F1 and F2 hold {width} bytes a row and are compared as numbers: give {ways[0]} if"
            f" they are packed bits, {ways[1]} if not",
            GuessWarning,
        )
    return "euclidean"


def nearest(F1, F2, k, metric):
    """((n1, k) labels, (n1, k) distances, (n2,) nearest left node of each label), nearest first."""
    prepared1, prepared2 = prepare(F1, F2, metric)
    n1, n2 = len(prepared1), len(prepared2)
    k = min(k, n2)
    label, distance = np.empty((n1, k), np.int64), np.empty((n1, k))
    back, closest = np.zeros(n2, np.int64), np.full(n2, np.inf)
    for begin in range(0, n1, max(ROWS // n2, 1)):
        rows = slice(begin, begin + max(ROWS // n2, 1))
        D = all_distances(prepared1[rows], prepared2, metric)
        if k < n2:
            best = np.argpartition(D, k - 1, axis=1)[:, :k]
        else:
            best = np.tile(np.arange(n2), (len(D), 1))
        found = np.take_along_axis(D, best, axis=1)
        order = np.lexsort((best, found), axis=1)
        label[rows] = np.take_along_axis(best, order, axis=1)
        distance[rows] = np.take_along_axis(found, order, axis=1)
        nearer = D.min(axis=0)
        better = nearer < closest
        back[better] = begin + D.argmin(axis=0)[better]
        closest = np.minimum(closest, nearer)
    return label, distance, back


def pair_distances(F1, F2, left, right, metric):
    """Distance of each given pair."""
    prepared1, prepared2 = prepare(F1, F2, metric)
    out = np.empty(len(left))
    step = max(ROWS // prepared1.shape[1], 1)
    for begin in range(0, len(left), step):
        part = slice(begin, begin + step)
        difference = prepared1[left[part]].astype(float) - prepared2[right[part]]
        squared = (difference**2).sum(axis=1)
        out[part] = as_metric(squared, metric)
    return out


def prepare(F1, F2, metric):
    """Both sides as float32 rows whose Euclidean distance gives the metric."""
    rows = [check_rows(name, F) for name, F in (("F1", F1), ("F2", F2))]
    if metric == "hamming":
        is_packed = any(F.max(initial=0) > 1 for F in rows)
        rows = [bits(name, F, is_packed) for name, F in zip(("F1", "F2"), rows, strict=True)]
    rows = [F.astype(np.float32) for F in rows]
    if metric == "cosine":
        tiny = np.finfo(np.float32).tiny
        rows = [F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), tiny) for F in rows]
    if rows[0].shape[1] != rows[1].shape[1]:
        raise InputError(
            f"F1 and F2 must have the same dimension, got {np.shape(F1)[1]} and {np.shape(F2)[1]}"
        )
    return rows


def check_rows(name, F):
    """An (n, d) array of finite numbers."""
    F = as_array(name, F)
    if F.ndim != 2 or len(F) == 0 or F.dtype.kind not in "biuf":
        raise InputError(f"{name} must be (n, d) numbers, got shape {F.shape} of {F.dtype}")
    if not np.all(np.isfinite(F)):
        raise InputError(f"{name} must be finite")
    return F


def bits(name, F, is_packed):
    """Packed bytes (as OpenCV's ORB has them) or 0/1 columns as bits."""
    if is_packed and F.dtype == np.uint8:
        return np.unpackbits(F, axis=1)
    if not np.all((F == 0) | (F == 1)):
        raise InputError(f"{name} must hold bits, or bytes of them, for metric='hamming'")
    return F


@with_one_thread
def all_distances(A, B, metric):
    """(n1, n2) distances of the rows of two prepared matrices."""
    squared = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * (A @ B.T)
    return as_metric(np.maximum(squared, 0), metric)


def as_metric(squared, metric):
    """euclidean: the root; hamming: bits that differ; cosine: 1 - cos, of unit rows."""
    return np.sqrt(squared) if metric == "euclidean" else squared / (2 if metric == "cosine" else 1)


def typical(distance, left):
    """Median over the left nodes of the smallest distance, the unit in which they are counted."""
    order = np.lexsort((distance, left))
    first = np.ones(len(left), dtype=bool)
    first[1:] = np.diff(left[order]) != 0
    unit = np.median(distance[order][first])
    for fallback in (np.median(distance), distance.max(initial=0.0), 1.0):
        unit = unit if unit > 0 else fallback  # exact copies: the nearest distance is zero
    return float(unit)
