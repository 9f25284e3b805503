"""multi/graphs: candidates and edges are found from every side."""

import numpy as np
import pytest
from multi_cases import random_multi
from multi_graphs import Graphs


@pytest.mark.parametrize("seed", range(4))
def test_candidates_and_edges_are_found(seed):
    m = random_multi(seed, (3, 2, 4), density=0.8)
    graphs = Graphs(m)
    assert [graphs.graphs.base[g] for g in range(4)] == [0, 3, 5, 9]
    for (g, h), problem in m.pairs.items():
        pair, known = graphs.pair(g, h), {}
        for k, (i, s) in enumerate(zip(problem.left.tolist(), problem.right.tolist(), strict=True)):
            known[i, s] = k
        for i in range(problem.shape[0]):
            for s in range(problem.shape[1]):
                assert graphs.lib.multi_candidate(pair, i, s) == known.get((i, s), -1)
        costs = {
            (int(a), int(b)): c
            for a, b, c in zip(problem.a, problem.b, problem.edge_cost, strict=True)
        }
        for p in range(problem.n_candidates):
            for q in range(problem.n_candidates):
                apart = problem.left[p] != problem.left[q] and problem.right[p] != problem.right[q]
                wanted = costs.get((min(p, q), max(p, q)), 0.0) if apart and p != q else 0.0
                if p != q:
                    assert graphs.lib.multi_edge(pair, p, q) == wanted


def test_lists_of_each_node_are_complete():
    problem = random_multi(7, (4, 4), density=0.7)
    graphs, p = Graphs(problem), problem.pairs[0, 1]
    pair = graphs.pair(0, 1)
    for i in range(4):
        own = [pair.by_left[k] for k in range(pair.left_start[i], pair.left_start[i + 1])]
        assert own == np.flatnonzero(p.left == i).tolist()
