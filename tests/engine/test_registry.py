"""The registry: names, presets and what a solver must declare."""

from typing import Annotated

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import UnknownMethodError
from gmtoolbox.engine import registry
from gmtoolbox.engine.options import Range


@pytest.fixture
def method(monkeypatch):
    """Register a throw-away solver around a function (problem, budget) -> Outcome."""
    registry.gm_methods()
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))

    def make(function, **facts):
        def run(problem, budget, *, maxiter: Annotated[int, Range(1)] = 5):
            """Test."""
            return function(problem, budget)

        registry.solver("test-method", family="test", paper="none", **facts)(run)
        return "test-method"

    return make


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
