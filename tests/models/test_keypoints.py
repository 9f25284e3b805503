"""Keypoints of OpenCV, kornia and LightGlue are taken as arrays are."""

from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.keypoints import (
    descriptor_rows,
    keypoint_frames,
    keypoint_places,
    plain,
    plane_places,
)

P = np.arange(10.0).reshape(5, 2)


class Tensor:
    """As much of a torch tensor with a gradient as is asked for."""

    def __init__(self, array, has_gradient=True):
        self.array, self.has_gradient = array, has_gradient

    def detach(self):
        return Tensor(self.array, False)

    def cpu(self):
        return self

    def numpy(self):
        assert not self.has_gradient
        return self.array

    def __array__(self, *args, **kwargs):
        raise RuntimeError("a tensor with a gradient is not an array")


def frames(points):
    """Kornia's (1, n, 2, 3) local affine frames of points."""
    linear = np.tile(np.eye(2), (len(points), 1, 1))
    return np.concatenate([linear, points[:, :, None]], axis=2)[None]


@pytest.mark.parametrize(
    "given",
    [
        P,
        P.tolist(),
        [SimpleNamespace(pt=tuple(p), size=3.0, angle=9.0) for p in P],
        Tensor(P),
        Tensor(P[None]),
        Tensor(frames(P)),
        {"keypoints": Tensor(P[None]), "descriptors": Tensor(P[None])},
        {"kpts": P},
    ],
)
def test_every_form_of_keypoints(given):
    assert np.array_equal(keypoint_places("kpts0", given), P)
    assert np.array_equal(plane_places("kpts0", given), P)


def test_descriptors_keep_their_type():
    bits = np.zeros((5, 32), np.uint8)
    for given in (bits, Tensor(bits), Tensor(bits[None]), {"descriptors": bits}):
        assert descriptor_rows("F1", given).dtype == np.uint8
        assert descriptor_rows("F1", given).shape == (5, 32)


def test_what_is_not_a_tensor_stays():
    assert plain(3) == 3 and plain("x") == "x" and plain(None) is None


def test_wrong_forms_are_named():
    with pytest.raises(InputError, match="must have 'keypoints', got"):
        keypoint_places("kpts0", {"points": P})
    with pytest.raises(InputError, match="must be plane points"):
        plane_places("kpts0", np.zeros((4, 3)))


def test_doors_take_tensors_and_keypoints():
    rng = np.random.default_rng(0)
    P, F = rng.uniform(0, 99, (30, 2)), rng.normal(size=(30, 8))
    cv = [SimpleNamespace(pt=tuple(p)) for p in P]
    plain = gm.models.from_points(P, P + 5, F, F)
    for one in (gm.models.from_points(Tensor(P), Tensor(P + 5), Tensor(F[None]), Tensor(F)),
                gm.models.from_points(cv, P + 5, F, F)):  # fmt: skip
        assert one == plain
    pairs = np.column_stack([np.arange(30), np.arange(30)])
    lightglue = gm.models.from_matches(
        {"keypoints": Tensor(P[None])}, Tensor(P + 5), Tensor(pairs), Tensor(np.full(30, 0.9))
    )
    assert lightglue == gm.models.from_matches(P, P + 5, pairs, np.full(30, 0.9))


# ---- angles and sizes


def turned(n=40, **fixed):
    """Keypoints of OpenCV's kind with random sizes and angles, and their frames."""
    rng = np.random.default_rng(0)
    size, angle = rng.uniform(2, 20, n), rng.uniform(0, 360, n)
    size, angle = (fixed.get(name, k) for name, k in (("size", size), ("angle", angle)))
    size, angle = np.broadcast_to(size, n), np.broadcast_to(angle, n)
    keys = [
        SimpleNamespace(pt=(k, k), size=s, angle=a)
        for k, (s, a) in enumerate(zip(size, angle, strict=True))
    ]
    return keys, np.log(np.maximum(size, 1)) + 1j * np.deg2rad(angle)


def test_frames_of_opencv_kornia_and_dictionaries_are_the_same():
    keys, expected = turned()
    z = np.exp(expected)
    laf = np.zeros((1, len(z), 2, 3))
    laf[0, :, 0, 0] = laf[0, :, 1, 1] = z.real
    laf[0, :, 1, 0], laf[0, :, 0, 1] = z.imag, -z.imag
    named = {"keypoints": laf[0, :, :, 2], "scales": np.abs(z)[None], "oris": np.angle(z)[None]}
    for given in (keys, laf, Tensor(laf), named):
        for found in keypoint_frames(given, keys):
            assert np.allclose(np.exp(found), z)


@pytest.mark.parametrize(
    "fixed, has_size, has_angle",
    [
        ({}, True, True),
        ({"angle": -1.0}, True, False),  # not known
        ({"angle": 0.0}, True, False),  # upright descriptors
        ({"size": 7.0}, False, True),
        ({"size": np.tile([31.0, 37.2, 44.6, 53.6], 10)}, False, True),  # levels of a pyramid
        ({"size": 0.0}, False, True),
    ],
)
def test_parts_that_say_nothing_are_left_out(fixed, has_size, has_angle):
    found = keypoint_frames(turned()[0], turned(**fixed)[0])
    assert all(f.real.any() == has_size and f.imag.any() == has_angle for f in found)


def test_plain_points_have_no_frames():
    keys = turned()[0]
    assert keypoint_frames(keys, P) is None and keypoint_frames(P, P) is None
    assert keypoint_frames(*[turned(size=7.0, angle=-1.0)[0]] * 2) is None
