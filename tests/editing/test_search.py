"""search: the same hits as without filters, for any n_jobs."""

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm


def labelled(seed, n):
    """A random tree with labels and a further edge, as (matrix, labels)."""
    rng = np.random.default_rng(seed)
    G = nx.random_labeled_tree(n, seed=seed)
    G.add_edge(*rng.choice(n, 2, replace=False))
    A = nx.to_numpy_array(G, dtype=int)
    A = np.triu(A * rng.integers(1, 3, A.shape), 1)
    return A + A.T, rng.integers(0, 2, n).tolist()


COLLECTION = [labelled(seed, 4 + seed % 4) for seed in range(60)]
QUERY = labelled(99, 6)
DISTANCES = gm.edit_distances([QUERY], COLLECTION).values[0]


def pairs(found):
    return [(hit.index, hit.distance) for hit in found]


def expected(values, most):
    order = sorted(range(len(values)), key=lambda g: (values[g], g))
    return [(g, values[g]) for g in order if values[g] <= most]


@pytest.mark.parametrize("most", [0, 2, 3.5, 5, 100])
def test_hits_are_those_of_all_distances(most):
    found = gm.search(QUERY, COLLECTION, max_distance=most)
    assert pairs(found) == expected(DISTANCES, most) and not found.undecided
    assert all(hit.proven for hit in found)
    assert len(found) + found.n_filtered <= 60 and len(found) == len(found.hits)


@pytest.mark.parametrize("k", [1, 3, 17, 60, 100])
def test_the_nearest_are_those_of_all_distances(k):
    kept = gm.GraphCollection(COLLECTION)
    assert pairs(gm.search(QUERY, kept, k=k)) == expected(DISTANCES, 1e9)[:k]


def test_filters_exclude_most():
    assert gm.search(QUERY, COLLECTION, max_distance=2).n_filtered > 40
    assert gm.search(QUERY, COLLECTION, k=1).n_filtered > 5


@pytest.mark.parametrize("given", [{"costs": "chem1"}, {"costs": (0.3, 0.5, 0.2, 0.7)}])
def test_other_costs(given):
    values = gm.edit_distances([QUERY], COLLECTION, **given).values[0]
    most = float(np.sort(values)[10])
    found = gm.search(QUERY, COLLECTION, max_distance=most, **given)
    assert [g for g, _ in pairs(found)] == [g for g, _ in expected(values, most)]
    assert found.n_filtered > 10


def test_functions_are_asked_without_filters():
    given = dict(node_subst_cost=lambda a, b: 2.0 * (a != b))
    values = gm.edit_distances([QUERY], COLLECTION[:12], **given).values[0]
    found = gm.search(QUERY, COLLECTION[:12], max_distance=6, **given)
    assert pairs(found) == expected(values, 6) and found.n_filtered == 0


def test_common_edges():
    size = lambda graph: np.count_nonzero(graph[0]) // 2
    values = [
        size(QUERY) + size(graph) - 2 * gm.maximum_common_subgraph(QUERY, graph).value
        for graph in COLLECTION
    ]
    for most in (1, 4, 7):
        found = gm.search(QUERY, COLLECTION, max_distance=most, measure="common")
        assert pairs(found) == expected(values, most)
    assert pairs(gm.search(QUERY, COLLECTION, k=5, measure="common")) == expected(values, 99)[:5]


@pytest.mark.parametrize("induced", [False, True])
def test_contained(induced):
    part = (QUERY[0][:3, :3], QUERY[1][:3])
    holds = [
        g
        for g, graph in enumerate(COLLECTION)
        if gm.count_subgraphs(part, graph, limit=1, induced=induced)
    ]
    found = gm.search(part, COLLECTION, measure="contained", induced=induced)
    assert [hit.index for hit in found] == holds and 0 < len(holds) < 60
    any_label = lambda a, b: True
    more = gm.search(part, COLLECTION, measure="contained", node_match=any_label)
    assert more.n_filtered == 0 and set(holds) <= {hit.index for hit in more}


@pytest.mark.long
@pytest.mark.parametrize("measure", ["edit", "common", "contained"])
def test_processes_change_nothing(measure):
    part = (QUERY[0][:3, :3], QUERY[1][:3])
    given = {} if measure == "contained" else {"max_distance": 4}
    asked = part if measure == "contained" else QUERY
    one, two = (gm.search(asked, COLLECTION, measure=measure, n_jobs=n, **given) for n in (1, 2))
    assert one.hits == two.hits and one.n_filtered == two.n_filtered


