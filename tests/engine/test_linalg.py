"""Products with -K straight from the edges; positive definite solves by CHOLMOD in both its
interfaces, or by SuperLU.
"""

import inspect
import sys
import types

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import eigsh, splu

import gmtoolbox as gm
from gmtoolbox.engine.linalg import cholmod_factor, eigenpairs, positive_definite_solver


@pytest.fixture
def system():
    rng = np.random.default_rng(0)
    B = scipy.sparse.random_array((30, 30), density=0.1, rng=rng)
    return (B @ B.T + scipy.sparse.eye_array(30)).tocsc(), rng.normal(size=30)


class Factor:
    """What both versions return: callable in 0.4, with a solve method in 0.5."""

    def __init__(self, S):
        self.lu = splu(S.tocsc())


class Factor4(Factor):
    def __call__(self, y):
        return self.lu.solve(y)


class Factor5(Factor):
    def solve(self, y):
        return self.lu.solve(y)


INTERFACES = {
    "0.4": {"cholesky": Factor4},
    "0.5": {"cho_factor": Factor5, "cholesky": lambda S: (S, None)},
    "none": None,
}


@pytest.fixture(params=INTERFACES)
def interface(request, monkeypatch):
    members = INTERFACES[request.param]
    module = None
    if members is not None:
        module = types.ModuleType("sksparse")
        module.cholmod = types.SimpleNamespace(**members)
    monkeypatch.setitem(sys.modules, "sksparse", module)  # None makes the import fail
    return request.param


def test_every_interface_solves(system, interface):
    S, y = system
    assert (cholmod_factor(S) is None) == (interface == "none")
    assert np.allclose(S @ positive_definite_solver(S)(y), y)


def test_smac_is_the_same_with_every_interface(interface):
    K = np.random.default_rng(1).random((36, 36))
    assert gm.gm_solve(K, "smac").value == pytest.approx(20.21435644274209)


def test_the_real_cholmod_agrees_with_superlu(system, monkeypatch):
    pytest.importorskip("sksparse.cholmod")
    S, y = system
    with_cholmod = positive_definite_solver(S)(y)
    monkeypatch.setattr("gmtoolbox.engine.linalg.cholmod_factor", lambda S: None)
    assert np.allclose(with_cholmod, positive_definite_solver(S)(y), rtol=1e-12, atol=1e-12)


def test_eigenpairs_are_the_same_every_time():
    """The start is an eigenvector itself: ARPACK goes on with vectors of its own choice."""
    n = 60
    i = np.arange(n)
    cycle = (abs(i[:, None] - i) % (n - 2) == 1).astype(float)
    first, second = (eigenpairs(cycle, np.ones(n), k=3, which="LA", ncv=6)[1] for _ in range(2))
    if "rng" in inspect.signature(eigsh).parameters:  # older ones go on from call to call
        assert np.array_equal(first, second)
    assert np.abs(first[:, -1]) == pytest.approx(1 / np.sqrt(n))
