"""A store of edit distances answers for the same costs and settings only."""

import json
import warnings

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.editing import matrix
from gmtoolbox.editing.pair_store import FORMAT, PairStore, pair_hash, settings_hash
from gmtoolbox.models.edit_costs import EditCosts
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


def test_hashes_of_models():
    costs = EditCosts(node_match=same)
    asked = settings_hash(None, None, "auto", 0)
    hashes = [pair_hash(EditModel.of(costs, G, H), asked) for G in GRAPHS for H in GRAPHS]
    assert len(set(hashes)) == 9
    assert hashes[1] == pair_hash(EditModel.of(EditCosts(node_match=same), *GRAPHS[:2]), asked)
    empty = EditModel.of(costs, nx.Graph(), GRAPHS[0])
    assert pair_hash(empty, asked) != pair_hash(EditModel.of(costs, nx.Graph(), GRAPHS[1]), asked)
    directed = [nx.DiGraph(edges) for edges in ([(0, 1), (1, 2)], [(0, 1), (2, 1)])]
    one, two = (pair_hash(EditModel.of(EditCosts(), directed[0], H), asked) for H in directed)
    assert one != two


def test_distances_of_version_1_are_unverified_and_computed_again(tmp_path, solved):
    store = tmp_path / "d.jsonl"
    lines = [{"format": FORMAT, "version": 1, "base": 0, "key": "x"}, [0, 1, 99.0, 99.0, True]]
    store.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.warns(UserWarning, match="1 distance of this store are unverified"):
        found = gm.edit_distances(GRAPHS[:2], node_match=same, store=store)
    assert len(solved()) == 3 and found.values[0, 1] == 2.0
    with pytest.warns(UserWarning, match="unverified"):
        gm.edit_distances(GRAPHS[:2], node_match=same, store=store)
    assert solved() == [] and len(store.read_text().splitlines()) == 5


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
