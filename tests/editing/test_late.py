"""Time limits that end while the tables of an edit model are computed."""

import itertools
import time

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.editing.distance import solve_edit_model
from gmtoolbox.models.edit_costs import AskedLate, EditCosts
from gmtoolbox.models.edits import EditModel


def weighted(n, m, seed):
    G = nx.gnm_random_graph(n, m, seed=seed)
    for k, edge in enumerate(G.edges):
        G.edges[edge]["w"] = seed + k / 8
    return G


class Slow:
    """A cost of edges whose every answer takes a while."""

    def __init__(self, seconds):
        self.seconds, self.calls = seconds, 0

    def __call__(self, a, b):
        self.calls += 1
        time.sleep(self.seconds)
        return abs(a["w"] - b["w"])


def cost_of(r, G, H):
    """Return the cost of a path, from its steps."""
    nodes = sum(None in step for step in r.node_path)
    data = [(None if e is None else G.edges[e], None if f is None else H.edges[f])
            for e, f in r.edge_path]  # fmt: skip
    return nodes + sum(1.0 if None in pair else abs(pair[0]["w"] - pair[1]["w"]) for pair in data)


@pytest.mark.parametrize("method", ["auto", "mp"])
@pytest.mark.parametrize("roots", [None, (3, 7)])
def test_a_limit_ends_the_tables_of_edges(method, roots):
    G, H, slow = weighted(30, 60, 1), weighted(28, 55, 2), Slow(1e-3)
    r = gm.graph_edit_distance(
        G, H, edge_subst_cost=slow, roots=roots, time_limit=0.01, method=method
    )
    assert slow.calls < 60 * 55 / 3  # a row is finished, and the path asks once for each edge
    assert r.status == "time_limit" and not r.proven
    assert r.bound == (0.0 if roots else 7.0)  # by the numbers of nodes and edges
    assert r.value == pytest.approx(cost_of(r, G, H)) and r.value < 28 + 30 + 60 + 55
    assert roots is None or r.mapping[3] == 7


def test_a_forbidden_node_stays_forbidden():
    G, H = weighted(30, 60, 1), weighted(30, 60, 2)
    never = lambda a, b: float("inf")
    given = dict(node_subst_cost=never, edge_subst_cost=Slow(1e-3), time_limit=1e-4)
    r = gm.graph_edit_distance(G, H, **given)
    assert r.mapping == {} and r.value == 180.0


def test_a_deadline_that_is_kept_changes_nothing():
    for seed, directed in itertools.product(range(3), (False, True)):
        G, H = weighted(9, 12, seed), weighted(8, 12, seed + 5)
        if directed:
            G, H = G.to_directed(), H.to_directed()
        how = dict(edge_subst_cost=lambda a, b: abs(a["w"] - b["w"]))
        free, limited = (
            gm.graph_edit_distance(G, H, **how, time_limit=limit) for limit in (None, 60)
        )
        assert (free.value, free.status) == (limited.value, "optimal")


def test_tables_are_refused_after_the_deadline_and_made_before_it():
    G, H = weighted(9, 12, 0), weighted(8, 12, 5)
    model = EditModel.of(EditCosts(edge_subst_cost=lambda a, b: abs(a["w"] - b["w"])), G, H)
    with model.costs.asked_in(0.0, 0.0):
        model.costs.deadline = 0.0
        for name in ("gains", "lifted"):
            with pytest.raises(AskedLate):
                getattr(model, name)
    one = [[model.gain(A, B) for B in model.second.distinct["bundle"][0]]
           for A in model.first.distinct["bundle"][0]]  # fmt: skip
    assert np.array_equal(model.gains, one)
    assert solve_edit_model(model, time.perf_counter()).proven


def test_a_value_that_is_asked_for_after_the_limit():
    G, H, near = nx.path_graph(4), nx.path_graph(30), lambda a, b: True
    r = gm.graph_edit_distance(G, H, node_match=near, upper_bound=2, time_limit=1e-3)
    time.sleep(2e-3)
    assert r.exceeds and r.value >= 52.0 and len(r.node_path) >= 30


@pytest.mark.parametrize("kind, bound", [("edge", 55.0), ("induced", 28.0)])
def test_a_limit_ends_the_question_what_is_common(kind, bound):
    G, H, calls = weighted(30, 60, 1), weighted(28, 55, 2), []

    def near(a, b):
        calls.append(time.sleep(1e-3))
        return abs(a["w"] - b["w"]) < 1.0

    r = gm.maximum_common_subgraph(
        G, H, kind=kind, edge_match=near, connected=False, time_limit=0.01
    )
    assert len(calls) < 60 * 55 / 3
    assert (r.value, r.bound, r.status, r.edges) == (0.0, bound, "time_limit", [])
    weigh = lambda a, b: 3.0
    r = gm.maximum_common_subgraph(
        G, H, kind="induced", edge_match=near, node_weight=weigh, time_limit=0.01
    )
    assert r.value == 0.0 and r.bound == float("inf")
