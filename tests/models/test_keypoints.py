"""Keypoints of OpenCV, kornia and LightGlue are taken as arrays are."""

from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.keypoints import descriptor_rows, keypoint_places, plain, plane_places

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