def test_molecules_and_patterns():
    Chem = pytest.importorskip("rdkit.Chem")
    lines = ["CCO", "CC[O-]", "c1ccccc1O", "C1CCCCC1O", "CCN", "c1ccccc1N"]
    molecules = [Chem.MolFromSmiles(line) for line in lines]
    query = Chem.MolFromSmiles("c1ccccc1O")
    assert pairs(gm.search(query, molecules, max_distance=1)) == [(2, 0.0), (5, 1.0)]
    common = gm.search(query, molecules, max_distance=2, measure="common")
    assert pairs(common) == [(2, 0.0), (3, 0.0), (5, 2.0)]  # an aromatic bond is a single one, too
    strict = gm.search(query, molecules, max_distance=2, measure="common", bonds="strict")
    assert pairs(strict) == [(2, 0.0), (5, 2.0)]
    pattern = Chem.MolFromSmarts("[c,C][N,O]")
    assert len(gm.search(pattern, molecules, measure="contained")) == 6
    hydroxyl = Chem.MolFromSmiles("CO")
    assert [h.index for h in gm.search(hydroxyl, molecules, measure="contained")] == [0, 2, 3]


@pytest.mark.long
def test_molecules_go_to_other_processes():
    Chem = pytest.importorskip("rdkit.Chem")
    molecules = [Chem.MolFromSmiles(line) for line in ("CCO", "CCN", "c1ccccc1O")] * 40
    one, two = (gm.edit_distances(molecules[:2], molecules, n_jobs=n).values for n in (1, 2))
    assert np.array_equal(one, two)
    for measure in ("common", "contained"):
        given = {"max_distance": 2} if measure == "common" else {}
        for query in (molecules[2], Chem.MolFromSmarts("[C,N]~C")):
            if measure == "contained" or query is molecules[2]:
                answers = [
                    gm.search(query, molecules, measure=measure, n_jobs=n, **given) for n in (1, 2)
                ]
                assert answers[0].hits == answers[1].hits


def test_directed_collections_and_symmetric_queries():
    arrow, both = np.array([[0, 1], [0, 0]]), np.array([[0, 1], [1, 0]])
    assert pairs(gm.search(both, [arrow, both], max_distance=1)) == [(1, 0.0), (0, 1.0)]
    assert pairs(gm.search(arrow, [both, both], max_distance=1)) == [(0, 1.0), (1, 1.0)]
    with pytest.raises(gm.InputError, match="must both be directed or both undirected"):
        gm.search(nx.path_graph(2), [nx.DiGraph([(0, 1)])], max_distance=1)


def test_stores_are_used(tmp_path):
    store = tmp_path / "found.jsonl"
    first = gm.search(QUERY, COLLECTION, max_distance=3, store=store)
    size = store.stat().st_size
    again = gm.search(QUERY, COLLECTION, max_distance=3, store=store)
    assert size > 0 and store.stat().st_size == size and again.hits == first.hits
    lines = store.read_text("utf-8").splitlines()
    store.write_text("\n".join(lines[:1]) + "\n")  # resume=False begins a new file
    anew = gm.search(QUERY, COLLECTION, max_distance=3, store=store, resume=False)
    assert anew.hits == first.hits and len(store.read_text("utf-8").splitlines()) == len(lines)


def test_time_limits_leave_graphs_undecided():
    hard = [nx.gnp_random_graph(24, 0.5, seed=s) for s in (1, 2)]
    found = gm.search(hard[0], hard, max_distance=60, time_limit=0.05)
    assert {hit.index for hit in found} | set(found.undecided) == {0, 1}
    assert pairs(found)[0] == (0, 0.0)


def test_wrong_questions():
    graphs = [nx.path_graph(3)]
    for given in ({}, {"k": 1, "max_distance": 2}):
        with pytest.raises(gm.InputError, match="either max_distance or k"):
            gm.search(graphs[0], graphs, **given)
    with pytest.raises(gm.InputError, match="measure must be one of"):
        gm.search(graphs[0], graphs, k=1, measure="nearest")
    with pytest.raises(gm.InputError, match="has no option 'colour'"):
        gm.search(graphs[0], graphs, measure="contained", colour=3)
    with pytest.raises(gm.InputError, match="there is no cost function 'colour'"):
        gm.search(graphs[0], graphs, k=1, colour=3)
    with pytest.raises(gm.InputError, match="query must be a networkx graph"):
        gm.search("CCO", graphs, k=1)
    empty = gm.search(graphs[0], [], k=3)
    assert empty.hits == [] and repr(empty).startswith("<SearchResult 0 hits")
