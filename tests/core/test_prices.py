"""The tolerance of edges in every form, and the rounding error of a cost."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from small import FORMS, matchings, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox.core.prices import second_prices, typical


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_a_tolerance_of_the_size_of_its_costs(form):
    rng = np.random.default_rng(0)
    for _ in range(5):
        problem = problem_with(form, rng, 5, 6, density=1.0)
        listed = problem.explicit()
        assert 0 < problem.tolerance <= 1e-9 * listed.largest_cost
        assert problem.tolerance >= 1e-3 * listed.tolerance


def test_the_tolerance_is_a_billionth_of_what_matchings_differ_in():
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [0.0, 5.0, 3.0, 1.0], complete=True)
    assert problem.tolerance == pytest.approx(2e-9)


def test_second_prices_of_rows():
    M = np.array([[0.0, 3.0, 5.0], [2.0, 2.0, 2.0], [-1.0, 0.5, 9.0]])
    prices, least = second_prices(M)
    assert prices.tolist() == [2.0, 1.5] and least == 1.5
    prices, least = second_prices(sparse.csr_array([[0.0, 4.0, 0.0], [1.0, 0.0, 6.0]]))
    assert prices.tolist() == [4.0, 1.0] and least == 1.0
    assert typical([1.0, 2.0, 9.0], 1.0, [3.0]) == 6.0
    assert typical([1e-9, 2.0, 9.0], 1.0) == pytest.approx(1e-6), "at most 1000 times the least"
    assert typical([1.0, 2.0, 9.0], 1e-9) == pytest.approx(1e-6)
    assert typical([], np.inf) == np.inf


@pytest.mark.parametrize("form", FORMS)
def test_costs_err_by_less(form):
    rng = np.random.default_rng(1)
    problem = problem_with(form, rng, 4, 4, density=1.0)
    listed = problem.explicit()
    for labels in list(matchings(problem))[::40]:
        chosen = set(listed.candidates_of(np.array(labels)).tolist())
        terms = [Fraction(listed.cost[k]) for k in chosen]
        terms += [
            Fraction(cost)
            for a, b, cost in zip(listed.a, listed.b, listed.edge_cost, strict=True)
            if {int(a), int(b)} <= chosen
        ]
        # products are rounded once more where they are written out
        error = abs(sum(terms) - Fraction(problem.total_cost(np.array(labels))))
        assert error <= problem.cost_error(np.array(labels))


def test_nothing_matched_has_no_error():
    problem = random_problem(np.random.default_rng(2), 3, 3)
    assert problem.cost_error([-1, -1, -1]) == 0.0 < problem.cost_error([0, 1, 2]) < 1e-12
