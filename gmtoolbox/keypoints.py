"""Match the keypoints of two pictures in one call: matches, inliers, confidence, picture."""

from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import NamedTuple

from gmtoolbox.core.checks import DESCRIBING, check_rest
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, optional
from gmtoolbox.core.values import as_array, check_count
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.limits import accept_rng
from gmtoolbox.models.descriptors import check_rows
from gmtoolbox.models.guided import PARAMETRIC, estimate_motion
from gmtoolbox.models.keypoints import descriptor_rows, plane_places
from gmtoolbox.models.points import from_points
from gmtoolbox.plot import matching

KEYPOINTS = 2000  # of each picture, the strongest ones
SLOPE, SHIFT = 1.3, -0.4  # of the confidence, fitted to pairs of photographs
OVERSHOOT = 0.25  # of floats beyond 0 .. 1, as interpolation leaves them
GREY = (0.299, 0.587, 0.114)  # weights of red, green and blue


@dataclass(eq=False)
class KeypointMatches:
    """Matches between the keypoints of two pictures.

    Attributes
    ----------
    matches : (m, 2) array
        Index of the keypoint in the first and in the second picture.
    confidence : (m,) array
        Estimated probability that each match is correct.
    inliers : (m,) bool array
        Whether each match is at the position that its neighbours, or the model, predict.
    keypoints1, keypoints2 : (n1, 2) and (n2, 2) arrays
        All keypoints, (x, y).
    model : (3, 3) array or None
        The homography or fundamental matrix, if geometry is one of them and enough matches agree.
    problem : Problem
    result : Result
        The optimisation problem, and its solution with value, bound, status and time.
    """

    matches: object
    confidence: object
    inliers: object
    keypoints1: object
    keypoints2: object
    model: object
    problem: object = field(repr=False)
    result: object = field(repr=False)
    images: object = field(default=None, repr=False)

    def __len__(self):
        return len(self.matches)

    def __repr__(self):
        n1, n2 = self.problem.shape
        return (
            f"<KeypointMatches {len(self)} of {n1} and {n2} keypoints,"
            f" {int(self.inliers.sum())} inliers, {self.result.status}>"
        )

    @property
    def pairs(self):
        """The matches, under the name that they have in a Result."""
        return self.matches

    @property
    def points1(self):
        """(m, 2) places of the matched keypoints in the first picture."""
        return self.keypoints1[self.matches[:, 0]]

    @property
    def points2(self):
        """(m, 2) places of the matched keypoints in the second picture."""
        return self.keypoints2[self.matches[:, 1]]

    def to_dataframe(self):
        """Return a pandas DataFrame with a row for each match: the indices of the two keypoints,
        their places, the confidence, and whether it is an inlier.

        Returns
        -------
        pandas.DataFrame
        """
        columns = {"index1": self.matches[:, 0], "index2": self.matches[:, 1]}
        for k, places in ((1, self.points1), (2, self.points2)):
            columns |= {f"x{k}": places[:, 0], f"y{k}": places[:, 1]}
        columns |= {"confidence": self.confidence, "inlier": self.inliers}
        return optional("pandas", "to_dataframe").DataFrame(columns)

    def to_opencv(self):
        """Return a list of cv2.DMatch, whose distance is 1 - confidence.

        Returns
        -------
        list of cv2.DMatch
        """
        if find_spec("cv2") is None:
            raise InputError("to_opencv needs OpenCV (the package opencv-python)")
        DMatch = import_module("cv2").DMatch
        return [
            DMatch(int(i), int(s), float(1 - sure))
            for (i, s), sure in zip(self.matches, self.confidence, strict=True)
        ]

    def plot(self, images=None, **options):
        """Draw the matches over the pictures.

        Parameters
        ----------
        images : pair of arrays, optional
            Default: those that match_images was given.
        **options
            As of gm.plot.matching.

        Returns
        -------
        Picture
        """
        images = self.images if images is None else images
        options = {"edges": False, "title": f"{len(self)} matches"} | options
        return matching(self.problem, self.result, images=images, **options)

    def _repr_html_(self):
        """Show the picture in a notebook."""
        return self.plot()._repr_html_()


