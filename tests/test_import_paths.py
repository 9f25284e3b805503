"""The import paths that 0.1 documented stay: one line each, for everything a plug-in needs."""

import pytest

import gmtoolbox as gm


def test_old_paths_lead_to_the_same_objects():
    from gmtoolbox.options import Choice, Range
    from gmtoolbox.problem import Problem
    from gmtoolbox.registry import Outcome, gm_methods, solver
    from gmtoolbox.transforms import BIJECTIVE, NONPOSITIVE, ZERO_UNARIES, prepare

    assert (Choice, Range, Problem) == (gm.Choice, gm.Range, gm.Problem)
    assert (Outcome, gm_methods, solver) == (gm.Outcome, gm.gm_methods, gm.solver)
    assert (BIJECTIVE, NONPOSITIVE, ZERO_UNARIES) == (
        gm.BIJECTIVE,
        gm.NONPOSITIVE,
        gm.ZERO_UNARIES,
    )
    assert prepare is gm.transforms.prepare


def test_a_name_of_another_module_is_found():
    with pytest.raises(AttributeError, match="did you mean 'gmtoolbox.models.from_graphs'"):
        _ = gm.from_graphs
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'$"):
        _ = gm.no_such_name
