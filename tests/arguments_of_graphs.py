"""Arguments of the functions on two graphs: edit distances, subgraphs. See argument_table."""

from pathlib import Path

import networkx as nx
from argument_samples import (
    ANY_ATOM,
    BENZOATE,
    BIG,
    ETHANOL,
    GRAPHS,
    MOLECULES,
    UNLIKE,
    counter,
    hears,
    limits,
)
from argument_table import Calls
from arguments_of_models import COLOUR, EDIT, UNKNOWN, coloured

import gmtoolbox as gm

# ---- graphs

DISTANCE = {
    **{name: (function, {}) for name, function in EDIT.items()},
    "roots": ((0, 1), {}),
    "costs": ("chem1", {}),
    "method": ("fm", {"maxiter": 1}, "fw"),
    "seed": (3, {"method": "fm", "maxiter": 1}),
    "options": ({"maxiter": 1}, {"method": "fm"}),
}
NOT_ASKED = {
    "node_match": [(COLOUR, {"node_subst_cost": EDIT["node_subst_cost"]})],
    "edge_match": [(COLOUR, {"edge_subst_cost": EDIT["edge_subst_cost"]})],
    "costs": [("chem1", {name: EDIT[name] for name in EDIT if name.endswith("_cost")})],
    "options": [(UNKNOWN, {})],
}
OF_EDITS = [name for name in EDIT if name.endswith("_cost")]


def in_pattern(table):
    """The cases of a table without what find_subgraph has not."""
    free = ("node_del_cost", "node_ins_cost", "edge_ins_cost")
    return {name: found for name, found in table.items() if name not in free}


PATTERN = {"pattern": coloured(nx.cycle_graph(5)), "G": coloured(nx.grid_2d_graph(3, 3))}


def stored():
    path = Path(f"{next(counter)}.jsonl")
    gm.edit_distances(UNLIKE, store=path)
    assert len(path.read_text("utf-8").splitlines()) == 7


def resumed():
    path, written = Path(f"{next(counter)}.jsonl"), []
    for resume in (True, True, False):
        gm.edit_distances(UNLIKE, store=path, resume=resume)
        written.append(path.stat().st_mtime_ns)
    assert written[0] == written[1] != written[2]


def limited_distances():
    slow = [BIG["G1"], BIG["G2"]]
    assert not gm.edit_distances(slow, time_limit=0.01, method="mp").proven[0, 1]


