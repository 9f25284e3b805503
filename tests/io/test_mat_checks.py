"""What is said twice must be the same."""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.io.mat import variables_of
from gmtoolbox.io.mat_checks import check_factors, check_same


@pytest.fixture
def problem():
    return gm.synth.car(seed=0, size=4)


def test_factors_of_the_problem_itself_agree(problem):
    variables = variables_of(problem, "costs")
    check_factors(problem, variables)


@pytest.mark.parametrize("name", ["KP", "KQ"])
def test_edited_factors_are_named(problem, name):
    variables = variables_of(problem, "costs")
    changed = variables[name].tolil()
    changed[0, 0] += 1.0
    with pytest.raises(gm.InputError, match=f"{name} and K disagree"):
        check_factors(problem, {**variables, name: sparse.csc_array(changed)})


def test_rows_that_disagree_are_named():
    K = sparse.csr_array(np.diag([1.0, 2.0, 3.0]))
    check_same(K, K, np.arange(3))
    with pytest.raises(gm.InputError, match=r"K and reducedK disagree, first at K\(2,2\)"):
        check_same(K, sparse.csr_array(np.diag([1.0, 5.0, 3.0])), np.arange(3))
