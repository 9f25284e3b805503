"""Cheap bounds of Koopmans-Beckmann problems: never above the optimum, not even by rounding."""

from fractions import Fraction

import numpy as np
import pytest
from products import KINDS, random_products
from small import matchings

import gmtoolbox as gm
from gmtoolbox.solvers import _bounds
from gmtoolbox.solvers._factors import QapFactors


def exact_cost(problem, labels):
    """Without any rounding."""
    A, B = (QapFactors(problem).A, QapFactors(problem).B)
    A, B = (M.toarray() if hasattr(M, "toarray") else M for M in (A, B))
    C = {(i, s): c for i, s, c in zip(problem.left, problem.right, problem.cost, strict=True)}
    kept = [(i, s) for i, s in enumerate(labels) if s >= 0]
    total = sum((Fraction(float(C[pair])) for pair in kept), Fraction(0))
    for i, s in kept:
        for j, t in kept:
            total += Fraction(float(A[i, j])) * Fraction(float(B[s, t]))
    return total


@pytest.mark.parametrize("factor", [1.0, 0.1, 1e-7 / 3])
@pytest.mark.parametrize("kind", KINDS)
def test_no_bound_passes_the_optimum_in_exact_arithmetic(kind, factor):
    """Numbers like 0.1 are rounded in every product and sum; no slack is allowed."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        whole = random_products(
            rng, 4, 4 + seed % 2, kind, unary=bool(seed % 2), symmetric=seed % 3 > 0,
            complete=seed % 4 > 0,
        ).as_costs()  # fmt: skip
        problem = gm.models.from_koopmans_beckmann(
            whole.edges.A * factor, whole.edges.B * (1 / 3), QapFactors(whole).C,
            complete=whole.complete,
        ).as_costs()  # fmt: skip
        optimum = min(exact_cost(problem, labels) for labels in matchings(problem))
        for name, bound in _bounds.cheap_bounds(QapFactors(problem)):
            found = float(bound(QapFactors(problem)))
            assert found == -np.inf or Fraction(found) <= optimum, name


def test_an_assignment_is_lowered_by_what_rounding_may_add():
    costs = np.random.default_rng(0).random((30, 30)) / 3
    value = _bounds.bound_assignment(costs)
    rows, columns = _bounds.best_assignment(costs)
    exact = sum((Fraction(float(c)) for c in costs[rows, columns]), Fraction(0))
    assert Fraction(value) <= exact and float(exact) - value < 1e-10


def test_rearrangement_is_met_by_a_graph_and_itself():
    ring = np.roll(np.eye(6), 1, axis=1)
    problem = gm.models.from_graphs(ring + ring.T, ring + ring.T).as_costs()
    r = gm.gm_solve(problem, "auto", time_limit=5.0)
    assert _bounds.edge_bound(QapFactors(problem)) == pytest.approx(problem.signed(r.value))
