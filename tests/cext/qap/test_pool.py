"""Agreement of neighbourhoods, compared with loops in Python."""

import itertools

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._neighbours import links_of, pool_neighbours


def random_graph(rng, n):
    M = np.triu(rng.random((n, n)) < 0.4, 1) * rng.integers(1, 4, (n, n))
    return links_of(sp.csr_array(M.astype(float)))


def test_the_lesser_sum_of_the_best_neighbours():
    rng = np.random.default_rng(0)
    for _ in range(30):
        n1, n2 = rng.integers(2, 9, 2)
        A, B = random_graph(rng, n1), random_graph(rng, n2)
        W = rng.random((n1, n2), dtype=np.float32)
        S, a, b = pool_neighbours(A, B, W, Budget()), A.toarray(), B.toarray()
        for i, s in itertools.product(range(n1), range(n2)):
            support = a[i][:, None] * b[s] * W
            rows, columns = support.max(axis=1).sum(), support.max(axis=0).sum()
            assert np.isclose(S[i, s], min(rows, columns), rtol=1e-5)
            best = support[linear_sum_assignment(support, maximize=True)].sum()
            assert S[i, s] >= best - 1e-5
