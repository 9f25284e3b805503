"""The model of common induced subgraphs against enumeration."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from gmtoolbox.editing.induced import InducedModel, without_conflicts
from gmtoolbox.subgraphs.labelled import match_costs


def make_model(G, H):
    return InducedModel.of(match_costs(None, None), G, H)


def count_common(G, H, labels):
    """Matched nodes, and pairs of them whose edges differ."""
    matched = [(i, int(s)) for i, s in enumerate(labels) if s >= 0]
    pairs = [(p, q) for k, p in enumerate(matched) for q in matched[:k]]
    differing = sum(G.has_edge(p[0], q[0]) != H.has_edge(p[1], q[1]) for p, q in pairs)
    return len(matched), differing


@pytest.mark.parametrize("seed", range(4))
def test_a_common_node_saves_one_and_a_pair_that_differs_costs_two(seed):
    G, H = nx.gnp_random_graph(4, 0.5, seed), nx.gnp_random_graph(5, 0.5, seed + 9)
    problem = make_model(G, H).whole
    for labels in permutations([-1, *range(5)], 4):
        nodes, differing = count_common(G, H, labels)
        assert problem.energy(np.array(labels)) == 2 * differing - nodes
        kept = without_conflicts(problem, np.array(labels))
        assert count_common(G, H, kept)[1] == 0


def test_no_candidates_no_problem():
    assert make_model(nx.Graph(), nx.path_graph(2)).whole is None
