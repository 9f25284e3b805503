"""The split as a table: copies add up to the model."""

import numpy as np
import pytest
from ddls_splits import VARIANTS, problems, split_after
from scipy import sparse


@pytest.mark.parametrize("local", VARIANTS.values())
def test_copies_add_up_to_the_model_and_cover_it(local):
    for problem in problems():
        split = split_after(problem, local, 100)
        n = problem.n_candidates
        unary = split["b"] < 0
        total = np.bincount(split["a"][unary], split["cost"][unary], minlength=n)
        assert np.allclose(total, problem.cost, atol=1e-9)
        first, second = np.sort([split["a"][~unary], split["b"][~unary]], axis=0)
        pairs = sparse.csr_array((split["cost"][~unary], (first, second)), shape=(n, n))
        assert np.allclose(pairs[problem.a, problem.b], problem.edge_cost, atol=1e-9)
        assert abs(pairs).sum() > 0 and pairs.nnz <= problem.n_edges
