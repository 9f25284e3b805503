"""Edit costs as a matching problem: a matching's value is the cost of the edit path it means."""

import networkx
import numpy as np
import pytest
from small import matchings

from gmtoolbox.models import from_edit_costs


def path_cost(G, H, labels):
    """Unit costs, counted by hand: nodes and edges deleted and inserted; equal ones are free."""
    kept = {i: s for i, s in enumerate(labels) if s >= 0}
    common = sum(1 for u, v in G.edges if u in kept and v in kept and H.has_edge(kept[u], kept[v]))
    nodes = len(G) + len(H) - 2 * len(kept)
    return nodes + G.number_of_edges() + H.number_of_edges() - 2 * common


@pytest.mark.parametrize("seed", range(6))
def test_values_are_path_costs(seed):
    rng = np.random.default_rng(seed)
    G, H = (networkx.gnp_random_graph(int(n), 0.5, seed=seed + 9) for n in rng.integers(2, 5, 2))
    problem = from_edit_costs(G, H)
    for labels in matchings(problem):
        assert problem.total_cost(np.array(labels)) == pytest.approx(path_cost(G, H, labels))
