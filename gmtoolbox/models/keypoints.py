"""Keypoints, descriptors and matches as OpenCV, kornia and LightGlue have them, as arrays."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.values import as_array
from gmtoolbox.models.geometry import check_points

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