EDITS = {
    "graph_edit_distance": Calls(
        gm.graph_edit_distance,
        GRAPHS,
        changes={**DISTANCE, "upper_bound": (1.0, {})},
        refused=NOT_ASKED,
        always=("roots", "upper_bound", "time_limit", "method", "seed", *OF_EDITS),
        effects={"time_limit": limits(gm.graph_edit_distance, BIG)},
    ),
    "find_subgraph": Calls(
        gm.find_subgraph,
        PATTERN,
        changes={
            **in_pattern(DISTANCE),
            "costs": ((1, 1, 2, 1), {}),
            "roots": ((0, (1, 1)), {}),
            "seed": (1, {"method": "fm", "maxiter": 1}),
        },
        refused={
            **NOT_ASKED,
            "costs": [
                (
                    "chem1",
                    {
                        name: EDIT[name]
                        for name in EDIT
                        if name in ("node_subst_cost", "edge_subst_cost", "edge_del_cost")
                    },
                )
            ],
        },
        always=(
            "roots",
            "time_limit",
            "method",
            "seed",
            "node_subst_cost",
            "edge_subst_cost",
            "edge_del_cost",
        ),
        effects={
            "time_limit": limits(
                gm.find_subgraph, {"pattern": BIG["G1"], "G": nx.gnp_random_graph(40, 0.3, seed=5)}
            )
        },
    ),
    "maximum_common_subgraph": Calls(
        gm.maximum_common_subgraph,
        GRAPHS,
        changes={
            "kind": ("induced", {}),
            "connected": (
                True,
                {
                    "G1": nx.disjoint_union(nx.path_graph(3), nx.path_graph(4)),
                    "G2": nx.path_graph(9),
                    "kind": "induced",
                },
            ),
            "node_match": (COLOUR, {}),
            "edge_match": (COLOUR, {}),
            "node_weight": (lambda one, other: 3.0, {"kind": "induced"}),
            "atoms": ("strict", MOLECULES),
            "bonds": ("any", {**MOLECULES, "atoms": "any"}),
            "ring_matches_ring": (True, MOLECULES),
            "complete_rings": (True, MOLECULES),
            "method": ("fm", {"maxiter": 1}, "fw"),
            "options": ({"maxiter": 1}, {"method": "fm"}),
        },
        refused={
            "connected": [(True, {"method": "aj"})],
            "atoms": [("any", {}), ("any", {**MOLECULES, "node_match": ANY_ATOM})],
            "bonds": [("any", {}), ("any", {**MOLECULES, "edge_match": ANY_ATOM})],
            "ring_matches_ring": [(True, {}), (False, {})],
            "complete_rings": [
                (True, {}),
                (True, {**MOLECULES, "ring_matches_ring": False}),
                (True, {**MOLECULES, "connected": False}),
                (True, {**MOLECULES, "kind": "induced"}),
                (True, {**MOLECULES, "edge_match": ANY_ATOM}),
            ],
            "node_weight": [
                (lambda one, other: 3.0, {}),
                ("weight", {"method": "aj", "kind": "induced"}),
            ],
            "n_jobs": [(2, {"method": "fm"})],
            "options": [(UNKNOWN, {}), ({"patience": 3}, {"method": "partition"})],
        },
        always=("kind", "node_match", "edge_match", "time_limit", "method"),
        silent={"n_jobs": 0, "seed": "x"},
        effects={"time_limit": limits(gm.maximum_common_subgraph, BIG)},
    ),
    "search": Calls(
        gm.search,
        {"query": GRAPHS["G2"], "collection": UNLIKE, "k": 2},
        changes={
            "max_distance": (1, {"k": None}, 9),
            "k": (1, {}),
            "measure": ("common", {}),
            "given": ({"costs": (3, 3, 3, 3)}, {}),
        },
        refused={
            "max_distance": [(3, {}), (3, {"k": None, "measure": "contained"})],
            "k": [
                (3, {"k": None, "max_distance": 3}),
                (3, {"k": None, "measure": "contained"}),
            ],
            "store": [("found.jsonl", {"measure": "common"})],
            "resume": [(False, {"measure": "common"}), (False, {})],
            "given": [(UNKNOWN, {}), ({"costs": "chem1"}, {"measure": "common"})],
        },
        always=("measure",),
        silent={"n_jobs": 0, "time_limit": -1.0},
        elsewhere=dict.fromkeys(("store", "resume"), "editing/test_search.py"),
        watch=lambda found: found.hits,
    ),
    "GraphCollection": Calls(
        gm.GraphCollection, {"graphs": UNLIKE}, always=("graphs",), watch=lambda kept: len(kept)
    ),
    "common_core": Calls(
        gm.common_core,
        {"graphs": UNLIKE},
        changes={
            "node_match": (COLOUR, {}),
            "edge_match": (COLOUR, {}),
            "atoms": ("strict", {"graphs": [ETHANOL, BENZOATE]}),
            "bonds": ("any", {"graphs": [ETHANOL, BENZOATE], "atoms": "any"}),
            "ring_matches_ring": (True, {"graphs": [ETHANOL, BENZOATE]}),
        },
        refused={
            "atoms": [("any", {}), ("any", {"graphs": [ETHANOL] * 2, "node_match": ANY_ATOM})],
            "bonds": [("any", {}), ("any", {"graphs": [ETHANOL] * 2, "edge_match": ANY_ATOM})],
            "ring_matches_ring": [(True, {})],
        },
        always=("node_match", "edge_match"),
        silent={"time_limit": -1.0},
        watch=lambda core: (core.value, core.edges, core.maps),
    ),
    "graph_similarity": Calls(
        gm.graph_similarity,
        GRAPHS,
        changes={"kind": ("common", {}), "given": ({"costs": "chem1"}, {})},
        refused={"given": [(UNKNOWN, {}), ({"costs": "chem1"}, {"kind": "common"})]},
        always=("kind",),
    ),
    "edit_distances": Calls(
        gm.edit_distances,
        {"graphs": UNLIKE},
        changes={
            "others": (UNLIKE[:2], {}),
            "upper_bound": (1.0, {}),
            "symmetric": (True, {"node_del_cost": lambda data: 9.0}),
            "names": (["x", "y", "z"], {}),
            "method": ("fm", {}, "sm"),
            "costs": ({"costs": "chem1"}, {}),
        },
        refused={
            "resume": [(False, {})],
            "symmetric": [(True, {"others": UNLIKE[:2]})],
            "names": [(["x", "y", "z"], {"others": UNLIKE[:2]}), (["x"], {})],
            "costs": [(UNKNOWN, {})],
        },
        always=("others", "upper_bound", "time_limit", "store", "progress", "method"),
        silent={"n_jobs": 0, "seed": "x"},
        effects={
            "store": stored,
            "resume": resumed,
            "progress": hears(gm.edit_distances, {"graphs": UNLIKE}),
            "time_limit": limited_distances,
        },
    ),
}


# ---- subgraphs and isomorphisms

SEARCH = {"pattern": coloured(nx.path_graph(3)), "G": coloured(nx.complete_graph(4))}
RINGS = {"G1": coloured(nx.cycle_graph(4)), "G2": coloured(nx.cycle_graph(4))}
COMPARED = {"node_match": (COLOUR, {}), "edge_match": (COLOUR, {})}
EDGES_ONLY = {
    "node_match": (lambda one, other: False, {}),
    "edge_match": (lambda one, other: False, {}),
}
SEARCHES = {
    **{
        name: Calls(
            getattr(gm, name),
            SEARCH,
            changes={"induced": (True, {}), "limit": (1, {}), **COMPARED},
            always=("induced", "limit", "node_match", "edge_match"),
            silent={"time_limit": -1.0},
            watch=list if name == "find_subgraphs" else None,
        )
        for name in ("find_subgraphs", "count_subgraphs")
    },
    "is_isomorphic": Calls(
        gm.is_isomorphic,
        RINGS,
        changes=EDGES_ONLY,
        always=("node_match", "edge_match"),
        silent={"time_limit": -1.0},
    ),
    "isomorphisms": Calls(
        gm.isomorphisms,
        RINGS,
        changes={"limit": (1, {}), **COMPARED},
        always=("limit", "node_match", "edge_match"),
        silent={"time_limit": -1.0},
        watch=list,
    ),
    "automorphisms": Calls(
        gm.automorphisms,
        {"G": coloured(nx.star_graph(4))},
        changes=COMPARED,
        always=("node_match", "edge_match"),
        silent={"time_limit": -1.0},
    ),
}
