"""Which fields a thing has, and which of them a file must keep."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import gmtoolbox as gm
from gmtoolbox.io.kept import carried_fields, lost_fields, refuse_another, warn_of_loss

BARE = gm.Problem((1, 1), [0], [0], [1.0])
NOTHING = SimpleNamespace(suffix=".x", holds="problem", keeps_field=lambda name: False)


def test_fields_of_a_problem(random_problem):
    assert carried_fields(BARE) == []
    full = random_problem(sense="max", complete=True, offset=-1.0, nodes1=range(4), nodes2="abcdef")
    assert carried_fields(full) == [
        "sense", "complete", "offset", "points1", "points2", "neighbours1", "neighbours2",
        "ground_truth", "nodes1", "nodes2",
    ]  # fmt: skip


def test_fields_of_many_graphs():
    one = replace(BARE, nodes1=["a"], offset=2.0)
    m = gm.MultiProblem({(0, 1): one, (0, 2): None, (1, 2): BARE}, names="abc", truth=[[0]] * 3)
    assert carried_fields(m) == ["names", "truth", "offset", "nodes1"]
    nothing = gm.MultiProblem({(0, 1): None}, sizes=(1, 1), sense="max")
    assert carried_fields(nothing) == ["sense"]


def test_fields_of_a_result():
    r = gm.gm_solve(BARE, "rrwm")
    carried = carried_fields(r)
    assert {"value", "labels", "shape", "trace", "scores", "options"} <= set(carried)
    assert "nodes1" not in carried and "problem" not in carried
    with pytest.raises(gm.InputError, match="would hold another problem"):
        refuse_another(r, "x", NOTHING)


def test_meaning_is_refused_and_the_rest_reported(random_problem):
    problem = random_problem(nodes1=[1, 2, 3, object()])
    refuse_another(problem, "x", NOTHING)
    with pytest.warns(gm.LossWarning) as seen:
        warn_of_loss(problem, "x", NOTHING)
    assert len(seen) == 2 and " ".join(lost_fields(problem, NOTHING)) in str(seen[0].message)
    with pytest.raises(gm.InputError, match="does not keep sense"):
        refuse_another(replace(problem, sense="max"), "x", NOTHING)
