"""Measures of network alignment against definitions written out with sets, and networkx."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from repetition import times

import gmtoolbox as gm
from gmtoolbox.core.alignment import edge_measures, rank_measures


def by_definition(G, H, mapping):
    """The four measures, from sets of edges and networkx's components."""
    common = nx.Graph()
    for u, v in itertools.combinations(sorted(mapping), 2):
        if G.has_edge(u, v) and H.has_edge(mapping[u], mapping[v]):
            common.add_edge(u, v)
    induced = H.subgraph(mapping.values()).number_of_edges()
    k, m1 = common.number_of_edges(), G.number_of_edges()
    largest = max((len(part) for part in nx.connected_components(common)), default=0)
    ics = k / induced if induced else math.nan
    return {
        "edge_correctness": k / m1, "ics": ics, "s3": k / (m1 + induced - k),
        "lccc": largest / len(G),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(times(40)))
def test_edge_measures_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    n1, n2 = rng.integers(2, 9, size=2)
    G, H = (nx.gnp_random_graph(n, rng.uniform(0.1, 0.9), seed=seed) for n in (int(n1), int(n2)))
    if not G.number_of_edges():
        G.add_edge(0, 1)
    labels = np.full(n1, -1)
    n_matched = int(rng.integers(0, min(n1, n2) + 1))
    labels[rng.permutation(n1)[:n_matched]] = rng.permutation(n2)[:n_matched]
    mapping = {i: int(s) for i, s in enumerate(labels) if s >= 0}
    # both directions, repeated edges and loops count once or not at all
    edges1 = [*G.edges, *((v, u) for u, v in G.edges), (0, 0)]
    found = edge_measures(labels, edges1, list(H.edges))
    assert found == pytest.approx(by_definition(G, H, mapping), nan_ok=True)
    problem = gm.models.from_graphs(G, H, complete=False)
    if problem.neighbours2 is not None:
        told = gm.evaluate(labels, problem)  # without a truth
        assert math.isnan(told.recall) and told.s3 == pytest.approx(found["s3"])


def test_ranks_by_sorting():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 6, size=(30, 12)).astype(float)  # many equal ones
    truth = [() if i % 7 == 0 else tuple(rng.choice(12, 1 + i % 2, False)) for i in range(30)]
    ranks = []
    for row, accepted in zip(scores.tolist(), truth, strict=True):
        if accepted:
            worst_first = sorted(row, reverse=True)
            # the last place of its score
            ranks.append(min(12 - worst_first[::-1].index(row[s]) for s in accepted))
    found = rank_measures(scores, truth)
    assert found["mrr"] == pytest.approx(sum(1 / r for r in ranks) / len(ranks))
    for k in (1, 5, 10):
        assert found["hits"][k] == pytest.approx(sum(r <= k for r in ranks) / len(ranks))


def test_evaluate_prints_what_is_known():
    G = nx.path_graph(4)
    problem = gm.models.from_graphs(G, G, ground_truth=[0, 1, 2, 3])
    found = gm.evaluate([0, 1, 2, 3], problem, scores=np.eye(4))
    assert found.hits == {1: 1.0, 5: 1.0, 10: 1.0} and found.mrr == 1.0
    assert "s3 1.000, lccc 1.000, mrr 1.000, hits@1 1.000" in repr(found)
    assert found.to_dict()["hits@5"] == 1.0
    r = gm.gm_solve(problem, "rrwm")
    assert r.scores is not None and gm.evaluate(r, problem).hits


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        (np.eye(3), "a row for each of 2 nodes"),
        (np.zeros((2, 1)), "a column for label 1"),
        (np.full((2, 2), np.nan), "NaN"),
    ],
)
def test_scores_that_do_not_fit(scores, rule):
    with pytest.raises(gm.InputError, match=rule):
        gm.evaluate([0, 1], [0, 1], scores=scores)
