"""Batches of arrays and tensors."""

import subprocess
import sys

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.compat.pygmtools import arrays


def test_batch_dimension_is_added_and_taken_away():
    for shape in ((2, 3), (4, 2, 3)):
        batch, is_batched = arrays.as_batch("s", np.zeros(shape))
        assert batch.ndim == 3 and arrays.unbatch(batch, is_batched).shape == shape
    with pytest.raises(gm.InputError, match="s must have 2 or 3 dimensions, got 1"):
        arrays.as_batch("s", np.zeros(3))


def test_counts():
    assert arrays.as_counts("n1", None, 2, 5) == [5, 5]
    assert arrays.as_counts("n1", 3, 2, 5) == [3, 3]
    assert arrays.as_counts("n1", np.array([3, 4]), 2, 5) == [3, 4]
    for wrong in ([3], [3.5, 2.0], [0, 1], [6, 1]):
        with pytest.raises(gm.InputError, match="n1 must be"):
            arrays.as_counts("n1", wrong, 2, 5)


def test_backend_is_that_of_the_array():
    arrays.check_backend("numpy", np.zeros(2))
    with pytest.raises(gm.InputError, match="backend must be 'numpy' or None"):
        arrays.check_backend("pytorch", np.zeros(2))


def test_torch_is_not_imported():
    code = "import sys, gmtoolbox.compat.pygmtools; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)


def test_tensors_come_back_as_tensors():
    torch = pytest.importorskip("torch")
    given = torch.ones(2, 3, dtype=torch.float32)
    assert arrays.is_tensor(given) and not arrays.is_tensor(np.ones(3))
    assert arrays.like(given, np.zeros(4)).dtype == torch.float32
    with pytest.raises(gm.InputError, match="K must not require a gradient"):
        arrays.as_numpy("K", given.requires_grad_(), needs_gradient=True)


def test_backends_need_not_be_set():
    assert arrays.set_backend("pytorch") is None
    with pytest.raises(gm.InputError, match="must be 'numpy' or 'pytorch', got 'jittor'"):
        arrays.set_backend("jittor")