@accept_rng
def match_keypoints(
    keypoints1, descriptors1, keypoints2, descriptors2, *,
    geometry="auto", time_limit=5.0, seed=0, **options,
):  # fmt: skip
    """Match keypoints by their descriptors and the positions that their neighbours predict.

    `gm.models.from_points` makes the problem, `gm.gm_solve` solves it.

    Parameters
    ----------
    keypoints1, keypoints2 : (n, 2) arrays or tensors, lists of cv2.KeyPoint, or kornia's frames
        Places (x, y) in the two pictures. If both have angles and sizes, as those of OpenCV and
        kornia have, candidates must agree with the rotation and scale of the matches around them.
    descriptors1, descriptors2 : (n, d) arrays or tensors
        One row for each keypoint; binary ones (ORB, BRISK, AKAZE) are compared by their bits.
    geometry : str
        "auto" for any scene, also bent or moving ones; "homography" for flat scenes; "epipolar" for
        two views of a rigid one. More in from_points.
    time_limit : float
        Seconds of the optimisation.
    seed : int
        Number that fixes the random choices.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once; the result stores the drawn seed.
    **options
        As of from_points: k, metric, unary, unmatched, tolerance, seeds, edges1.

    Returns
    -------
    KeypointMatches

    See Also
    --------
    match_images : from two pictures.
    gmtoolbox.models.from_matches : judge the matches of another matcher.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> P, F = rng.uniform(0, 300, (50, 2)), rng.normal(size=(50, 16))
    >>> Q = 0.8 * P[:, ::-1] + 20                               # mirrored, smaller, moved
    >>> m = gm.match_keypoints(P, F, Q, F + rng.normal(0, 0.3, F.shape))
    >>> len(m), int(m.inliers.sum()), bool((m.matches[:, 0] == m.matches[:, 1]).all())
    (50, 50, True)
    """
    check_rest(match_keypoints, options, *signature(from_points).parameters, *DESCRIBING)
    F1 = descriptor_rows("descriptors1", descriptors1)
    if F1.shape[1:] == (2,) and getattr(keypoints2, "shape", (0, 2))[1:] != (2,):
        raise InputError("the order is keypoints1, descriptors1, keypoints2, descriptors2")
    P, Q = plane_places("keypoints1", keypoints1), plane_places("keypoints2", keypoints2)
    F2 = descriptor_rows("descriptors2", descriptors2)
    check_descriptors((P, Q), (F1, F2))
    problem = from_points(keypoints1, keypoints2, F1, F2, geometry=geometry, **options)
    result = gm_solve(problem, time_limit=time_limit, seed=seed)
    kind = geometry if geometry in PARAMETRIC else "local"
    motion = estimate_motion(P, Q, result.pairs, kind)
    inliers = np.zeros(len(result.pairs), bool) if motion is None else motion.chance > 0.5
    model = None if motion is None else motion.model
    sure = confidence_of(problem, result.labels)
    return KeypointMatches(result.pairs, sure, inliers, P, Q, model, problem, result)


def check_descriptors(places, descriptors):
    """InputError unless both pictures have a descriptor for each keypoint, all of one length."""
    for k, points, rows in zip((1, 2), places, descriptors, strict=True):
        if not rows.ndim:  # None
            raise InputError(
                f"descriptors{k} must be given; gm.models.from_points matches points without them"
            )
        if len(check_rows(f"descriptors{k}", rows)) != len(points):
            raise InputError(
                f"descriptors{k} must have a row for each of {len(points)} keypoints, got"
                f" {len(rows)}"
            )
    lengths = [rows.shape[1] for rows in descriptors]
    if lengths[0] != lengths[1]:
        raise InputError(
            "descriptors1 and descriptors2 must have the same dimension, got"
            f" {lengths[0]} and {lengths[1]}"
        )


def confidence_of(problem, labels):
    """Return the probability of each match to be correct, from its contribution to the value.

        p = 1 / (1 + exp(-SLOPE sqrt(gain) - SHIFT)),   gain = -(c_is + sum of its edges)

    over the matches in the order of the left nodes.
    """
    chosen = labels[problem.left] == problem.right
    joined = chosen[problem.a] & chosen[problem.b]
    cost = np.array(problem.cost)
    for end in (problem.a, problem.b):
        cost += np.bincount(end[joined], problem.edge_cost[joined], problem.n_candidates)
    order = np.argsort(problem.left[chosen], kind="stable")
    gain = np.maximum(-cost[chosen][order], 0)
    return 1 / (1 + np.exp(-SLOPE * np.sqrt(gain) - SHIFT))


def match_images(image1, image2, *, detector=None, n_keypoints=KEYPOINTS, **options):
    """Find and match the keypoints of two pictures.

    Parameters
    ----------
    image1, image2 : paths, or (height, width) or (height, width, 3 or 4) arrays
        Bytes, 16-bit numbers, or floats in 0 .. 1.
    detector : optional
        One of OpenCV (SIFT_create, ORB_create, ...) or scikit-image (SIFT, ORB), or a function of a
        grey picture that returns (keypoints, descriptors). Default: SIFT of OpenCV, else of
        scikit-image, one of which must be installed.
    n_keypoints : int
        Keypoints of each picture, the strongest ones.
    **options
        As of match_keypoints.

    Returns
    -------
    KeypointMatches
        `.plot()` draws the matches over the pictures.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> picture = np.random.default_rng(0).random((40, 40)).repeat(6, 0).repeat(6, 1)
    >>> def corners(grey):                          # a stand-in for a detector
    ...     places = np.argwhere(grey[3::6, 3::6] > 0.9)[:, ::-1] * 6.0
    ...     near = [grey[int(y) : int(y) + 19, int(x) : int(x) + 19] for x, y in places]
    ...     sizes = [(19 - box.shape[0], 19 - box.shape[1]) for box in near]
    ...     rows = [np.pad(box, ((0, a), (0, b))) for box, (a, b) in zip(near, sizes)]
    ...     return places, np.stack(rows).reshape(len(places), -1)
    >>> m = gm.match_images(picture, picture, detector=corners)
    >>> print(f"{sum(m.matches[:, 0] == m.matches[:, 1])} of {len(m)} matches are correct")
    162 of 162 matches are correct
    """
    n_keypoints = check_count("n_keypoints", n_keypoints, "a positive number of keypoints")
    images = [as_image(name, image) for name, image in (("image1", image1), ("image2", image2))]
    find = as_detector(detector)
    found = [strongest(*find(grey_of(image)), n_keypoints) for image in images]
    for name, (places, _) in zip(("image1", "image2"), found, strict=True):
        if not len(places):
            raise InputError(f"{name} has no keypoints that the detector finds")
    matched = match_keypoints(*found[0], *found[1], **options)
    matched.images = tuple(images)
    return matched


