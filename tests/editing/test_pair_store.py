"""A store of edit distances answers for the same costs and settings only."""

import json
import warnings

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, random_costs, random_graph

import gmtoolbox as gm
from gmtoolbox.editing import matrix
from gmtoolbox.editing.pair_store import FORMAT, PairKeys, PairStore, settings_hash
from gmtoolbox.models.attributed import as_attributed
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph
from gmtoolbox.models.edits import EditModel


@pytest.fixture
def solved(monkeypatch):
    """The pairs that were solved since the last look."""
    found, plain = [], matrix.solve_chunk
    monkeypatch.setattr(
        matrix, "solve_chunk", lambda *given: found.extend(given[4]) or plain(*given)
    )

    def since():
        seen, found[:] = list(found), []
        return seen

    return since


def graph(edges, **labels):
    G = nx.Graph(edges)
    nx.set_node_attributes(G, {v: labels.get(f"v{v}", "C") for v in G}, "label")
    return G


GRAPHS = [graph([(0, 1), (1, 2)]), graph([(0, 1), (1, 2), (0, 2)], v0="N"), graph([(0, 1)])]
same = lambda a, b: a["label"] == b["label"]


def test_changed_costs_are_solved_anew(tmp_path, solved):
    store = tmp_path / "d.jsonl"
    price = 1.0
    pay = lambda a: price  # a function whose code stays the same
    one = gm.edit_distances(GRAPHS, node_ins_cost=pay, store=store)
    assert len(solved()) == 9
    again = gm.edit_distances(GRAPHS, node_ins_cost=pay, store=store)
    assert solved() == [] and np.array_equal(one.values, again.values)
    price = 2.0
    two = gm.edit_distances(GRAPHS, node_ins_cost=pay, store=store)
    expected = gm.edit_distances(GRAPHS, node_ins_cost=lambda a: 2.0)
    assert np.array_equal(two.values, expected.values) and two.values[2, 0] == one.values[2, 0] + 1
    assert (2, 0) in solved()


def test_graphs_may_be_added_moved_and_changed(tmp_path, solved):
    store, settings = tmp_path / "d.jsonl", dict(node_match=same)
    gm.edit_distances(GRAPHS[:2], store=store, **settings)
    solved()
    found = gm.edit_distances(GRAPHS, store=store, **settings)
    assert solved() == [(0, 2), (1, 2), (2, 2)]
    expected = gm.edit_distances(GRAPHS, **settings).values
    assert np.array_equal(found.values, expected)
    solved()
    order = [1, 0, 2]
    moved = gm.edit_distances([GRAPHS[k] for k in order], store=store, **settings)
    assert solved() == [(0, 1)]  # the other way round than before
    assert np.array_equal(moved.values, expected[np.ix_(order, order)])
    changed = graph([(0, 1), (1, 2)], v0="O", v1="O")
    other = gm.edit_distances([changed, *GRAPHS[1:]], store=store, **settings)
    assert solved() == [(0, 0), (0, 1), (0, 2)] and other.values[0, 1] != expected[0, 1]


@pytest.mark.parametrize(
    "change", [{"upper_bound": 1.0}, {"time_limit": 7.0}, {"method": "ilp"}, {"seed": 1}]
)
def test_settings_are_parts_of_the_identity(tmp_path, solved, change):
    store = tmp_path / "d.jsonl"
    first = gm.edit_distances(GRAPHS, node_match=same, store=store)
    gm.edit_distances(GRAPHS, node_match=same, store=store, **change)
    assert len(solved()) == 12
    again = gm.edit_distances(GRAPHS, node_match=same, store=store)
    assert solved() == [] and np.array_equal(first.values, again.values)


def test_what_text_does_not_show_is_seen(tmp_path, solved):
    """Long arrays, and digits behind the eighth, look the same when they are printed."""
    store = tmp_path / "d.jsonl"
    far = lambda a, b: float(np.abs(a["x"] - b["x"]).sum())

    def of(value):
        G, x = nx.Graph(), np.zeros(2000)
        x[1000] = value
        G.add_node(0, x=x)
        return G

    values = [
        gm.edit_distances([of(0.0), of(value)], node_subst_cost=far, store=store).values[0, 1]
        for value in (0.25, 0.5, 0.5 + 1e-12)
    ]
    assert values == [0.25, 0.5, 0.5 + 1e-12]


def keys_of(graphs, others=None, **costs):
    """The keys of all pairs of graphs."""
    functions = EditCosts(**costs)
    rows = [NumberedGraph(as_attributed("G", G), functions) for G in graphs]
    more = graphs if others is None else others
    columns = [NumberedGraph(as_attributed("G", G), functions) for G in more]
    keys = PairKeys(functions, rows, columns, settings_hash(None, None, "auto", 0))
    return [[keys.of(i, j) for j in range(len(columns))] for i in range(len(rows))]


