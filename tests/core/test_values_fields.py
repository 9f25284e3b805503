"""Fields of a Problem that describe nodes: kept as they should be, or refused in one line."""

import numpy as np
import pytest

from gmtoolbox.core import values
from gmtoolbox.core.errors import InputError


def test_nothing_stays_nothing():
    assert values.check_points("points1", None, 2) is None
    assert values.check_neighbours("neighbours1", None, 2) is None
    assert values.check_ground_truth(None, 2, 2) is None
    assert values.check_names("nodes1", None, 2) is None


def test_arrays_are_copied_and_cannot_be_changed():
    given = np.array([[0.0, 1.0], [2.0, 3.0]])
    kept = values.check_points("points1", given, 2)
    given[0, 0] = 9.0
    assert kept[0, 0] == 0.0 and not kept.flags.writeable
    assert values.check_neighbours("neighbours1", [[0, 1]], 2).dtype == np.int32
    assert values.check_ground_truth([1, -1], 2, 2).tolist() == [1, -1]
    assert values.check_names("nodes1", ["a", 2], 2) == ("a", 2)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: values.check_points("points1", [[0, 1]], 2), r"points1 must have shape \(2, dim"),
        (lambda: values.check_neighbours("neighbours1", [[0, 5]], 2), "neighbours1"),
        (lambda: values.check_ground_truth([0, 7], 2, 3), "ground_truth must hold n1 = 2 labels"),
        (lambda: values.check_ground_truth([0], 2, 3), "ground_truth must hold n1 = 2 labels"),
        (lambda: values.check_names("nodes1", ["a"], 2), "nodes1 must hold 2 names, got 1"),
        (lambda: values.check_names("nodes1", ["a", "a"], 2), "'a' is there twice"),
        (lambda: values.check_names("nodes1", [[], "a"], 2), "hashable names"),
    ],
)
def test_bad_fields_are_named(call, said):
    with pytest.raises(InputError, match=said):
        call()
