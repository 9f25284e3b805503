"""Cost models by name against exhaustive search with the formulas of the papers, written here again
with other means (assignments by permutations, recursion, complex numbers).
"""

import itertools
import math
import os
import pickle
import random
from functools import cache
from pathlib import Path

import pytest
from edit_reference import KINDS, brute_force, cost_of_path

import gmtoolbox as gm
from gmtoolbox.models.cost_presets import PRESETS, levenshtein

nx = pytest.importorskip("networkx")

# ---- the formulas again


@cache
def recursive_levenshtein(a, b):
    if not a or not b:
        return len(a) + len(b)
    change = recursive_levenshtein(a[1:], b[1:]) + (a[0] != b[0])
    return min(change, 1 + recursive_levenshtein(a[1:], b), 1 + recursive_levenshtein(a, b[1:]))


def point_distance(a, b):
    return abs(complex(float(a["x"]), float(a["y"])) - complex(float(b["x"]), float(b["y"])))


def lines(data):
    return [data[f"type{k}"] for k in range(int(data["frequency"]))]


def turned_lines(a, b, tau):
    """Cheapest assignment of lines, of which one may be deleted or inserted for tau."""
    a, b = lines(a), lines(b)
    size = len(a) + len(b)
    a, b = a + [None] * (size - len(a)), b + [None] * (size - len(b))

    def pay(x, y):
        if x is None or y is None:
            return 0 if x is y else tau
        return 0 if x == y else 2 * tau

    return min(
        sum(pay(x, y) for x, y in zip(a, order, strict=True)) for order in itertools.permutations(b)
    )


def letter(node, edge, alpha):
    return dict(
        node_subst=lambda a, b: alpha * point_distance(a, b), node_one=lambda a: alpha * node,
        edge_subst=lambda a, b: 0, edge_one=lambda a: (1 - alpha) * edge,
    )  # fmt: skip


def fingerprint():
    def turned(a, b):
        d = abs(a["orient"] - b["orient"])
        return 0.25 * min(d, math.pi - d)

    return dict(
        node_subst=lambda a, b: 0, node_one=lambda a: 0.525,
        edge_subst=turned, edge_one=lambda a: 0.125,
    )  # fmt: skip


def cmu():
    return dict(
        node_subst=lambda a, b: 0, node_one=lambda a: 50000,
        edge_subst=lambda a, b: 0.5 * abs(a["dist"] - b["dist"]),
        edge_one=lambda a: 0.5 * a["dist"],
    )  # fmt: skip


def grec_node(a, b):
    return 90 if a["type"] != b["type"] else 0.5 * point_distance(a, b)


def grec1():
    def turned(a, b):
        if a["frequency"] != b["frequency"]:
            return 7.5
        return 15 if a["frequency"] == 1 and a["type0"] != b["type0"] else 0

    return dict(
        node_subst=grec_node, node_one=lambda a: 45,
        edge_subst=turned, edge_one=lambda a: 7.5 * a["frequency"],
    )  # fmt: skip


def grec2():
    return dict(
        node_subst=grec_node, node_one=lambda a: 45,
        edge_subst=lambda a, b: 0.5 * turned_lines(a, b, 15),
        edge_one=lambda a: 7.5 * a["frequency"],
    )  # fmt: skip


def protein():
    def turned(a, b):
        if a["type"] != b["type"]:
            return 16.5
        return 0.75 * recursive_levenshtein(a["sequence"], b["sequence"])

    return dict(
        node_subst=turned, node_one=lambda a: 8.25,
        edge_subst=lambda a, b: 0.25 * turned_lines(a, b, 1),
        edge_one=lambda a: 0.25 * a["frequency"],
    )  # fmt: skip


FORMULAS = {
    "letter-low": letter(0.3, 0.1, 0.25),
    "letter-med": letter(0.7, 1.9, 0.75),
    "letter-high": letter(0.9, 1.7, 0.75),
    "fingerprint": fingerprint(),
    "cmu": cmu(),
    "grec1": grec1(),
    "grec2": grec2(),
    "protein": protein(),
}


def given(name):
    """The formulas as networkx takes them."""
    f = FORMULAS[name]
    return {
        f"{kind}_{verb}_cost": f[f"{kind}_{'subst' if verb == 'subst' else 'one'}"]
        for kind in ("node", "edge")
        for verb in ("subst", "del", "ins")
    }


# ---- random graphs with the attributes of the collections


