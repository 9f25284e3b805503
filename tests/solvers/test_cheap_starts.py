"""Starts without Frank-Wolfe: the cheaper one comes first."""

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _cheap_starts
from gmtoolbox.solvers._portfolio import Portfolio


@pytest.mark.parametrize(("degree", "hinted_first"), [(4, False), (100, True)])
def test_dense_graphs_get_the_hint_first(degree, hinted_first, monkeypatch):
    graph = nx.to_scipy_sparse_array(nx.random_regular_graph(degree, 300, seed=1), dtype=float)
    state = Portfolio(gm.models.from_graphs(graph, graph).as_costs(), Budget())
    seen = []

    def watch(factors, budget, end, hint=None):
        seen.append(hint is not None)
        return np.eye(300)

    monkeypatch.setattr(_cheap_starts, "neighbour_point", watch)
    monkeypatch.setattr(_cheap_starts, "spectral_labels", lambda factors: np.arange(300))
    assert len(list(_cheap_starts.cheap_starts(state, 1.0))) == 3
    assert seen == [hinted_first, not hinted_first]
