"""Pairs of photographs with known correspondences, for bench_keypoints.py.

Pictures: Debian's package `opencv-doc` (OPENCV_DATA, else its usual place) and scikit-image's own.
The truth of a pair is a function of points of the first picture that returns where they are in the
second one (NaN: not visible). It comes from the published homography (graf), a disparity map (aloe,
motorcycle), the warp that made the second picture (bent, tilted), or a reference matching with ten
times as many keypoints as the methods get (box, leuven, ...).
"""

import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from scipy.spatial import cKDTree

OPENCV = Path(os.environ.get("OPENCV_DATA", "/usr/share/doc/opencv-doc/examples/data"))
NEAR = 4.0  # pixels within which two keypoints are the same place
REFERENCE = 8000  # keypoints of the matchings that serve as the truth of a pair


@dataclass
class Pair:
    """Two grey pictures and the map of points from the first to the second."""

    name: str
    first: np.ndarray
    second: np.ndarray
    truth: object
    kind: str  # plane, stereo or bent


def picture(name):
    """Return a picture of opencv-doc in grey."""
    found = cv2.imread(str(OPENCV / name), cv2.IMREAD_GRAYSCALE)
    if found is None:
        raise SystemExit(f"{OPENCV / name} is missing: apt-get install opencv-doc")
    return found


def borrowed(name):
    """Return a picture of scikit-image in grey, at most 700 pixels wide."""
    from skimage import data

    found = getattr(data, name)()
    if found.ndim == 3:
        found = cv2.cvtColor(found[..., :3], cv2.COLOR_RGB2GRAY)
    while max(found.shape) > 900:
        found = cv2.resize(found, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return found


def by_homography(H):
    """Return the map of points by a 3 x 3 matrix."""
    return lambda P: cv2.perspectiveTransform(np.asarray(P, float)[None], H)[0]


def by_disparity(disparity):
    """Return the map (x, y) -> (x - d(x, y), y); unknown disparities are not visible."""

    def there(P):
        x, y = np.round(P).astype(int).T
        rows, columns = disparity.shape
        found = disparity[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)].astype(float)
        found[~np.isfinite(found) | (found <= 0)] = np.nan
        return np.column_stack([P[:, 0] - found, P[:, 1]])

    return there


def reference_matches(first, second, model):
    """Return (P, Q) of inliers of a robust fit to the matches of many keypoints; and the fit."""
    sift = cv2.SIFT_create(REFERENCE, contrastThreshold=0.01)
    (k1, d1), (k2, d2) = (sift.detectAndCompute(image, None) for image in (first, second))
    found = [m for m, n in cv2.BFMatcher().knnMatch(d1, d2, 2) if m.distance < 0.75 * n.distance]
    P = np.array([k1[m.queryIdx].pt for m in found])
    Q = np.array([k2[m.trainIdx].pt for m in found])
    if model == "homography":
        M, inlier = cv2.findHomography(P, Q, cv2.USAC_MAGSAC, 2.0, maxIters=20000)
    else:
        M, inlier = cv2.findFundamentalMat(P, Q, cv2.USAC_MAGSAC, 1.0, 0.9999, 20000)
    inlier = inlier.ravel() > 0
    return P[inlier], Q[inlier], M


def by_reference(first, second):
    """Return the map by the nearest reference matches: an affinity fitted to the 8 nearest, where
    most of those agree on it within 3 pixels.
    """
    P0, Q0, _ = reference_matches(first, second, "epipolar")
    tree = cKDTree(P0)

    def there(P):
        out = np.full(np.shape(P), np.nan)
        for row, near in enumerate(tree.query(P, 8)[1]):
            ends = np.column_stack([P0[near], np.ones(8)])
            M = np.linalg.lstsq(ends, Q0[near], rcond=None)[0]
            for _ in range(3):  # twice without those that are farthest off
                off = np.linalg.norm(ends @ M - Q0[near], axis=1)
                kept = off <= np.sort(off)[5]
                M = np.linalg.lstsq(ends[kept], Q0[near][kept], rcond=None)[0]
            off = np.linalg.norm(ends @ M - Q0[near], axis=1)
            if np.sort(off)[5] < 3:
                out[row] = np.append(P[row], 1) @ M
        return out

    return there


