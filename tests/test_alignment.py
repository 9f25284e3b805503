"""align_graphs: the measures of the field as objectives, against enumeration."""

import itertools
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import alignment


def by_force(A, B):
    """(most common edges, largest S3) over all matchings of the smaller side, by loops."""
    n1, n2 = len(A), len(B)
    edges1 = [(i, j) for i, j in itertools.combinations(range(n1), 2) if A[i][j]]
    edges2 = {(s, t) for s, t in itertools.combinations(range(n2), 2) if B[s][t]}
    if n1 <= n2:
        maps = (dict(enumerate(q)) for q in itertools.permutations(range(n2), n1))
    else:
        maps = ({i: s for s, i in enumerate(q)} for q in itertools.permutations(range(n1), n2))
    most, largest = -1, -1.0
    for at in maps:
        images = [sorted((at[i], at[j])) for i, j in edges1 if i in at and j in at]
        k = sum(tuple(image) in edges2 for image in images)
        d = sum(s in at.values() and t in at.values() for s, t in edges2)
        most, largest = max(most, k), max(largest, k / (len(edges1) + d - k))
    return most, largest


def random_graph(rng, n):
    upper = np.triu(rng.random((n, n)) < rng.choice([0.3, 0.6, 0.9]), 1)
    return (upper | upper.T).astype(float)


def test_both_measures_are_proven_and_right():
    rng = np.random.default_rng(13)
    apart = 0
    for _ in range(12):
        A, B = random_graph(rng, rng.integers(2, 6)), random_graph(rng, rng.integers(2, 7))
        if not A.any() or not B.any():
            continue
        most, largest = by_force(A, B)
        r = gm.align_graphs(A, B, maximise="s3")
        s = gm.align_graphs(A, B)
        assert (r.status, s.status) == ("optimal", "optimal")
        assert r.value == pytest.approx(largest) and r.bound == pytest.approx(largest)
        assert s.value == most == s.bound
        problem = gm.models.from_graphs(A, B)
        assert gm.evaluate(r, problem).s3 == pytest.approx(r.value)
        apart += gm.evaluate(s, problem).s3 < largest - 1e-9
    assert apart  # more common edges are not always a larger S3


def test_an_open_answer_has_a_bound_that_holds():
    G, H = nx.gnp_random_graph(12, 0.4, seed=1), nx.gnp_random_graph(40, 0.5, seed=2)
    r = gm.align_graphs(G, H, maximise="s3", time_limit=0.3)
    assert r.value <= r.bound <= 1.0
    assert r.trace["value"].tolist() == sorted(r.trace["value"])
    assert gm.evaluate(r, gm.models.from_graphs(G, H)).s3 == pytest.approx(r.value)


def test_a_stop_ends_the_whole_sequence(monkeypatch):
    """The round that was stopped is the last one, even if its matching is better."""
    solved = []

    def stopped(budget, problem, *given):
        answer = solve_matching(budget, problem, *given)
        solved.append(problem)
        return replace(answer, status="interrupted", bound=np.inf)

    solve_matching = alignment.solve_matching
    monkeypatch.setattr(alignment, "solve_matching", stopped)
    large = nx.disjoint_union(nx.complete_graph(4), nx.path_graph(4))
    r = gm.align_graphs(nx.path_graph(4), large, maximise="s3")
    assert len(solved) == 1 and r.value < 1.0
    assert (r.status, r.bound) == ("interrupted", 1.0)


@pytest.mark.parametrize("size", [1, 10**6, 10**12])
def test_a_bound_that_rounding_lowered_counts_the_edge(size):
    total = 2.0 * size
    assert alignment.count_below(total * (1 - 2**-46), size) == size
    assert alignment.count_below(total - 1.0, size) == size - 1


def test_names_weights_and_directions():
    G = nx.DiGraph([("a", "b"), ("b", "c")])
    H = nx.path_graph(["x", "y", "z"])
    nx.set_edge_attributes(H, 7.0, "weight")
    r = gm.align_graphs(G, H)
    assert r.value == 2.0 and r.mapping["b"] == "y"


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"maximise": "ics"}, "maximise must be one of edges, s3, got 'ics'"),
        ({"G1": nx.empty_graph(3)}, "G1 must have an edge"),
        ({"time_limit": -1.0}, "time_limit"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_refusals(arguments, said):
    graphs = {"G1": nx.path_graph(3), "G2": nx.path_graph(3)}
    with pytest.raises(gm.InputError, match=said):
        gm.align_graphs(**{**graphs, **arguments})