def node_of(name, rng):
    point = {"x": rng.uniform(0, 3), "y": rng.uniform(0, 3)}
    if name.startswith("grec"):
        point = {"x": rng.randrange(200), "y": str(rng.randrange(200))}
        return {**point, "type": rng.choice(["corner", "circle"])}
    if name == "protein":
        word = "".join(rng.choice("TPA") for _ in range(rng.randrange(8)))
        return {"type": rng.randrange(2), "sequence": word}
    return point


def edge_of(name, rng):
    if name.startswith(("grec", "protein")):
        n = rng.choice((1, 1, 2))
        return {"frequency": n, **{f"type{k}": rng.choice(["line", "arc"]) for k in range(n)}}
    return {"orient": rng.uniform(-1.5, 1.5), "dist": rng.choice((0.0, rng.uniform(0, 200)))}


def random_graph(name, rng, kind, most=4):
    G = kind()
    for i in range(rng.randrange(most + 1)):
        G.add_node(i, **node_of(name, rng))
    pairs = itertools.product(G, G) if G.is_directed() else itertools.combinations(G, 2)
    loops = [(i, i) for i in G] if rng.random() < 0.5 else []
    for u, v in {*((u, v) for u, v in pairs if u != v), *loops}:
        for _ in range(rng.choice((0, 1, 1, 2) if G.is_multigraph() else (0, 1))):
            G.add_edge(u, v, **edge_of(name, rng))
    return G


def forbidding(subst):
    """The same costs, but some substitutions are free and some are forbidden."""

    def cost(a, b):
        kind = (len(repr(a)) + 2 * len(repr(b)) + repr(a).count("1")) % 4
        return {0: math.inf, 1: 0.0}.get(kind, subst(a, b))

    return cost


def check(name, rng, kind, forbid):
    G, H = (random_graph(name, rng, kind) for _ in range(2))
    formulas, own = given(name), {}
    if forbid:
        own = {"node_subst_cost": forbidding(formulas["node_subst_cost"])}
        formulas.update(own)
    r = gm.graph_edit_distance(G, H, costs=name, **own)
    expected = brute_force(G, H, **formulas)
    assert r.proven and r.value == pytest.approx(expected, rel=1e-12, abs=1e-12)
    paid = cost_of_path(G, H, r.node_path, r.edge_path, **formulas)
    assert paid == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", PRESETS)
def test_distances_are_those_of_exhaustive_search(name):
    rng = random.Random(name)
    for k in range(8):
        check(name, rng, KINDS[k % 4], k >= 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_many_distances(name):
    rng = random.Random(f"many {name}")
    for k in range(400):
        check(name, rng, KINDS[k % 4], k % 8 >= 4)


@pytest.mark.parametrize("name", ["unit", "constant", "unlabelled", "chem1", "chem2"])
def test_scales(name):
    node, relabel, edge, other = {
        "unit": (1, 1, 1, 1), "constant": (1, 1, 1, 1), "unlabelled": (1, 0, 1, 0),
        "chem1": (4, 2, 1, 1), "chem2": (2.75, 5.5, 0.825, 0.825),
    }[name]  # fmt: skip
    costs = dict(
        node_subst_cost=lambda a, b: relabel * (a["chem"] != b["chem"]),
        edge_subst_cost=lambda a, b: other * (a["valence"] != b["valence"]),
        **{f"node_{verb}_cost": lambda a: node for verb in ("del", "ins")},
        **{f"edge_{verb}_cost": lambda a: edge for verb in ("del", "ins")},
    )
    rng = random.Random(0)
    for _ in range(12):
        graphs = []
        for _ in range(2):
            n = rng.randrange(1, 5)
            pairs = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 0.6]
            atoms = [{"chem": rng.choice("CNO"), "x": rng.random()} for _ in range(n)]
            bonds = [{"valence": rng.choice((1, 2))} for _ in pairs]
            labels = dict(node_label=("chem",), edge_label=("valence",))
            graphs.append(gm.Graph(range(n), pairs, atoms, bonds, **labels))
        r = gm.graph_edit_distance(*graphs, costs=name)
        expected = brute_force(*(graph.to_networkx() for graph in graphs), **costs)
        assert r.proven and r.value == pytest.approx(expected, rel=1e-12)


# ---- what fits and what does not


