"""common_edges: sizes as by enumeration for each search and both, bounds and values on the way."""

import networkx as nx
import pytest
from subgraph_kernels import plain_pair
from subgraph_reference import edge_forms, small_graphs

from gmtoolbox.core._ffi import ffi, lib

SEARCHES = [(1, 0), (0, 1), (1, 1)]  # (partition, assignment)


def new_run(G, H, partition=1, assignment=1):
    """(run, objects that it borrows)"""
    borrowing = plain_pair(G, H, G.is_directed()).borrowing()
    chosen = ffi.new("gm_common_edges_options *", [partition, assignment])
    made = lib.gm_common_edges_new(borrowing[0], chosen)
    return ffi.gc(made, lib.gm_common_edges_free), borrowing


def finish(run):
    while not run.finished:
        assert lib.gm_common_edges_step(run, 2**62, 10.0) == 0
    return [run.labels[k] for k in range(run.n1)]


def count_common(G, H, labels):
    return sum(
        labels[u] >= 0 and labels[v] >= 0 and H.has_edge(labels[u], labels[v]) for u, v in G.edges
    )


@pytest.mark.parametrize("searches", SEARCHES)
def test_sizes_of_all_pairs_of_small_graphs(searches):
    graphs = small_graphs(4)
    forms = [edge_forms(G, False) for G in graphs]
    for G, of_G in zip(graphs, forms, strict=True):
        for H, of_H in zip(graphs, forms, strict=True):
            size = max(len(edges) for _, edges in of_G & of_H)
            run, _ = new_run(G, H, *searches)
            labels = finish(run)
            assert run.value == run.bound == -size == -count_common(G, H, labels)


@pytest.mark.parametrize("searches", SEARCHES)
def test_bounds_and_values_on_the_way_hold(searches):
    G, H = nx.gnp_random_graph(10, 0.5, seed=1), nx.gnp_random_graph(11, 0.5, seed=2)
    whole, _ = new_run(G, H)
    finish(whole)
    run, _kept = new_run(G, H, *searches)
    bounds, best = [run.bound], whole.value
    assert run.value == 0 and -min(len(G.edges), len(H.edges)) == run.bound  # before any step
    for _ in range(400):
        before = run.iteration
        lib.gm_common_edges_step(run, 7, 10.0)
        labels = [run.labels[k] for k in range(10)]
        assert run.bound <= best <= run.value == -count_common(G, H, labels)
        assert run.finished or run.iteration == before + 7
        bounds.append(run.bound)
    finish(run)
    assert bounds == sorted(bounds) and run.value == best


def test_progress_grows_to_one():
    G, H = nx.gnp_random_graph(10, 0.4, seed=1), nx.gnp_random_graph(10, 0.4, seed=2)
    for which, searches in enumerate(((1, 0), (0, 1))):
        run, _ = new_run(G, H, *searches)
        seen = []
        while not run.finished:
            lib.gm_common_edges_step(run, 3, 10.0)
            seen.append(lib.gm_common_edges_progress(run, which))
        assert seen == sorted(seen) and seen[-1] == 1.0 and len(set(seen)) > 2
        assert lib.gm_common_edges_progress(run, 1 - which) == 0.0


def test_turns_do_not_depend_on_the_length_of_steps():
    G, H = nx.gnp_random_graph(14, 0.4, seed=1), nx.gnp_random_graph(14, 0.4, seed=2)
    answers = []
    for nodes, seconds in ((2**62, 10.0), (997, 10.0), (2**62, 1e-4)):
        run, _ = new_run(G, H)
        while not run.finished:
            assert lib.gm_common_edges_left(run) > 0.0
            lib.gm_common_edges_step(run, nodes, seconds)
        assert lib.gm_common_edges_left(run) == 0.0
        answers.append((finish(run), run.iteration, run.value))
    assert answers[0] == answers[1] == answers[2]


def test_parallel_edges_are_refused_by_assignments_only():
    G, H = nx.MultiGraph([(0, 1), (0, 1)]), nx.Graph([(0, 1)])
    for searches, taken in (((1, 0), True), ((0, 1), False), ((1, 1), False)):
        borrowing = plain_pair(nx.Graph(G), H).borrowing()
        pair = borrowing[0]
        pair.first.n_edges = 2
        ends = [ffi.new("int32_t[]", values) for values in ([0, 0], [1, 1], [0, 0])]
        pair.first.tail, pair.first.head, pair.first.kind = ends
        made = lib.gm_common_edges_new(pair, ffi.new("gm_common_edges_options *", searches))
        assert (made != ffi.NULL) == taken
        lib.gm_common_edges_free(made)


def test_assignments_take_graphs_whose_sums_fit():
    """128 nodes (subgraphs/common_edges.py) with all edges fit, loops included; 200 do not."""
    for n, taken in ((128, True), (200, False)):
        G = nx.complete_graph(n, nx.DiGraph)
        G.add_edges_from((u, u) for u in range(n))
        borrowing = plain_pair(G, G, True).borrowing()
        made = lib.gm_common_edges_new(borrowing[0], ffi.new("gm_common_edges_options *", (0, 1)))
        assert (made != ffi.NULL) == taken
        lib.gm_common_edges_free(made)
