"""Costs of edits: every function asked once, answers checked, attributes told apart."""

import pytest

from gmtoolbox.core.errors import InputError
from gmtoolbox.models.attribute_numbers import attribute_key
from gmtoolbox.models.edit_costs import (
    COSTS,
    EditCosts,
    check_scale,
    distinct,
    pair_of_graphs,
)


def test_distinct_numbers():
    values, inverse = distinct([7, 3, 7])
    assert values == [7, 3] and inverse.tolist() == [0, 1, 0]


def test_functions_are_asked_once():
    asked = []

    def subst(a, b):
        asked.append((a["x"], b["x"]))
        return abs(a["x"] - b["x"])

    costs = EditCosts(node_subst_cost=subst)
    for data in ({"x": 1}, {"x": 4}):
        costs.numbers["node"].of(attribute_key(data), data)
    for _ in range(3):
        assert costs.substitute("node", 0, 1, False, ("u", "v")) == 3.0
    assert asked == [(1, 4)]


def test_without_functions_the_scale_counts():
    costs = EditCosts(costs=(1.0, 2.0, 3.0, 4.0))
    for symbol in "CN":
        costs.numbers["node"].of(symbol, {"symbol": symbol})
    assert costs.one("node", "del", 0, "u") == 1.0 and costs.one("edge", "ins", 0, "e") == 3.0
    assert costs.substitute("node", 0, 1, True, ("u", "v")) == 2.0
    assert costs.substitute("node", 0, 1, False, ("u", "v")) == 0.0
    assert EditCosts(edge_match=lambda a, b: False).compares["edge"][2] == 1.0


@pytest.mark.parametrize("answer", [-1, None, float("nan"), float("inf"), "x"])
def test_bad_answers_name_function_and_node(answer):
    costs = EditCosts(node_del_cost=lambda data: answer)
    costs.numbers["node"].of((), {})
    with pytest.raises(InputError, match="node_del_cost must be a finite number >= 0.* node 'u'"):
        costs.one("node", "del", 0, "u")


def test_bad_scales_and_functions():
    assert check_scale("unit") == COSTS["unit"]
    with pytest.raises(InputError, match="costs must be one of unit, constant.*got 'cheap'"):
        check_scale("cheap")
    with pytest.raises(InputError, match="four numbers >= 0"):
        check_scale((1, 2, 3))
    with pytest.raises(InputError, match="node_match must be a function, got 3"):
        EditCosts(node_match=3)


def test_graphs_of_two_kinds_do_not_mix():
    nx = pytest.importorskip("networkx")
    with pytest.raises(InputError, match="both be directed or both undirected"):
        pair_of_graphs(EditCosts(), nx.DiGraph([(0, 1)]), nx.Graph([(0, 1)]))
    first, second = pair_of_graphs(EditCosts(), nx.path_graph(3), nx.path_graph(4))
    assert len(first) == 3 and len(second) == 4
