"""Printed results do not depend on the processor: BLAS rounds in another order on another one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Kernels that round differently: one of several equal matchings is not found by both.
KERNELS = ["Sandybridge", "Haswell"]


@pytest.mark.long
@pytest.mark.parametrize("kernel", KERNELS)
def test_pages_hold_with_other_kernels_of_blas(kernel):
    """OpenBLAS takes the kernels that OPENBLAS_CORETYPE names; other libraries ignore it."""
    pages = [TESTS / name for name in ("test_tutorials.py", "test_docs.py", "test_examples.py")]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, pages)],
        env=os.environ | {"OPENBLAS_CORETYPE": kernel},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert run.returncode == 0, run.stdout[-3000:]
