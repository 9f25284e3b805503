"""Agreement of neighbourhoods for few pairs, compared with loops in Python."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _near
from gmtoolbox.solvers._near import Near
from gmtoolbox.solvers._neighbours import PRIOR, RATE, links_of


def random_graph(rng, n):
    M = np.triu(rng.random((n, n)) < 0.4, 1) * rng.integers(1, 4, (n, n))
    return links_of(sp.csr_array(M.astype(float)))


def expected_scores(A, B, W, F, G, evidence):
    """{(i, s): score} of the pairs that are looked at."""
    a, b, e = A.toarray(), B.toarray(), evidence.toarray()
    scores = {}
    for i, s in itertools.product(range(A.shape[0]), range(B.shape[0])):
        support = a[i][:, None] * b[s] * W
        least = min(support.max(axis=1).sum(), support.max(axis=0).sum())
        if least > 0 or e[i, s] > 0:
            scores[i, s] = RATE * least - PRIOR * ((F[i] - G[s]) ** 2).sum() + e[i, s]
    return scores


@pytest.mark.parametrize("width", [3, 50])
def test_the_best_labels_of_each_node_and_their_scores(width, monkeypatch):
    monkeypatch.setattr(_near, "WIDTH", width)
    rng = np.random.default_rng(width)
    for _ in range(30):
        n1, n2 = rng.integers(2, 12, 2)
        A, B = random_graph(rng, n1), random_graph(rng, n2)
        F, G = (rng.random((n, 4), dtype=np.float32) for n in (n1, n2))
        P = sp.random_array((n1, n2), density=0.4, rng=rng, dtype=np.float32).tocsr()
        evidence = sp.random_array((n1, n2), density=0.2, rng=rng, dtype=np.float32).tocsr()
        evidence.data -= 0.3
        near = Near(A, B, F, G, evidence)
        W = np.log1p(n2 * P.toarray())
        wanted = expected_scores(A, B, np.where(W < _near.LEAST_WEIGHT, 0, W), F, G, evidence)
        for _ in range(2):  # the second call finds the scratch as the first one did
            rows, columns, scores = near.step(P, Budget())
        found = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), scores, strict=True))
        assert all(np.isclose(x, wanted[pair], atol=1e-4) for pair, x in found.items())
        for i in range(n1):
            of_node = sorted((x for pair, x in wanted.items() if pair[0] == i), reverse=True)
            kept = sorted((x for pair, x in found.items() if pair[0] == i), reverse=True)
            assert np.allclose(kept, of_node[:width], atol=1e-4)
