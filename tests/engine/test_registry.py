"""The registry: names, presets and what a solver must declare."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import UnknownMethodError
from gmtoolbox.engine import registry


def test_unknown_method_is_refused_with_a_suggestion(method):
    method(lambda problem, budget: registry.Outcome())
    with pytest.raises(UnknownMethodError, match="did you mean 'test-method'"):
        gm.gm_solve(np.eye(4), "testmethod")


def test_solver_without_maxiter_is_a_programming_error():
    """One of ours: the contract suite wants to limit them all. Others do as they like."""

    def careless(problem, budget):
        return None

    careless.__module__ = "gmtoolbox.solvers.careless"
    with pytest.raises(TypeError, match="maxiter"):
        registry.solver("test-careless", family="test", paper="none")(careless)
