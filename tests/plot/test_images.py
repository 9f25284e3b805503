"""Photographs in pictures: what is embedded comes out again, whatever the type of the array."""

import io

import numpy as np
import pytest

from gmtoolbox.core.errors import InputError
from gmtoolbox.plot import images


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 1), (5, 7, 3), (5, 7, 4)])
def test_there_and_back(shape):
    image = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    back = images.from_png(images.embed(image))
    assert np.array_equal(back, image.reshape(5, 7, -1))


def test_other_readers_agree():
    Image = pytest.importorskip("PIL.Image")
    image = np.random.default_rng(1).integers(0, 256, (6, 4, 3)).astype(np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(images.png(image)))), image)


def test_every_type_becomes_bytes():
    assert images.as_bytes([[0.0, 0.5, 2.0, np.nan]]).ravel().tolist() == [0, 128, 255, 0]
    assert images.as_bytes(np.array([[True, False]])).ravel().tolist() == [255, 0]
    assert images.as_bytes(np.array([[65535, 256]], np.uint16)).ravel().tolist() == [255, 1]


def test_large_photographs_are_thinned_out(monkeypatch):
    monkeypatch.setattr(images, "LARGEST", 10)
    assert images.as_bytes(np.zeros((25, 12), np.uint8)).shape == (9, 4, 1)


@pytest.mark.parametrize("shape", [(3,), (3, 3, 2), (0, 3), (2, 2, 3, 1)])
def test_what_is_no_image_is_refused(shape):
    with pytest.raises(InputError, match="an image must be"):
        images.as_bytes(np.zeros(shape))
