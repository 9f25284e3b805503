"""Arguments of gm.models: see argument_table."""

import networkx as nx
import numpy as np
from argument_table import Calls

import gmtoolbox as gm

RNG = np.random.default_rng(0)
P, Q = RNG.random((9, 2)), RNG.random((10, 2))
F, G = RNG.random((9, 5)), RNG.random((10, 5))
DESCRIBED = {"F1": F, "F2": G}
BITS = {
    "F1": RNG.integers(0, 256, (9, 32), np.uint8),
    "F2": RNG.integers(0, 256, (10, 32), np.uint8),
}
SPACE = {"P": RNG.random((9, 3)), "Q": RNG.random((10, 3))}
PATH = [[k, k + 1] for k in range(8)]
PAIRS = [[i, s] for i in range(9) for s in range(10) if (i + s) % 3]
MASK = np.ones((4, 5))
MASK[1, 2] = 0
A, B = RNG.integers(0, 3, (4, 4)).astype(float), RNG.integers(0, 3, (5, 5)).astype(float)
RING = [[0, 1], [1, 2], [2, 3], [3, 0]]
LONG = [[0, 1], [1, 2], [2, 3], [3, 4]]
NAMED = {"name": "mine"}
UNKNOWN = {"nonsense": 1}


def coloured(graph):
    """A graph whose nodes and edges have attributes."""
    for k, node in enumerate(graph):
        graph.nodes[node]["colour"] = k % 2
    for k, edge in enumerate(graph.edges):
        graph.edges[edge].update(weight=1.0 + k, length=2.0 + k, colour=k % 2)
    return graph


PATH_GRAPH, CYCLE_GRAPH = coloured(nx.path_graph(4)), coloured(nx.cycle_graph(5))
ARROWS = {"G1": coloured(nx.gn_graph(4, seed=0)), "G2": coloured(nx.gn_graph(5, seed=1))}
GRAPHS = {"G1": PATH_GRAPH, "G2": CYCLE_GRAPH}
LAYERS = {"layers1": [PATH_GRAPH, PATH_GRAPH], "layers2": [CYCLE_GRAPH, coloured(nx.star_graph(4))]}
ARROW_LAYERS = {"layers1": [ARROWS["G1"]] * 2, "layers2": [ARROWS["G2"]] * 2}
MATRICES = {"G1": A + A.T, "G2": B + B.T}
COLOUR = lambda one, other: one["colour"] == other["colour"]
TABLE = {"left": ["a", "a", "b", "b"], "right": [1, 2, 1, 2], "score": [0.9, 0.2, 0.3, 0.7]} | {
    "l": ["p", "p", "q", "q"], "r": [7, 8, 7, 8], "s": [1.0, 2.0, 3.0, 4.0]
}  # fmt: skip
RELATED = {"relations1": [("a", "b")], "relations2": [(1, 2)]}
EDGE_COSTS = RNG.random((4, 5))
INCIDENCE = {"G": np.eye(4)[:, [0, 1, 2]], "H": np.eye(4)[:, [1, 2, 3]]}
OTHER_INCIDENCE = {"G": np.eye(5)[:, [0, 1, 2, 3]], "H": np.eye(5)[:, [1, 2, 3, 4]]}
CANDIDATES = [[0, 0], [1, 1], [2, 0], [2, 1]]
POSITIVE = lambda one: lambda data: one
EDIT = {  # functions of edit costs and a value of each that changes distances
    "node_match": COLOUR,
    "edge_match": COLOUR,
    "node_subst_cost": lambda one, other: 0.3,
    "node_del_cost": lambda data: 2.5,
    "node_ins_cost": lambda data: 2.5,
    "edge_subst_cost": lambda one, other: 0.3,
    "edge_del_cost": lambda data: 2.5,
    "edge_ins_cost": lambda data: 2.5,
}


class Atom:
    """As much of an RDKit atom as is asked for."""

    def __init__(self, symbol):
        self.GetSymbol, self.GetFormalCharge = lambda: symbol, lambda: 0


