"""Many graphs in one HDF5 file."""

import pytest
from multi_cases import random_multi

import gmtoolbox as gm


@pytest.fixture
def scene():
    return gm.synth.worms_multi(d=4, m=12, seed=2)


@pytest.mark.parametrize("name", ["m.h5"])
def test_hdf5_keeps_everything(tmp_path, scene, name):
    gm.save(scene, tmp_path / name)
    again = gm.load(tmp_path / name)
    assert again == scene and again.truth is not None and again.points is not None
    sparse = random_multi(0, (2, 3, 2), density=0.2)
    gm.save(sparse, tmp_path / f"other-{name}")
    assert gm.load(tmp_path / f"other-{name}") == sparse