@pytest.mark.parametrize(
    "name, node, edge, message",
    [
        ("letter-high", {"chem": 6}, {}, "needs the attribute 'x' of nodes, which have chem"),
        ("letter-high", {"x": "a", "y": 0}, {}, "'x' of nodes must be a finite number, got 'a'"),
        ("letter-low", {"x": math.nan, "y": 0}, {}, "must be a finite number, got nan"),
        ("cmu", {}, {}, "needs the attribute 'dist' of edges, which have none"),
        ("fingerprint", {}, {"angle": 1.0}, "'orient' of edges, which have angle"),
        ("grec1", {"x": 0, "y": 0}, {"frequency": 1, "type0": "a"}, "'type' of nodes"),
        ("grec2", {"x": 0, "y": 0, "type": 1}, {"valence": 1}, "'frequency' of edges"),
        ("grec2", {"x": 0, "y": 0, "type": 1}, {"frequency": 1e9}, "must be a whole number"),
        ("protein", {"type": 1}, {"frequency": 1, "type0": 1}, "'sequence' of nodes"),
        ("protein", {"type": 1, "sequence": "A"}, {"frequency": 1}, "'type0' of edges"),
        ("cmu", {}, {"dist": -1}, "edge_del_cost must be a finite number >= 0"),
    ],
)
def test_a_model_that_does_not_fit_is_refused_in_one_line(name, node, edge, message):
    G = gm.Graph([0, 1], [(0, 1)], [dict(node), dict(node)], [dict(edge)])
    for graph in (G, G.to_networkx()):
        with pytest.raises(gm.InputError, match=message) as caught:
            gm.graph_edit_distance(graph, graph, costs=name)
        assert "\n" not in str(caught.value)


def test_chemistry_needs_labels():
    letter = gm.Graph([0], [], [{"x": 1.0, "y": 2.0}])
    with pytest.raises(gm.InputError, match="costs='chem1' does not fit.*labels of nodes.* x, y"):
        gm.graph_edit_distance(letter, letter, costs="chem1")
    assert gm.graph_edit_distance(letter, letter, costs="unlabelled").distance == 0.0  # no warning


def test_functions_of_the_user_stay_and_names_have_no_case():
    G = gm.Graph([0, 1], [(0, 1)], [{"x": 0, "y": 0}, {"x": 3, "y": 4}])
    H = gm.Graph([0], [], [{"x": 0, "y": 0}])
    assert gm.graph_edit_distance(G, H, costs="Letter-HIGH").value == 0.75 * 0.9 + (1 - 0.75) * 1.7
    r = gm.graph_edit_distance(G, H, costs="letter-high", node_del_cost=lambda a: 7.0)
    assert r.value == 7.0 + (1 - 0.75) * 1.7
    for name in ("letter-high", "unlabelled"):
        with pytest.raises(gm.InputError, match="node_match does not go with costs="):
            gm.graph_edit_distance(G, H, costs=name, node_match=lambda a, b: True)
    with pytest.raises(gm.InputError, match="did you mean 'letter-high'"):
        gm.graph_edit_distance(G, H, costs="letter_high")


def test_processes_exchange_presets():
    for preset in PRESETS.values():
        assert pickle.loads(pickle.dumps(preset.functions())).keys() == given("cmu").keys()


def test_levenshtein():
    rng = random.Random(0)
    words = ["".join(rng.choice("ab") for _ in range(rng.randrange(7))) for _ in range(40)]
    for a, b in zip(words, words[1:], strict=False):
        assert levenshtein(a, b) == recursive_levenshtein(a, b)


@pytest.mark.data
@pytest.mark.parametrize(
    "folder, name",
    [
        ("Letter-HIGH", "letter-high"), ("Fingerprint", "fingerprint"), ("GREC", "grec1"),
        ("GREC", "grec2"), ("acyclic", "chem1"), ("AIDS", "chem2"), ("alkane", "unlabelled"),
    ],
)  # fmt: skip
def test_collections_take_their_models(folder, name):
    graphs = gm.load_graphs(Path(os.environ["GMTOOLBOX_DATA"]) / "gxl" / folder)
    graphs = sorted(graphs, key=len)[:4]
    matrix = gm.edit_distances(graphs, costs=name, time_limit=5)
    assert (matrix.bounds <= matrix.values).all() and (matrix.values.diagonal() == 0).all()


@pytest.mark.data
@pytest.mark.parametrize("folder, name", [("CMU", "cmu"), ("Protein", "protein")])
def test_large_graphs_take_their_models(folder, name):
    graphs = gm.load_graphs(Path(os.environ["GMTOOLBOX_DATA"]) / "gxl" / folder)
    G, H = sorted(graphs, key=len)[:2]
    r = gm.graph_edit_distance(G, H, costs=name, time_limit=1)
    assert 0 < r.bound <= r.value