class Bond:
    """As much of an RDKit bond as is asked for."""

    def __init__(self, i, j):
        self.GetBeginAtomIdx, self.GetEndAtomIdx = lambda: i, lambda: j
        self.GetBondType = lambda: "SINGLE"


class Molecule:
    """A chain of atoms."""

    def __init__(self, symbols):
        self.GetAtoms = lambda: [Atom(symbol) for symbol in symbols]
        self.GetBonds = lambda: [Bond(k, k + 1) for k in range(len(symbols) - 1)]


def edge_features(side):
    """Edges of both graphs, and the features of one side."""
    return {"edges1": RING, "edges2": LONG, f"edge_features{side}": np.ones((4, 1))}


MODELS = {
    "delaunay_edges": Calls(gm.models.delaunay_edges, {"points": P}),
    "knn_edges": Calls(gm.models.knn_edges, {"points": P}, changes={"k": (2, {})}, always=("k",)),
    "nearest_candidates": Calls(
        gm.models.nearest_candidates,
        {"F1": F, "F2": G, "k": 3},
        changes={"metric": ("cosine", {})},
        always=("metric",),
    ),
    "inner_product": Calls(gm.models.inner_product, {"F1": F, "F2": G}),
    "gaussian": Calls(
        gm.models.gaussian,
        {},
        changes={"sigma": (3.0, {})},
        always=("sigma",),
        watch=lambda affinity: affinity(F, G),
    ),
    "from_costs": Calls(
        gm.models.from_costs,
        {"C": EDGE_COSTS},
        changes={"maximize": (True, {}), "unmatched": (0.3, {})},
        always=("maximize", "unmatched"),
    ),
    "from_points": Calls(
        gm.models.from_points,
        {"P": P, "Q": Q},
        changes={
            "F1": (F, {"F2": G}, F[::-1]),
            "F2": (G, {"F1": F}, G[::-1]),
            "edges1": (PATH, {}),
            "edges2": ("full", {}),
            "candidates": (PAIRS, {}),
            "k": (2, {}),
            "metric": ("cosine", DESCRIBED),
            "unary": (2.0, DESCRIBED),
            "unmatched": (1.5, {}),
            "geometry": ("none", DESCRIBED),
            "tolerance": (0.7, DESCRIBED),
            "width": (0.01, {}),
            "both": (False, {}),
            "seeds": ([[0, 3]], {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "F1": [(F, {})],
            "F2": [(G, {})],
            "edges2": [
                ("knn", DESCRIBED),
                ("knn", DESCRIBED | {"geometry": "affine"}),
                ("knn", {"geometry": "none"}),
            ],
            "k": [(3, {"candidates": PAIRS}), (3, DESCRIBED | {"candidates": PAIRS})],
            "metric": [("euclidean", {}), ("hamming", {"k": 3})],
            "unary": [(2.0, {}), (2.0, {"k": 3})],
            "geometry": [("similarity", {}), ("local", SPACE | DESCRIBED)],
            "tolerance": [(0.5, {}), (0.5, DESCRIBED | {"geometry": "length"})]
            + [(0.5, SPACE | DESCRIBED), (0.5, DESCRIBED | {"geometry": "none"})],
            "width": [(0.1, DESCRIBED), (0.1, {"geometry": "none"})],
            "both": [(False, DESCRIBED), (False, {"geometry": "none"})],
            "rest": [(UNKNOWN, {})],
        },
        always=("edges1", "candidates", "unmatched", "seeds", "complete"),
    ),
    "from_matches": Calls(
        gm.models.from_matches,
        {"kpts0": P, "kpts1": Q, "matches": PAIRS},
        changes={
            "scores": (np.arange(1.0, len(PAIRS) + 1), {}),
            "distances": (np.arange(1.0, len(PAIRS) + 1), {}),
            "k": (2, {}),
            "unary": (2.0, {}),
            "unmatched": (1.5, {}),
            "geometry": ("none", {}),
            "tolerance": (0.7, {}),
            "edges": (PATH, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "scores": [
                (np.ones(len(PAIRS)), {"distances": np.ones(len(PAIRS))}),
                (np.ones(90), {"matches": RNG.random((9, 10))}),
            ],
            "distances": [
                (np.ones(len(PAIRS)), {"scores": np.ones(len(PAIRS))}),
                (np.ones(90), {"matches": RNG.random((9, 10))}),
            ],
            "tolerance": [(0.7, {"geometry": "none"})],
            "rest": [(UNKNOWN, {})],
        },
        always=("k", "unary", "unmatched", "geometry", "edges"),
    ),
    "from_distances": Calls(
        gm.models.from_distances,
        {"D": 40 * RNG.random((4, 4)), "candidates": CANDIDATES},
        changes={"shape": ((4, 4), {}), "threshold": (30.0, {}), "rest": (NAMED, {})},
        refused={"rest": [(UNKNOWN, {})]},
        always=("shape", "threshold"),
    ),
    "from_features": Calls(
        gm.models.from_features,
        {"nodes1": F[:4], "nodes2": G[:5]},
        changes={
            "edges1": (RING, {"edges2": LONG}, RING[:3]),
            "edges2": (LONG, {"edges1": RING}, LONG[:3]),
            "edge_features1": (np.ones((4, 1)), edge_features(2), np.arange(4.0)[:, None]),
            "edge_features2": (np.ones((4, 1)), edge_features(1), np.arange(4.0)[:, None]),
            "node_affinity": (gm.models.gaussian(1.0), {}),
            "edge_affinity": (lambda e, f: np.full((4, 4), 7.0), {"edges1": RING, "edges2": LONG}),
            "Ct": (MASK, {}),
            "directed": (True, {"edges1": RING, "edges2": LONG}),
            "sense": ("min", {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "edges1": [(RING, {})],
            "edges2": [(LONG, {})],
            "edge_features1": [
                (np.ones((4, 1)), {}),
                (np.ones((4, 1)), {"edges1": RING, "edges2": LONG}),
            ],
            "edge_features2": [
                (np.ones((4, 1)), {}),
                (np.ones((4, 1)), {"edges1": RING, "edges2": LONG}),
            ],
            "node_affinity": [
                (gm.models.inner_product, {"nodes1": None, "nodes2": None, "Ct": MASK})
            ],
            "edge_affinity": [(gm.models.inner_product, {})],
            "directed": [(True, {})],
            "rest": [(UNKNOWN, {})],
        },
        always=("Ct", "sense", "complete"),
    ),
    "from_factors": Calls(
        gm.models.from_factors,
        {"KP": EDGE_COSTS, "KQ": RNG.random((3, 4)), "gph1": INCIDENCE, "gph2": OTHER_INCIDENCE},
        changes={
            "Ct": (MASK, {}),
            "sense": ("min", {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={"rest": [(UNKNOWN, {})]},
        always=("Ct", "sense", "complete"),
    ),
    "from_graphs": Calls(
        gm.models.from_graphs,
        GRAPHS,
        changes={
            "weight": ("length", {}),
            "directed": (False, ARROWS),
            "node_match": ("colour", {}),
            "similarity": (EDGE_COSTS, {}),
            "edge_match": ("colour", {}),
            "overlap": ("min", {"weight": "length"}),
            "seeds": ([(0, 2)], {}),
            "sense": ("min", {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "weight": [("length", MATRICES), (None, MATRICES), ("size", {})],
            "node_match": [("size", {}), ("colour", MATRICES)],
            "similarity": [("size", {})],
            "edge_match": [("size", {})],
            "overlap": [("max", {}), ("min", {"edge_match": "colour"})],
            "rest": [(UNKNOWN, {})],
        },
        always=("directed", "seeds", "sense", "complete"),
    ),
    "from_layers": Calls(
        gm.models.from_layers,
        LAYERS,
        changes={
            "importance": ([1.0, 3.0], {}),
            "weight": ("length", {}),
            "directed": (False, ARROW_LAYERS),
            "node_match": ("colour", {}),
            "similarity": (EDGE_COSTS, {}),
            "seeds": ([(0, 2)], {}),
            "sense": ("min", {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "importance": [([1.0], {})],
            "weight": [("size", {})],
            "node_match": [("size", {})],
            "similarity": [("size", {})],
            "rest": [(UNKNOWN, {})],
        },
        always=("importance", "directed", "seeds", "sense", "complete"),
    ),
    "from_koopmans_beckmann": Calls(
        gm.models.from_koopmans_beckmann,
        {"A": A, "B": B},
        changes={
            "C": (EDGE_COSTS, {}),
            "sense": ("max", {}),
            "complete": (False, {}),
            "rest": (NAMED, {}),
        },
        refused={"rest": [(UNKNOWN, {})]},
        always=("C", "sense", "complete"),
    ),
    "from_table": Calls(
        gm.models.from_table,
        {"table": TABLE},
        changes={
            "left": ("l", {}),
            "right": ("r", {"left": "l"}),
            "score": ("s", {}),
            "relations1": ([("a", "b", 3.0)], RELATED | {"relations1": None}, [("a", "b")]),
            "relations2": ([(1, 2, 3.0)], RELATED | {"relations2": None}, [(1, 2)]),
            "relation": (3.0, RELATED),
            "threshold": (0.4, {}),
            "sense": ("min", {}),
            "complete": (True, {}),
            "rest": (NAMED, {}),
        },
        refused={
            "left": [("no", {})],
            "right": [("no", {})],
            "score": [("no", {})],
            "relations1": [([("a", "b")], {})],
            "relations2": [([(1, 2)], {})],
            "relation": [(3.0, {})],
            "rest": [(UNKNOWN, {})],
        },
        always=("threshold", "sense", "complete"),
    ),
    "from_edit_costs": Calls(
        gm.models.from_edit_costs,
        GRAPHS,
        changes={
            **{name: (function, {}) for name, function in EDIT.items()},
            "roots": ((0, 1), {}),
            "costs": ("chem1", {}),
        },
        refused={
            "node_match": [(COLOUR, {"node_subst_cost": EDIT["node_subst_cost"]})],
            "edge_match": [(COLOUR, {"edge_subst_cost": EDIT["edge_subst_cost"]})],
            "costs": [("chem1", {name: EDIT[name] for name in EDIT if name.endswith("_cost")})],
        },
        always=("roots", *(name for name in EDIT if name.endswith("_cost"))),
    ),
    "from_molecules": Calls(
        gm.models.from_molecules,
        {"M1": Molecule("CCO"), "M2": Molecule("CNOC")},
        changes={"costs": ("chem1", {}), "roots": ((0, 1), {})},
        always=("costs", "roots"),
    ),
    "multi_from_points": Calls(
        gm.models.multi_from_points,
        {"points": [P, Q, P[::-1]]},
        changes={
            "pair": (lambda P, Q: gm.models.from_points(P, Q, width=0.01), {}),
            "unary": (0.7, {}),
            "truth": ([np.arange(9), np.arange(10), np.arange(9)], {}),
            "name": ("mine", {}),
            "options": ({"width": 0.01}, {}),
        },
        refused={"options": [({"metric": "cosine"}, {})]},
        always=("pair", "unary", "truth", "name"),
    ),
    "from_feature_sets": Calls(
        gm.models.from_feature_sets,
        {"features": [F, G, F[::-1]]},
        changes={
            "candidates": (2, {}),
            "metric": ("cosine", {}),
            "points": ([P, Q, P[::-1]], {}),
            "unary": (0.7, {}),
            "name": ("mine", {}),
            "rest": ({"names": ("x", "y", "z")}, {}),
        },
        refused={"rest": [(UNKNOWN, {})]},
        always=("candidates", "metric", "points", "unary", "name"),
    ),
    "to_ilp": Calls(
        gm.models.to_ilp,
        {"problem": gm.synth.car(seed=0, size=4)},
        changes={"full": (True, {})},
        always=("full",),
        watch=lambda lp: (lp.A, lp.cost),
    ),
}
