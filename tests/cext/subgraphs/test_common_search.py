"""common_search: pruning and twins change the number of nodes, never the size."""

import networkx as nx
import pytest
from subgraph_kernels import finish, new_run

from gmtoolbox.core._ffi import lib


@pytest.mark.parametrize("by_edges", [0, 1])
@pytest.mark.parametrize("connected", [0, 1])
def test_twins_save_nodes_and_change_no_size(by_edges, connected):
    saved = 0
    for seed in range(12):
        G, H = (nx.random_labeled_tree(9, seed=2 * seed + k) for k in (0, 1))
        nodes, sizes = [], []
        for twins in (0, 1):
            run, _ = new_run(G, H, by_edges=by_edges, connected=connected, twins=twins)
            finish(run)
            nodes.append(run.iteration)
            sizes.append(run.value)
        assert sizes[0] == sizes[1]
        saved += nodes[0] - nodes[1]
    assert saved > 0


def test_leaves_of_a_star_are_tried_once():
    run, _ = new_run(nx.star_graph(40), nx.star_graph(30))
    finish(run)
    assert run.value == -31 and run.iteration < 200


def test_large_graphs_use_several_words():
    G = nx.random_labeled_tree(150, seed=1)
    H = nx.relabel_nodes(G, lambda u: 149 - u)
    run, _ = new_run(G, H, connected=1)
    lib.gm_common_step(run, 300, 5.0)
    labels = [run.labels[k] for k in range(150)]
    mapped = {u: v for u, v in enumerate(labels) if v >= 0}
    assert -run.value == len(mapped) == len(set(mapped.values())) > 20
    assert all(H.has_edge(mapped[u], mapped[v]) for u, v in G.subgraph(mapped).edges)
    assert nx.is_connected(G.subgraph(mapped))
