"""Keypoints, descriptors and matches as OpenCV, kornia and LightGlue have them, as arrays."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_array
from gmtoolbox.models.geometry import check_points

LEVELS = 32  # with fewer sizes, they are levels of a pyramid, of which several show one place

FIELDS = {  # entries of a feature dictionary (LightGlue, SuperPoint, hloc) by their content
    "keypoints": ("keypoints", "kpts"),
    "descriptors": ("descriptors", "desc"),
}


def plain(given):
    """Return tensors (torch, on any device, with a gradient) as numpy arrays, all else as it is."""
    for step in ("detach", "cpu", "numpy"):
        if not hasattr(given, "detach") and step != "numpy":
            continue
        given = getattr(given, step)() if hasattr(given, step) else given
    return given


def entry(given, what):
    """Return the entry of a feature dictionary, or the given array, as an array."""
    if isinstance(given, dict):
        found = [name for name in FIELDS[what] if name in given]
        if not found:
            raise InputError(f"a dictionary of features must have {what!r}, got {sorted(given)}")
        given = given[found[0]]
    return plain(given)


def keypoint_places(name, given):
    """Return (n, 2) or (n, d) points.

    Takes arrays and tensors, a list of OpenCV's KeyPoint, a dictionary with "keypoints", a batch of
    one, and kornia's local affine frames (1, n, 2, 3), whose last column is the place.
    """
    given = entry(given, "keypoints")
    if isinstance(given, (list, tuple)) and len(given) and hasattr(given[0], "pt"):
        given = [point.pt for point in given]
    given = as_array(name, given)
    if given.ndim == 4 and given.shape[0] == 1 and given.shape[2:] == (2, 3):
        given = given[0, :, :, 2]
    elif given.ndim == 3 and given.shape[0] == 1:
        given = given[0]
    return check_points(name, given)


def keypoint_frames(first, second):
    """Return the frames (log size + i angle, turns.py) of the keypoints of both pictures, or None.

    OpenCV's KeyPoint has them, kornia's local affine frames, and dictionaries with "scales" and
    "oris". Angles or sizes that are not known or all alike become 0; so do sizes of few levels.
    """
    found = [frames_of(given) for given in (first, second)]
    if any(frames is None for frames in found):
        return None
    for part, least in (("real", LEVELS), ("imag", 2)):
        numbers = [getattr(frames, part) for frames in found]
        if not all(np.isfinite(side).all() and len(np.unique(side)) >= least for side in numbers):
            for frames in found:
                setattr(frames, part, 0.0)
    return found if any(frames.any() for frames in found) else None


def frames_of(given):
    """Return the frames of the keypoints of one picture, NaN for unknown parts; None without."""
    if isinstance(given, dict) and {"scales", "oris"} <= set(given):
        return as_frames(*(np.ravel(plain(given[name])) for name in ("scales", "oris")))
    given = entry(given, "keypoints")
    if isinstance(given, (list, tuple)):
        if not len(given) or not all(hasattr(given[0], name) for name in ("pt", "size", "angle")):
            return None
        size, angle = (np.array([getattr(k, name) for k in given]) for name in ("size", "angle"))
        return as_frames(size, np.where(angle >= 0, np.deg2rad(angle), np.nan))
    if np.ndim(given) != 4 or np.shape(given)[::2] != (1, 2) or np.shape(given)[3] != 3:
        return None
    A = np.asarray(given)[0, :, :, :2]
    z = (A[:, 0, 0] + A[:, 1, 1] + 1j * (A[:, 1, 0] - A[:, 0, 1])) / 2
    return as_frames(np.abs(z), np.angle(z))


def as_frames(size, angle):
    """Return log size + i angle as complex numbers; a size that is not positive is NaN."""
    frames = np.empty(len(size), complex)
    frames.real = np.log(np.where(size > 0, size, np.nan))
    frames.imag = angle
    return frames


def plane_places(name, given):
    """Return (n, 2) points of a picture."""
    points = keypoint_places(name, given)
    if points.shape[1] != 2:
        raise InputError(f"{name} must be plane points (n, 2), got shape {points.shape}")
    return points


def descriptor_rows(name, given):
    """Return (n, d) descriptors of an array, a tensor, a batch of one or a dictionary."""
    rows = as_array(name, entry(given, "descriptors"))
    return rows[0] if rows.ndim == 3 and rows.shape[0] == 1 else rows
