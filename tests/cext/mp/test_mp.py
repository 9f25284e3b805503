"""The phases of mp: they end by themselves, and slices change nothing."""

import numpy as np
import pytest
from small import in_slices, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("method", ["mp", "mp-mcf", "mp-fw"])
def test_slices_change_nothing(monkeypatch, method):
    problem = random_problem(np.random.default_rng(0), 6, 6, edges=0.4, complete=True)
    in_slices(monkeypatch, problem, method, maxiter=60)


def test_a_tree_is_proven_by_sweeps_alone():
    """A chain of nodes with private labels: block-coordinate sweeps are exact there."""
    rng = np.random.default_rng(1)
    n, k = 5, 3
    left, right = np.repeat(np.arange(n), k), np.arange(n * k)
    a, b = zip(*[(i * k + x, (i + 1) * k + y) for i in range(n - 1) for x in range(k)
                 for y in range(k)], strict=True)  # fmt: skip
    problem = gm.Problem(
        (n, n * k), left, right, rng.normal(size=n * k), a, b, rng.normal(size=len(a)),
        complete=True,
    )  # fmt: skip
    r = gm.gm_solve(problem, "mp", maxiter=500)
    assert r.status == "optimal" and r.bound == pytest.approx(r.value, rel=1e-6)