def test_hashes_of_models():
    found = keys_of(GRAPHS, node_match=same)
    assert len({key for row in found for key in row}) == 9
    assert keys_of(GRAPHS[:2], node_match=same)[0][1] == found[0][1]
    assert keys_of(GRAPHS[::-1], node_match=same)[2][1] == found[0][1]
    empty = keys_of([nx.Graph()], GRAPHS, node_match=same)[0]
    assert len(set(empty)) == 3
    directed = [nx.DiGraph(edges) for edges in ([(0, 1), (1, 2)], [(0, 1), (2, 1)])]
    assert len(set(keys_of(directed[:1], directed)[0])) == 2
    loops = [nx.Graph([(0, 1), (k, k)]) for k in (0, 1)]
    assert len(set(keys_of(loops[:1], loops)[0])) == 2


def test_costs_of_labels_count_whichever_graph_was_first():
    """Labels are compared in the order of a graph, not in that of the collection."""
    one, two = graph([(0, 1), (1, 2)], v1="N"), graph([(0, 1), (1, 2)], v1="N", v2="N")
    price = {("C", "N"): 1.0, ("N", "C"): 2.0}
    pay = lambda a, b: price.get((a["label"], b["label"]), 0.0)
    first = keys_of([one, two], node_subst_cost=pay)
    assert keys_of([two], node_subst_cost=pay)[0][0] == first[1][1]
    price = {("C", "N"): 2.0, ("N", "C"): 1.0}
    other = keys_of([one, two], node_subst_cost=pay)
    assert not {key for row in first for key in row} & {key for row in other for key in row}
    assert keys_of([two], node_subst_cost=pay)[0][0] == other[1][1]


def test_keys_stand_for_all_costs():
    """Equal keys stand for equal tables of the matching problem, and few tables have two keys."""
    seen, tables = {}, {}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        kind = KINDS[seed % 4]
        graphs = [random_graph(rng, kind, 3) for _ in range(3)]
        costs = random_costs(np.random.default_rng(seed // 8))
        for i, row in enumerate(keys_of(graphs, **costs)):
            for j, key in enumerate(row):
                model = EditModel.of(EditCosts(**costs), graphs[i], graphs[j])
                table = describe(model)
                assert seen.setdefault(key, table) == table
                tables.setdefault(table, set()).add(key)
    assert len(seen) > 300 and len(seen) < 1.1 * len(tables)


def describe(model):
    """Everything that a distance depends on."""
    sides = (model.first, model.second)
    ends = [part.tolist() for graph in sides for part in (graph.tail, graph.head)]
    parts = [np.asarray(part) for part in (model.unary, model.pairwise, model.loops)]
    sizes = [len(graph) for graph in sides]
    return repr((sizes, model.offset, ends, [(part.shape, part.tolist()) for part in parts]))


def test_distances_of_version_1_are_unverified_and_computed_again(tmp_path, solved):
    store = tmp_path / "d.jsonl"
    lines = [{"format": FORMAT, "version": 1, "base": 0, "key": "x"}, [0, 1, 99.0, 99.0, True]]
    store.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.warns(UserWarning, match="1 distance of this store are unverified"):
        found = gm.edit_distances(GRAPHS[:2], node_match=same, store=store)
    assert len(solved()) == 3 and found.values[0, 1] == 2.0
    with pytest.warns(UserWarning, match="unverified"):
        gm.edit_distances(GRAPHS[:2], node_match=same, store=store)
    assert solved() == [] and len(store.read_text("utf-8").splitlines()) == 5


def test_distances_under_keys_of_version_2_are_computed_again(tmp_path, solved):
    store = tmp_path / "d.jsonl"
    lines = [{"format": FORMAT, "version": 2, "base": 0}, [0, 1, 99.0, 99.0, True, "0123abcd"]]
    store.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for pairs in (3, 0):
        with pytest.warns(UserWarning, match="1 distance of this store are unverified"):
            found = gm.edit_distances(GRAPHS[:2], node_match=same, store=store)
        assert len(solved()) == pairs and found.values[0, 1] == 2.0


def test_what_is_no_store_is_refused(tmp_path):
    path = tmp_path / "d.jsonl"
    for text, said in (
        ("no JSON\n", "no JSON on this line"),
        ('{"format": "diary"}\n', "holds no edit distances"),
        (
            json.dumps({"format": FORMAT, "version": 2}) + "\n[0, 1, 2.0, 2.0, true]\n",
            ":2: no distance",
        ),
    ):
        path.write_text(text)
        with pytest.raises(gm.FileFormatError, match=said):
            PairStore(path, resume=True)
    with pytest.raises(gm.InputError, match="there is no folder"):
        PairStore(tmp_path / "none" / "d.jsonl", resume=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PairStore(path, resume=False).file.close()