def as_image(name, image):
    """Return the array of a picture or of its file."""
    if isinstance(image, (str, Path)):
        return read_image(name, Path(image))
    image = as_array(name, image)
    if (
        image.ndim not in (2, 3)
        or image.ndim == 3
        and image.shape[2] not in (3, 4)
        or not image.size
    ):
        raise InputError(
            f"{name} must be (height, width) or with 3 or 4 colours, got {image.shape}"
        )
    if image.dtype == np.uint16:
        image = image / 65535.0
    if image.dtype.kind not in "bf" and image.dtype != np.uint8 or not np.isfinite(image).all():
        raise InputError(f"{name} must be bytes, 16-bit numbers or floats, got {image.dtype}")
    if image.dtype.kind == "f":
        low, high = float(image.min()), float(image.max())
        if low < -OVERSHOOT or high > 1 + OVERSHOOT:
            raise InputError(
                f"{name} must have floats in 0 .. 1, got {low:.3g} .. {high:.3g}: divide by the"
                " brightest value, or give bytes"
            )
        image = np.clip(image, 0.0, 1.0)
    return image


def read_image(name, path):
    """Return the array of a picture file, by the first package that is installed."""
    if not path.is_file():
        raise InputError(f"{name}: there is no file {path}")
    try:
        if find_spec("PIL") is not None:
            with import_module("PIL.Image").open(path) as opened:
                return np.asarray(opened.convert("RGB"))
        if find_spec("cv2") is not None:
            read = import_module("cv2").imread(str(path))
            if read is None:
                raise ValueError("it is not a picture")
            return read[..., ::-1]
    except Exception as error:
        raise InputError(f"{name}: {path} cannot be read: {error}") from error
    raise InputError("pictures are read by Pillow or OpenCV: install one, or give arrays")


def grey_of(image):
    """Return a grey picture of floats in 0 .. 1."""
    image = image / 255.0 if image.dtype == np.uint8 else image.astype(float)
    return image if image.ndim == 2 else image[..., :3] @ np.array(GREY)


def as_detector(detector):
    """Return a function of a grey picture that gives (keypoints, descriptors)."""
    if detector is None:
        if find_spec("cv2") is not None:
            detector = import_module("cv2").SIFT_create()
        elif find_spec("skimage") is not None:
            detector = import_module("skimage.feature").SIFT()
        else:
            raise InputError(
                "match_images needs OpenCV or scikit-image for keypoints: install one, or give"
                " detector="
            )
    if hasattr(detector, "detectAndCompute"):
        return lambda grey: detector.detectAndCompute((255 * grey + 0.5).astype(np.uint8), None)
    if hasattr(detector, "detect_and_extract"):
        return lambda grey: by_scikit_image(detector, grey)
    if not callable(detector):
        raise InputError(f"detector must be one of OpenCV or a function, got {detector!r}")
    return detector


class Keypoint(NamedTuple):
    """A keypoint of scikit-image with the attributes of OpenCV's."""

    pt: tuple
    size: float
    angle: float


def by_scikit_image(detector, grey):
    """Return (keypoints, descriptors), none if there are none."""
    try:
        detector.detect_and_extract(grey)
    except (RuntimeError, IndexError):  # it found nothing, or the picture has few pixels
        return np.empty((0, 2)), np.empty((0, 1))
    places = getattr(detector, "positions", None)
    places = detector.keypoints if places is None else places
    places = np.asarray(places, float)[:, ::-1]
    if hasattr(detector, "sigmas"):  # SIFT: angles from the y axis to the x axis
        sizes, angles = detector.sigmas, 90 - np.rad2deg(detector.orientations)
    elif hasattr(detector, "scales") and hasattr(detector, "orientations"):  # ORB
        sizes, angles = detector.scales, np.rad2deg(detector.orientations)
    else:
        return places, detector.descriptors
    found = zip(places.tolist(), sizes, angles % 360, strict=True)
    return [Keypoint(*one) for one in found], detector.descriptors


def strongest(places, descriptors, n):
    """Return the n keypoints with the largest response, of OpenCV's; else the first n."""
    if descriptors is None or not len(places):
        return [], None
    order = np.arange(len(places))
    if hasattr(places[0], "response"):
        order = np.argsort([-point.response for point in places], kind="stable")
    order = np.sort(order[:n])
    if isinstance(places, (list, tuple)):
        places = [places[k] for k in order]
    else:
        places = places[order]
    return places, descriptors[order]
