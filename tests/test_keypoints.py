"""Matching keypoints and pictures in one call."""

from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.keypoints import as_detector, as_image, confidence_of, grey_of, strongest


def scene(seed=0, n=120, outliers=60, noise=0.6):
    """(P, F1, Q, F2): the first n keypoints correspond, the others are outliers."""
    rng = np.random.default_rng(seed)
    P, F1 = rng.uniform(0, 400, (n + outliers, 2)), rng.normal(size=(n + outliers, 16))
    Q = P @ [[0.8, 0.3], [-0.3, 0.8]] + 12 * np.sin(P / 80) + rng.normal(0, 0.5, P.shape)
    F2 = F1 + rng.normal(0, noise, F1.shape)
    Q[n:], F2[n:] = rng.uniform(0, 400, (outliers, 2)), rng.normal(size=(outliers, 16))
    return P, F1, Q, F2


@pytest.mark.parametrize("seed", range(3))
def test_bent_scenes_are_matched(seed):
    P, F1, Q, F2 = scene(seed)
    m = gm.match_keypoints(P, F1, Q, F2)
    correct = (m.matches[:, 0] == m.matches[:, 1]) & (m.matches[:, 0] < 120)
    assert correct.sum() >= 114 and (~correct).sum() <= 4
    assert (m.inliers & correct).sum() >= 112
    assert m.confidence[correct].mean() > 0.9 and m.confidence.max() < 1
    assert np.array_equal(m.points1, P[m.matches[:, 0]]) and len(m) == len(m.points2)
    assert f"{len(m)} of 180 and 180 keypoints" in repr(m)


def test_the_model_of_the_camera_is_returned():
    rng = np.random.default_rng(4)
    P, F = rng.uniform(0, 400, (100, 2)), rng.normal(size=(100, 16))
    Q = (P @ [[0.9, 0.1], [-0.2, 1.0]] + 30) / (1 + 3e-4 * P[:, 1:])
    m = gm.match_keypoints(P, F, Q, F + rng.normal(0, 0.4, F.shape), geometry="homography")
    moved = np.column_stack([P, np.ones(100)]) @ m.model.T
    assert np.linalg.norm(moved[:, :2] / moved[:, 2:] - Q, axis=1).max() < 1
    assert gm.match_keypoints(P, F, Q, F).model is None


def test_confidence_is_computed_from_what_a_match_adds():
    p = gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, 2.0], [0], [1], [-3.0])
    expected = 1 / (1 + np.exp(-1.3 * np.sqrt([4.0, 1.0]) + 0.4))
    assert np.allclose(confidence_of(p, np.array([0, 1])), expected)


def test_pictures_are_drawn_and_matches_given_back():
    P, F1, Q, F2 = scene(1, n=30, outliers=10)
    m = gm.match_keypoints(P, F1, Q, F2)
    assert m.pairs is m.matches and (m.pairs == m.result.pairs).all()
    assert m.plot().count("class='pair") == len(m) and "svg" in m._repr_html_()
    cv2 = pytest.importorskip("cv2")
    given = m.to_opencv()
    assert isinstance(given[0], cv2.DMatch)
    assert [(d.queryIdx, d.trainIdx) for d in given] == [tuple(pair) for pair in m.matches]


def blocks(grey):
    """A stand-in for a detector: bright blocks of 8 pixels, described by their surroundings."""
    places = np.argwhere(grey[4:-24:8, 4:-24:8] > 0.8)[:, ::-1] * 8.0
    rows = [grey[int(y) : int(y) + 24 : 4, int(x) : int(x) + 24 : 4].ravel() for x, y in places]
    return places, np.array(rows)


def test_images_by_any_detector():
    rng = np.random.default_rng(0)
    first = rng.random((40, 40)).repeat(8, 0).repeat(8, 1)
    second = np.roll(first, 16, axis=1)
    m = gm.match_images(first, second, detector=blocks, time_limit=3)
    off = m.points2 - m.points1
    assert (off == [16, 0]).all(axis=1).mean() > 0.9 and len(m) > 100
    assert m.images[0].shape == (320, 320) and "<image" in m.plot()
    assert len(gm.match_images(first, second, detector=blocks, n_keypoints=40).keypoints1) == 40


def test_opencv_and_scikit_image_are_detectors():
    pytest.importorskip("cv2")
    skimage = pytest.importorskip("skimage")
    picture = skimage.data.camera()[100:400, 100:400]
    turned = np.ascontiguousarray(np.rot90(picture))
    m = gm.match_images(picture, np.stack([turned] * 3, -1), n_keypoints=300)
    expected = np.column_stack([m.points1[:, 1], 299 - m.points1[:, 0]])
    assert len(m) > 50 and (np.linalg.norm(m.points2 - expected, axis=1) < 3).mean() > 0.95
    from skimage.feature import ORB

    places, rows = as_detector(ORB(n_keypoints=30))(grey_of(picture))
    assert len(places) == len(rows) == 30


