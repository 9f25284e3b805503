"""The product with factors that are never written out, against the dense matrix."""

import numpy as np
from small import problem_with


def test_products_equal_the_dense_matrix():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = problem_with("factors", rng, *map(int, rng.integers(1, 5, 2)))
        edges, N = problem.edges, problem.n_candidates
        E = np.zeros((N, N))
        starts = edges.edges1[0], edges.edges2[0]
        ends = edges.edges1[1], edges.edges2[1]
        Q = edges.KQ.tocoo()
        for e, f, value in zip(Q.row, Q.col, Q.data, strict=True):
            p = problem.candidates.index([starts[0][e]], [starts[1][f]])[0]
            q = problem.candidates.index([ends[0][e]], [ends[1][f]])[0]
            if p >= 0 and q >= 0:
                E[p, q] += value / 2
                E[q, p] += value / 2
        x = rng.normal(size=N)
        assert np.allclose(edges.product(x), E @ x)
