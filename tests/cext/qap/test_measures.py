"""qap/measures: which matrices a few large entries dominate, and the size of a cost."""

import numpy as np
import pytest
from c_internals import internals


def measured(A, B, C=None):
    """(is dominated, magnitude)"""
    ffi, lib = internals("qap/measures.h")
    arrays = {
        k: np.ascontiguousarray(M) for k, M in zip("ABC", (A, B, C), strict=True) if M is not None
    }
    fields = {k: ffi.from_buffer("double[]", M) for k, M in arrays.items()}
    qap = ffi.new("gm_qap *", {"n": len(A), **fields})
    return bool(lib.qap_is_dominated(qap)), lib.qap_magnitude(qap)


def test_few_large_entries_of_both_matrices_dominate():
    rng = np.random.default_rng(0)
    flat, heavy = 9.0 + rng.random((20, 20)), rng.random((20, 20)) ** 30
    for M in (flat, heavy):
        np.fill_diagonal(M, 0.0)
    assert measured(heavy, heavy)[0]
    assert not measured(flat, heavy)[0] and not measured(flat, flat)[0]


def test_the_magnitude_is_a_mean_cost_without_signs():
    rng = np.random.default_rng(1)
    A, B, C = rng.standard_normal((3, 6, 6))
    C[0, 0] = np.inf
    wanted = 36 * np.abs(A).mean() * np.abs(B).mean()
    assert measured(A, B)[1] == pytest.approx(wanted)
    unary = np.abs(C[np.isfinite(C)]).sum() / 6
    assert measured(A, B, C)[1] == pytest.approx(wanted + unary)