def bend(image, seed, angle, scale, depth):
    """Return a bent, turned, darker and noisy copy, and the map of points to it.

    q = c + s R(angle) (p - c) + depth * sum of four sine waves of the size of the picture
    """
    rng = np.random.default_rng(seed)
    rows, columns = image.shape
    centre, size = np.array([columns, rows]) / 2, float(max(rows, columns))
    turn = np.deg2rad(angle)
    M = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    waves = rng.normal(0, 1, (4, 2)) * 2 * np.pi / size
    heights, phases = rng.normal(0, depth, (4, 2)), rng.uniform(0, 2 * np.pi, 4)

    def move(P):
        P = np.asarray(P, float)
        return centre + (P - centre) @ M.T + np.sin(P @ waves.T + phases) @ heights

    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    back = grid.astype(float)
    for _ in range(30):  # the inverse by Newton's method with the linear part
        back -= (move(back) - grid) @ np.linalg.inv(M).T
    maps = back.reshape(rows, columns, 2).astype(np.float32)
    other = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return disturbed(other, rng), move


def tilt(image, seed, strength):
    """Return the picture seen from aside (a homography), darker and noisy, and the map to it."""
    rng = np.random.default_rng(seed)
    rows, columns = image.shape
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    moved = corners + rng.uniform(-strength, strength, (4, 2)) * [columns, rows]
    H = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    return disturbed(cv2.warpPerspective(image, H, (columns, rows)), rng), by_homography(H)


def bulge(image, seed, angle, scale, strength):
    """Return a turned copy as a wide-angle lens shows it, darker and noisy, and the map to it.

    q = c + s R(angle) (p - c) / (1 + strength |p - c|^2 / h^2), h: half of the picture's size
    """
    rows, columns = image.shape
    centre, half = np.array([columns, rows]) / 2, max(rows, columns) / 2
    turn = np.deg2rad(angle)
    M = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])

    def move(P):
        off = (np.asarray(P, float) - centre) @ M.T
        far = (off**2).sum(axis=1, keepdims=True) / (scale * half) ** 2
        return centre + off / (1 + strength * far)

    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    back = grid.astype(float)
    for _ in range(60):
        back -= 0.7 * (move(back) - grid) @ np.linalg.inv(M).T
    maps = back.reshape(rows, columns, 2).astype(np.float32)
    other = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return disturbed(other, np.random.default_rng(seed)), move


def slide(image, seed, by):
    """Return the picture with its right half moved down, blurred and noisy, and the map to it."""
    middle = image.shape[1] // 2
    other = image.copy()
    other[:, middle:] = np.roll(image[:, middle:], by, axis=0)

    def move(P):
        P = np.array(P, float)
        P[P[:, 0] >= middle, 1] += by
        P[P[:, 1] >= image.shape[0]] = np.nan
        return P

    blurred = cv2.GaussianBlur(other, (0, 0), 1.0)
    return disturbed(blurred, np.random.default_rng(seed)), move


