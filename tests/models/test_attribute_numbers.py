"""Numbers of attribute dicts: the same one only for those that no function can distinguish."""

import math
from decimal import Decimal

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.models.attribute_numbers import (
    Numbering,
    attribute_key,
    number_plain,
    single_values,
)
from gmtoolbox.models.attributed import equal_key
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel


def test_equal_content_has_one_number():
    numbers = Numbering()
    assert [numbers.of(key, key) for key in ("a", "b", "a")] == [0, 1, 0]
    assert numbers.of([1], "list") == 2 and numbers.of([1], "list") == 3  # cannot be hashed
    assert attribute_key({"x": 1}) != attribute_key({"x": 1.0}) != attribute_key({"x": True})
    assert attribute_key({"x": (1, (2,))}) != attribute_key({"x": (1, (2.0,))})
    assert attribute_key({"x": (1, (2,))}) == attribute_key({"x": (1, (2,))})


EQUAL = (  # and not the same
    (0.0, -0.0),
    (np.float64(0.0), np.float64(-0.0)),
    (complex(0.0, 1.0), complex(-0.0, 1.0)),
    (Decimal("1.0"), Decimal("1.00")),
    (frozenset([1]), frozenset([1.0])),
    ((0.0, "C"), (-0.0, "C")),
    (frozenset([(1,)]), frozenset([(True,)])),
)


@pytest.mark.parametrize("values", EQUAL, ids=repr)
def test_equal_values_that_a_function_distinguishes(values):
    """Each node is turned into one that is written as it is."""
    numbers = number_plain([{"x": value} for value in (*values, *values)], Numbering())
    assert numbers == [0, 1, 0, 1]
    G, H = nx.Graph(), nx.Graph()
    G.add_nodes_from((k, {"x": value}) for k, value in enumerate(values))
    H.add_nodes_from((k, {"x": values[0]}) for k in range(2))
    written = lambda a, b: repr(a["x"]) == repr(b["x"])
    assert gm.graph_edit_distance(G, H, node_match=written).distance == 1.0
    assert gm.edit_distances([G, H], node_match=written).values[0, 1] == 1.0


@pytest.mark.parametrize("names", [("x",), ("x", "y")])
def test_labels_that_graphs_name_are_compared_by_content(names):
    """Strings, numbers of any type, arrays and labels that a node lacks; other attributes are not
    compared.
    """
    values = ["1", 1, 1.0, True, np.int64(1), math.nan, np.array([1, 2]), [1, 2], None]
    data = [{"x": value, "y": 0, "other": k} for k, value in enumerate(values)]
    one = gm.Graph(list("abcdefghi"), [], data, node_label=names)
    other = gm.Graph(list("ihgfedcbaz"), [], [*reversed(data), {"y": 0}], node_label=names)
    model = EditModel.of(EditCosts(), one, other)
    same = lambda a, b: all(equal_key(a.get(name)) == equal_key(b.get(name)) for name in names)
    expected = [[0.0 if same(a, b) else 1.0 for b in other.node_data] for a in one.node_data]
    theirs = dict.fromkeys(model.second.node)
    for i, a in enumerate(model.first.node):
        row = model.costs.substitute_each("node", a, theirs, model.labelled, "")
        cost = dict(zip(theirs, row, strict=True))
        assert [cost[b] for b in model.second.node] == expected[i]
    strings = gm.Graph([0, 1, 2], [], [{"x": "C"}, {"x": "N"}, {"x": "C"}], node_label=("x",))
    assert EditModel.of(EditCosts(), strings, strings).second.node == [0, 1, 0]


def test_single_values_are_numbered_as_other_attributes():
    numbering = Numbering()
    assert single_values([{"a": 1}, {"a": 3}]) == ("a", [1, 3])
    assert single_values([{"a": "x"}, {"a": "y"}]) == ("a", ["x", "y"])
    assert number_plain([{"a": "x"}, {"a": "y"}, {"a": "x"}], numbering) == [0, 1, 0]
    for data in (
        [],
        [{}],
        [{"a": "x"}, {"b": "x"}],
        [{"a": "x"}, {"a": "x", "b": "y"}],
        [{"a": 1}, {"a": "1"}],
        [{"a": 1}, {"a": True}],
        [{"a": 1.0}],
    ):
        assert single_values(data) == (None, None)
    assert number_plain([{"a": "x"}, {"b": "x"}], numbering) == [0, 2]
    assert number_plain([{"a": "y"}, {"a": "y", "b": "y"}], numbering) == [1, 3]
    assert number_plain([{}, {"a": "x"}], numbering) == [4, 0]
    assert number_plain([{"a": 2}, {"a": 1}, {"a": 2}], numbering) == [5, 6, 5]
    assert number_plain([{"a": 1, "b": 2}, {"a": True}], numbering) == [7, 8]
    assert number_plain([{"a": 1.0}, {"a": "1"}], numbering) == [9, 10]
    assert numbering.of(attribute_key({"a": 1}), {}) == 6