def test_files_are_read(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    Image.fromarray(np.full((5, 6), 7, np.uint8)).save(tmp_path / "one.png")
    assert as_image("image1", tmp_path / "one.png").shape == (5, 6, 3)
    (tmp_path / "two.png").write_text("no picture")
    with pytest.raises(InputError, match="image1: .*two.png cannot be read"):
        as_image("image1", str(tmp_path / "two.png"))


def test_a_table_of_matches():
    pytest.importorskip("pandas")
    P, F1, Q, F2 = scene()
    m = gm.match_keypoints(P, F1, Q, F2)
    frame = m.to_dataframe()
    assert frame[["index1", "index2"]].to_numpy().tolist() == m.matches.tolist()
    assert frame[["x2", "y2"]].to_numpy().tolist() == m.points2.tolist()
    assert frame.inlier.sum() == m.inliers.sum() and len(frame) == len(m)


def test_a_picture_of_few_pixels_has_no_keypoints():
    skimage = pytest.importorskip("skimage.feature")
    with pytest.raises(InputError, match="image1 has no keypoints"):
        gm.match_images(np.eye(3), np.eye(3), detector=skimage.SIFT())


def test_the_strongest_keypoints_are_kept():
    points = [SimpleNamespace(pt=(k, k), response=r) for k, r in enumerate((1, 9, 3, 5))]
    kept, rows = strongest(points, np.arange(4)[:, None], 2)
    assert [point.pt for point in kept] == [(1, 1), (3, 3)] and rows.ravel().tolist() == [1, 3]


def test_floats_a_little_beyond_the_range_are_cut():
    """Interpolation overshoots."""
    image = as_image("image1", np.array([[-0.1, 0.5], [1.1, 1.0]]))
    assert image.tolist() == [[0.0, 0.5], [1.0, 1.0]]


BAD = [
    (lambda: gm.match_images("none.png", "none.png"), "image1: there is no file none.png"),
    (lambda: gm.match_images(np.zeros(5), np.zeros((5, 5))), "image1 must be"),
    (lambda: gm.match_images(np.zeros((5, 5), int), np.zeros((5, 5))), "image1 must be bytes"),
    (lambda: gm.match_images(np.zeros((0, 5)), np.zeros((5, 5))), "image1 must be"),
    (
        lambda: gm.match_keypoints(np.eye(2), np.eye(2), np.ones((2, 8)), np.ones((2, 8))),
        "the order is keypoints1, descriptors1, keypoints2, descriptors2",
    ),
    (
        lambda: gm.match_keypoints([], None, np.eye(2), np.ones((2, 8))),
        "keypoints1 must hold at least one point",
    ),
    (lambda: as_detector(3), "detector must be one of OpenCV or a function"),
    (
        lambda: gm.match_images(
            np.zeros((9, 9)), np.zeros((9, 9)), detector=lambda g: (np.zeros((0, 2)), None)
        ),
        "image1 has no keypoints",
    ),
    (lambda: gm.match_images(np.eye(9), np.eye(9), n_keypoints=0), "n_keypoints must be"),
    (
        lambda: gm.match_images(np.full((9, 9), 200.0), np.eye(9)),
        "image1 must have floats in 0 .. 1, got 200 .. 200: divide by the brightest value",
    ),
    (lambda: gm.match_keypoints(np.eye(2), None, np.eye(2), None), "descriptors1 must be given"),
    (
        lambda: gm.match_keypoints(np.eye(2), np.eye(2, 8), np.eye(2), np.eye(3, 8)),
        "descriptors2 must have a row for each of 2 keypoints, got 3",
    ),
    (
        lambda: gm.match_keypoints(np.eye(2), np.eye(2, 8), np.eye(2), np.eye(2, 7)),
        "descriptors1 and descriptors2 must have the same dimension, got 8 and 7",
    ),
    (
        lambda: gm.match_keypoints(np.eye(2), np.eye(2, 8), np.eye(2), np.eye(2, 8), timelimit=1),
        "match_keypoints.. has no argument 'timelimit' .did you mean 'time_limit'",
    ),
    (
        lambda: gm.match_keypoints(np.eye(3), np.eye(3), np.eye(3), np.eye(3)),
        "keypoints1 must be plane points",
    ),
]


@pytest.mark.parametrize("call,message", BAD)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_time_limit_and_seed_reach_the_solver(monkeypatch):
    given = {}

    def solve(problem, **options):
        given.update(options)
        return gm.gm_solve(problem, **options)

    monkeypatch.setattr("gmtoolbox.keypoints.gm_solve", solve)
    gm.match_keypoints(*scene(0, n=20, outliers=5), time_limit=0.5, seed=7)
    assert given == {"time_limit": 0.5, "seed": 7}
    gm.match_keypoints(*scene(0, n=20, outliers=5), rng=7)
    assert given["seed"] == 7
