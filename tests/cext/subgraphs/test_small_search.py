"""small_search: twins, isolated nodes and stars cut the tree and change no size."""

import networkx as nx
import pytest
from subgraph_kernels import finish, new_run

import gmtoolbox as gm


def size_and_nodes(G, H, **options):
    """(common nodes, nodes of the search tree)"""
    run, _ = new_run(G, H, **options)
    finish(run)
    assert run.value == run.bound
    return -run.value, run.iteration


def molecule_like(n, seed):
    """A sparse graph of rings and branches."""
    G = nx.random_labeled_tree(n, seed=seed)
    far = [(u, v) for u in G for v in G if u < v and nx.shortest_path_length(G, u, v) in (4, 5)]
    G.add_edges_from(far[:: max(1, len(far) // 3)])
    return G


def test_isolated_nodes_are_mapped_without_a_tree():
    assert size_and_nodes(nx.empty_graph(40), nx.empty_graph(64)) == (40, 1)
    pairs = [nx.disjoint_union_all([nx.path_graph(2)] * n) for n in (9, 12)]
    size, nodes = size_and_nodes(*pairs)
    assert size == 18 and nodes < 100


def test_twins_by_living_neighbours_save_nodes():
    for seed in range(5):
        G, H = molecule_like(14, seed), molecule_like(15, seed + 50)
        size, nodes = size_and_nodes(G, H)
        assert (size, True) == (size_and_nodes(G, H, twins=0)[0], nodes < 5000)
        assert size_and_nodes(G, H, twins=0)[1] > nodes


def test_stars_save_nodes_of_sparse_graphs():
    # without stars and isolated nodes the tree has 58004 nodes
    size, nodes = size_and_nodes(molecule_like(24, 3), molecule_like(26, 53))
    assert size == 21 and nodes < 20_000


@pytest.mark.parametrize("n", [63, 64, 65])  # 65 nodes: several words, the other search
def test_whole_graphs_at_the_border(n):
    G = nx.path_graph(n)
    run, _ = new_run(G, nx.relabel_nodes(G, lambda u: n - 1 - u))
    labels = finish(run)
    assert run.value == -n and sorted(labels) == list(range(n))


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_sparse_graphs_have_one_answer_for_any_number_of_searches(n_jobs):
    for seed in range(6):
        G, H = molecule_like(16, seed), molecule_like(17, seed + 50)
        runs = [new_run(G, H, n_jobs=n) for n in (1, n_jobs)]
        one, several = [finish(run) for run, _ in runs]
        assert one == several


def test_a_side_that_classes_share_must_be_mapped_in_one_of_them_only():
    # kind 1 fits every kind, so that classes share nodes on the right
    G = nx.Graph()
    G.add_weighted_edges_from([(0, 1, 2), (0, 2, 1), (1, 2, 0)])
    H = nx.Graph()
    edges = [(0, 1, 0), (0, 3, 0), (0, 4, 2), (1, 2, 2), (1, 3, 2), (1, 4, 0), (2, 3, 0), (3, 4, 1)]
    H.add_weighted_edges_from(edges)
    near = lambda a, b: abs(a["weight"] - b["weight"]) <= 1
    found = [
        gm.maximum_common_subgraph(G, H, "induced", edge_match=near, n_jobs=n).nodes
        for n in (1, 2, 3)
    ]
    assert found[0] == found[1] == found[2] == [(0, 0), (1, 4), (2, 1)]
