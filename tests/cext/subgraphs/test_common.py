"""common: sizes as by enumeration, bounds on the way, the same answer from several searches."""

import networkx as nx
import pytest
from subgraph_kernels import finish, new_run, plain_pair
from subgraph_reference import edge_forms, induced_forms, small_graphs

from gmtoolbox.core._ffi import ffi, lib


@pytest.mark.parametrize("by_edges", [0, 1])
@pytest.mark.parametrize("connected", [0, 1])
def test_sizes_of_all_pairs_of_small_graphs(by_edges, connected):
    graphs = small_graphs(4)
    forms = [(edge_forms if by_edges else induced_forms)(G, connected) for G in graphs]
    for G, of_G in zip(graphs, forms, strict=True):
        for H, of_H in zip(graphs, forms, strict=True):
            size = max(len(edges) if by_edges else n for n, edges in of_G & of_H)
            run, _ = new_run(G, H, by_edges=by_edges, connected=connected)
            finish(run)
            assert run.value == run.bound == -size


def test_bounds_and_values_on_the_way_hold():
    G, H = nx.gnp_random_graph(12, 0.3, seed=1), nx.gnp_random_graph(12, 0.3, seed=2)
    whole, _ = new_run(G, H)
    finish(whole)
    best = whole.value
    run, _ = new_run(G, H)
    bounds = []
    while not run.finished:
        lib.gm_common_step(run, 5, 10.0)
        labels = [run.labels[k] for k in range(12)]
        assert run.bound <= best <= run.value == -sum(label >= 0 for label in labels)
        bounds.append(run.bound)
    assert bounds == sorted(bounds) and len(set(bounds)) > 1 and run.value == best


@pytest.mark.parametrize("by_edges", [0, 1])
def test_labels_do_not_depend_on_the_number_of_searches(by_edges):
    for seed in range(6):
        G, H = (nx.gnp_random_graph(9, 0.4, seed=2 * seed + k) for k in (0, 1))
        runs = [new_run(G, H, by_edges=by_edges, n_jobs=n) for n in (1, 2, 5)]
        answers = [finish(run) for run, _ in runs]  # runs keeps what they borrow
        assert answers[0] == answers[1] == answers[2]


def test_iterations_are_counted_and_kept():
    run, _ = new_run(nx.gnp_random_graph(20, 0.4, seed=1), nx.gnp_random_graph(20, 0.4, seed=2))
    for k in range(1, 6):
        lib.gm_common_step(run, 7, 10.0)
        assert run.iteration == 7 * k and not run.finished


def test_pieces_that_were_not_offered_are_refused():
    run, _ = new_run(nx.path_graph(5), nx.path_graph(5), n_jobs=2, by_edges=1)
    assert lib.gm_common_piece(run, 0, 1.0) < 0
    lib.gm_common_step(run, 1, 1.0)
    assert lib.gm_common_n_pieces(run) == 2
    assert lib.gm_common_piece(run, 0, 1.0) == 0 and lib.gm_common_piece(run, 2, 1.0) < 0


def test_the_first_nodes_of_small_sparse_graphs_are_searched_alone():
    G, H = (nx.random_regular_graph(3, 24, seed=seed) for seed in (1, 2))
    run, _ = new_run(G, H, n_jobs=2)
    lib.gm_common_step(run, 10, 10.0)
    assert lib.gm_common_n_pieces(run) == 0 and lib.gm_common_piece(run, 0, 1.0) < 0
    lib.gm_common_step(run, 10**6, 10.0)
    assert lib.gm_common_n_pieces(run) == 2 and lib.gm_common_piece(run, 0, 0.01) == 0


def test_memory_grows_with_the_graphs():
    options = ffi.new("gm_common_options *", {"n_jobs": 1})
    held = [plain_pair(G, G).borrowing() for G in (nx.path_graph(10), nx.path_graph(1000))]
    small, large = (lib.gm_common_memory(pair, options) for pair, _ in held)
    assert 1e3 < small < 2e6 < large < 1e9  # known states are a megabyte


@pytest.mark.parametrize("by_edges", [0, 1])
def test_progress_grows_to_one(by_edges):
    G, H = nx.gnp_random_graph(9, 0.4, seed=1), nx.gnp_random_graph(9, 0.4, seed=2)
    run, _ = new_run(G, H, by_edges=by_edges)
    seen = [lib.gm_common_progress(run)]
    while not run.finished:
        lib.gm_common_step(run, 10, 10.0)
        seen.append(lib.gm_common_progress(run))
    assert seen[0] == 0.0 and seen[-1] == 1.0 and len(set(seen)) > 4
    assert all(a <= b + 1e-12 for a, b in zip(seen, seen[1:], strict=False))