def disturbed(image, rng):
    """Return the picture with less contrast, and noise."""
    noisy = 255 * (image / 255.0) ** 1.3 * 0.85 + rng.normal(0, 4, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def pairs():
    """Yield the pairs; the first nine are those of the table, the others check the constants."""
    yield Pair("graf", picture("graf1.png"), picture("graf3.png"), published(), "plane")
    for name, files in (("box", ("box.png", "box_in_scene.png")),):
        first, second = (picture(file) for file in files)
        H = reference_matches(first, second, "homography")[2]
        yield Pair(name, first, second, by_homography(H), "plane")
    yield Pair("aloe", picture("aloeL.jpg"), picture("aloeR.jpg"), aloe(), "stereo")
    yield motorcycle()
    yield referred("leuven", "leuvenA.jpg", "leuvenB.jpg")
    for number, (name, angle, scale, depth) in enumerate(
        (("astronaut", 20, 0.9, 12), ("chelsea", -35, 1.1, 12), ("coffee", 5, 0.8, 20))
    ):
        image = borrowed(name)
        yield Pair(f"bent {name}", image, *bend(image, number, angle, scale, depth), "bent")
    image = picture("home.jpg")
    yield Pair("tilted home", image, *tilt(image, 3, 0.15), "plane")
    # ---- hardly looked at when constants were chosen
    yield referred("suzanne", "Blender_Suzanne1.jpg", "Blender_Suzanne2.jpg")
    yield referred("basketball", "basketball1.png", "basketball2.png")
    yield referred("chessboard", "left01.jpg", "right01.jpg")
    yield referred("rubberwhale", "rubberwhale1.png", "rubberwhale2.png")
    first, second = picture("imageTextN.png"), picture("imageTextR.png")
    H = reference_matches(first, second, "homography")[2]
    yield Pair("text", first, second, by_homography(H), "plane")
    for number, (name, angle, scale, depth) in enumerate(
        (
            ("butterfly.jpg", 60, 0.8, 10),
            ("fruits.jpg", -10, 0.9, 15),
            ("building.jpg", 30, 1.1, 15),
        )
    ):
        image = picture(name)
        bent = bend(image, 20 + number, angle, scale, depth)
        yield Pair(f"bent {name[:-4]}", image, *bent, "bent")
    for number, name in enumerate(("fruits.jpg", "starry_night.jpg", "messi5.jpg", "board.jpg")):
        image = picture(name)
        yield Pair(f"tilted {name[:-4]}", image, *tilt(image, 40 + number, 0.2), "plane")


def more_pairs():
    """Yield pairs whose scores have not changed any constant."""
    bent = (
        ("baboon.jpg", 40, 0.85, 10), ("blox.jpg", -25, 1.1, 12), ("chicky_512.png", 15, 0.9, 18),
        ("smarties.png", 70, 0.8, 8), ("stuff.jpg", -50, 1.0, 14), ("messi5.jpg", 10, 1.15, 15),
    )  # fmt: skip
    for number, (name, angle, scale, depth) in enumerate(bent):
        image = picture(name)
        copy = bend(image, 900 + number, angle, scale, depth)
        yield Pair(f"bent {name[:-4]}", image, *copy, "bent")
    tilted = ("baboon.jpg", "cards.png", "sudoku.png", "chicky_512.png", "butterfly.jpg",
              "squirrel_cls.jpg", "stuff.jpg")  # fmt: skip
    for number, name in enumerate(tilted):
        image = picture(name)
        yield Pair(f"tilted {name[:-4]}", image, *tilt(image, 950 + number, 0.2), "plane")
    for number, name in enumerate(("rocket", "coins", "camera", "brick")):
        image = borrowed(name)
        copy = bend(image, 970 + number, 30 - 20 * number, 0.9, 12)
        yield Pair(f"bent {name}", image, *copy, "bent")
    yield referred("chessboard 3", "left03.jpg", "right03.jpg")


def unseen_pairs():
    """Yield pairs of other pictures and other warps: lenses, halves that slide, real stereo."""
    lenses = (
        ("apple.jpg", 90, 1.0, 0.2), ("HappyFish.jpg", -20, 0.9, 0.3), ("aero1.jpg", 160, 0.8, 0.3),
        ("ela_original.jpg", 10, 1.0, 0.4),
    )  # fmt: skip
    for number, (name, *how) in enumerate(lenses):
        image = picture(name)
        yield Pair(f"lens {name[:-4]}", image, *bulge(image, 500 + number, *how), "bent")
    for number, name in enumerate(("gravel", "immunohistochemistry", "hubble_deep_field", "clock")):
        image = borrowed(name)
        how = 45 * number - 70, 0.85 + 0.1 * number, 0.3
        yield Pair(f"lens {name}", image, *bulge(image, 510 + number, *how), "bent")
    for number, name in enumerate(("ela_original.jpg", "aero1.jpg", "home.jpg", "left.jpg")):
        image = picture(name)
        yield Pair(f"halves {name[:-4]}", image, *slide(image, 520 + number, 25), "bent")
    for number, name in enumerate(("page", "retina", "moon", "grass")):
        image = borrowed(name)
        yield Pair(f"tilted {name}", image, *tilt(image, 530 + number, 0.2), "plane")
    yield referred("left and right", "left.jpg", "right.jpg")
    yield referred("chessboard 7", "left07.jpg", "right07.jpg")


def referred(name, first, second):
    """Return a pair of opencv-doc whose truth is a reference matching."""
    first, second = picture(first), picture(second)
    return Pair(name, first, second, by_reference(first, second), "stereo")


def published():
    """Return the map of graf1.png to graf3.png as it was published with them."""
    file = cv2.FileStorage(str(OPENCV / "H1to3p.xml"), cv2.FILE_STORAGE_READ)
    return by_homography(file.getNode("H13").mat())


def aloe():
    """Return the map of the left to the right picture of the aloe."""
    return by_disparity(picture("aloeGT.png"))


def motorcycle():
    """Return scikit-image's stereo pair at half its size."""
    from skimage import data

    left, right, disparity = data.stereo_motorcycle()
    first, second = (cv2.cvtColor(side, cv2.COLOR_RGB2GRAY) for side in (left, right))
    return Pair("motorcycle", first, second, by_disparity(disparity), "stereo")
