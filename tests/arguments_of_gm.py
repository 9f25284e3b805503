"""Arguments of the functions of gm itself: see argument_table."""

import networkx as nx
import numpy as np
from argument_samples import (
    DESCRIBED,
    EASY,
    GIVEN,
    GOES_ON,
    HARD,
    MANY,
    MASK,
    MATRIX,
    RNG,
    SCENE,
    TILES,
    TRACKS,
    UNTIL,
    K,
    alternatives,
    file,
    hears,
    limits,
    mat,
    own,
    tiles,
)
from argument_table import Calls, Fresh
from arguments_of_files import (
    BATCH,
    LOAD,
    SAVE,
    check_folder_of_collection,
    dataset,
    graph_file,
    result_file,
)
from arguments_of_graphs import EDITS, SEARCHES
from arguments_of_methods import METHODS
from arguments_of_models import UNKNOWN

import gmtoolbox as gm
from gmtoolbox.engine import registry
from gmtoolbox.io import formats

SOLVER_FIELDS = ("family", "paper", "needs", "has_bound", "dual_based") + (
    "matrix_free", "chooses", "kernel", "without_kernel", "restart"
)  # fmt: skip


def registered(name, **arguments):
    """The record of a solver that is registered."""
    gm.solver(name, **arguments)(own)
    known = {method.name: method for method in gm.gm_methods()}
    registry._registered.pop(name, None)
    preset = registry._registered.pop("mine-preset", None)
    return [str(getattr(known[name], field)) for field in SOLVER_FIELDS], preset is not None


def is_mine(path):
    return True


def format_of_reader(*suffixes, role="reader", **arguments):
    """The record of a format that is registered."""
    formats.discover()  # modules that are imported in between would not come back
    before = dict(formats._registered)
    getattr(gm, role)(*suffixes, **arguments)(is_mine)
    found = [str(form) for form in formats._registered.values() if form.suffix in suffixes]
    formats._registered.clear()
    formats._registered.update(before)
    return found


def format_of_writer(*suffixes, **arguments):
    """The same of a writer."""
    return format_of_reader(*suffixes, role="writer", **arguments)


SOLVE = Calls(
    gm.gm_solve,
    {"problem": HARD, "method": "fm"},
    changes={
        "method": ("sm", {}),
        "seed": (7, {"method": "fm", "maxiter": 1}),
        "init": (np.arange(9)[::-1], {"method": "fw", "restarts": 0}),
        "shape": ((2, 3), {"problem": K, "method": "ilp"}, (3, 2)),
        "Ct": (MASK, {"problem": K, "method": "ilp"}, MASK * 0 + 1),
        "sense": ("min", MATRIX),
        "complete": (False, {"method": "aj"}),
        "options": ({"maxiter": 1}, {}),
    },
    refused={
        "init": [(np.arange(9), {"method": "sm"})],
        "shape": [((9, 9), {}), ((2, 2), {"problem": file("p.dd", lambda f: gm.save(EASY, f))})],
        "Ct": [(np.ones((9, 9)), {}), (MASK, {"problem": mat(K=np.eye(4)), "method": "fm"})],
        "sense": [("max", {}), ("max", {"problem": file("p.dd", lambda f: gm.save(EASY, f))})],
        "n_best": [(3, {"method": "fm"}), (3, {"method": "aj"})],
        "options": [(UNKNOWN, {}), ({"patience": 3}, {"method": "sm"})],
    },
    always=("method", "time_limit", "seed", "complete", "progress"),
    effects={
        "time_limit": limits(gm.gm_solve, {"problem": HARD, **UNTIL}),
        "progress": hears(gm.gm_solve, {"problem": HARD, "method": "fm"}),
        "n_best": alternatives,
    },
)

SOLVE_MANY = Calls(
    gm.gm_solve_many,
    {"problems": [HARD], "method": "fm"},
    changes={
        "method": ("sm", {}),
        "seed": (7, {"maxiter": 1}),
        "restarts": (20, {"maxiter": 1}),
        "shape": ((2, 3), {"problems": [K], "method": "aj"}, (3, 2)),
        "Ct": (MASK, {"problems": [K], "method": "aj"}, MASK * 0 + 1),
        "sense": ("min", {"problems": [K], "shape": (2, 3), "method": "aj"}),
        "complete": (False, {"method": "aj"}),
        "options": ({"maxiter": 1}, {}),
    },
    refused={
        "restarts": [(3, {"method": "sm"})],
        "shape": [((9, 9), {})],
        "Ct": [(np.ones((9, 9)), {})],
        "sense": [("max", {})],
        "options": [(UNKNOWN, {})],
    },
    always=("method", "time_limit", "seed", "complete"),
    silent={"n_jobs": 0},
    effects={"time_limit": limits(gm.gm_solve_many, {"problems": [HARD], **GOES_ON})},
)

SOLVE_MULTI = Calls(
    gm.gm_solve_multi,
    {"problem": MANY},
    changes={
        "method": ("sync", {}),
        "seed": (7, {"problem": gm.synth.worms_multi(d=4, m=12), "bound": "none"}),
        "init": (TRACKS, {"maxiter": 1, "bound": "none"}),
        "bound": ("none", {}),
        "maxiter": (1, {"problem": gm.synth.worms_multi(d=4, m=12)}),
    },
    refused={
        "init": [(TRACKS, {"method": "sync"})],
        "bound": [("cycles", {"method": "sync"})],
    },
    always=("method", "time_limit", "seed", "maxiter", "progress"),
    effects={
        "time_limit": limits(gm.gm_solve_multi, {"problem": gm.synth.worms_multi(d=9, m=40)}),
        "progress": hears(gm.gm_solve_multi, {"problem": MANY}),
    },
)


GM = {
    "gm_solve": SOLVE,
    "solve": SOLVE,
    "gm_solve_many": SOLVE_MANY,
    "gm_solve_multi": SOLVE_MULTI,
    "gm_batch": BATCH,
    "batch": BATCH,
    "load": LOAD,
    "save": SAVE,
    **EDITS,
    **SEARCHES,
    "match_keypoints": Calls(
        gm.match_keypoints,
        {
            "keypoints1": SCENE,
            "descriptors1": DESCRIBED,
            "keypoints2": 0.9 * SCENE[:, ::-1] + 5,
            "descriptors2": DESCRIBED + 0.1,
        },
        changes={
            "geometry": ("none", {}),
            "options": ({"unmatched": -40.0}, {}),
        },
        refused={
            "geometry": [("nonsense", {})],
            "seed": [(-1, {})],
            "rng": [(7, {"seed": 1})],
            "options": [({"nonsense": 1}, {})],
        },
        always=("geometry", "time_limit", "seed", "rng", "options"),
        elsewhere=dict.fromkeys(("time_limit", "seed", "rng"), "test_keypoints.py"),
        watch=lambda found: (found.matches.tolist(), found.problem.n_edges, len(found)),
    ),
    "track_cells": Calls(
        gm.track_cells,
        {"sessions": [SCENE, 0.9 * SCENE[:, ::-1] + 5], "time_limit": 0.1},
        changes={"areas": ([np.arange(1.0, 31), np.arange(1.0, 31)], {})},
        refused={"areas": [([np.ones(30)], {})]},
        always=("time_limit",),
        elsewhere={"time_limit": "test_cells.py"},
        watch=lambda found: [pair.cost for pair in found.problem.pairs.values()],
    ),
    "match_images": Calls(
        gm.match_images,
        {"image1": TILES, "image2": TILES[::-1], "detector": tiles},
        changes={
            "detector": (lambda grey: [part[::2] for part in tiles(grey)], {}),
            "n_keypoints": (9, {}),
            "options": ({"unmatched": -60.0}, {}),
        },
        refused={"options": [({"nonsense": 1}, {})], "n_keypoints": [(0, {})]},
        always=("detector", "n_keypoints", "options"),
        watch=lambda found: (found.matches.tolist(), len(found.keypoints1)),
    ),
    "assign": Calls(
        gm.assign,
        {"C": RNG.random((3, 4))},
        changes={"maximize": (True, {}), "unmatched": (0.01, {})},
        always=("maximize", "unmatched"),
    ),
    "align_graphs": Calls(
        gm.align_graphs,
        {"G1": nx.path_graph(4), "G2": nx.disjoint_union(nx.complete_graph(4), nx.path_graph(4))},
        changes={"maximise": ("s3", {})},
        refused={"maximise": [("ics", {})]},
        always=("maximise",),
        silent={"time_limit": -1, "seed": "x"},
    ),
    "quadratic_assignment": Calls(
        gm.quadratic_assignment,
        {"A": RNG.random((7, 7)), "B": RNG.random((7, 7))},
        changes={"method": ("sm", {}), "options": ({"maximize": True}, {})},
        always=("method", "options"),
        watch=lambda found: (found.col_ind.tolist(), found.fun, found.status),
    ),
    "accuracy": Calls(gm.accuracy, {"labels": [0, 1], "ground_truth": [0, 0]}),
    "track_f1": Calls(gm.track_f1, {"tracks": TRACKS, "truth": TRACKS}),
    "evaluate": Calls(
        gm.evaluate,
        {"answer": [0, 1, 2], "truth": [0, 2, -1]},
        changes={
            "problem": (
                gm.Problem((3, 3), [0], [0], [0.0], neighbours1=[[0, 1]], neighbours2=[[0, 1]]),
                {},
            ),
            "outliers": (False, {}),
            "scores": (np.eye(3), {}),
        },
        always=("problem", "outliers", "scores"),
        watch=lambda found: (found.to_dict(), found.nodes["verdict"]),
    ),
    "gm_methods": Calls(
        gm.gm_methods,
        {},
        changes={"problem": (EASY, {})},
        always=("problem",),
        watch=lambda found: [method.name for method in found],
    ),
    "gm_formats": Calls(
        gm.gm_formats,
        {"holds": ["result"]},
        watch=lambda found: [form.suffix for form in found],
    ),
    "load_dataset": Calls(gm.load_dataset, {"folder": Fresh(dataset)}, watch=len),
    "load_graphs": Calls(
        gm.load_graphs,
        {"path": file("g.edges", graph_file)},
        refused={"folder": [(".", {})]},
        effects={"folder": check_folder_of_collection},
    ),
    "load_result": Calls(gm.load_result, {"path": file("r.json", result_file)}),
    "blackbox_gradient": Calls(
        gm.blackbox_gradient,
        {"problems": [HARD], "results": [gm.gm_solve(HARD, "aj")], "lam": 3.0}
        | {"grad_labels": [RNG.random((9, 9))]},
        changes={"method": ("sm", {}), "options": ({"maxiter": 1}, {"method": "fm"})},
        refused={"options": [(UNKNOWN, {}), (UNKNOWN, {"method": "fm"})]},
        always=("method",),
        silent={"n_jobs": 0},
    ),
    "synchronise": Calls(
        gm.synchronise,
        {"matchings": GIVEN, "sizes": (3, 3, 3, 3)},
        changes={"method": ("spectral", {}), "rank": (1, {"method": "spectral"})},
        refused={"rank": [(2, {})]},
        always=("method",),
        silent={"time_limit": -1, "seed": "x"},
    ),
    "solver": Calls(
        registered,
        {"name": "mine-arguments"},
        changes={
            "family": ("spectral", {}),
            "paper": ("Mine", {}),
            "needs": ((gm.BIJECTIVE,), {}),
            "has_bound": (True, {}),
            "dual_based": (True, {}),
            "matrix_free": (True, {}),
            "chooses": (True, {}),
            "presets": ({"mine-preset": {}}, {}),
            "kernel": (own, {}),
            "without_kernel": (own, {}),
            "restart": ({}, {}),
        },
        always=SOLVER_FIELDS + ("presets",),
        public=gm.solver,
    ),
    "reader": Calls(
        format_of_reader,
        {"suffixes": [".mine"]},
        changes={
            "holds": ("graph", {}),
            "keeps": (("sense",), {}),
            "recognise": (is_mine, {}),
            "preference": (3, {}),
        },
        always=("holds", "keeps", "recognise", "preference"),
        public=gm.reader,
    ),
    "writer": Calls(
        format_of_writer,
        {"suffixes": [".mine"]},
        changes={"holds": ("graph", {}), "keeps": (("sense",), {})},
        always=("holds", "keeps"),
        public=gm.writer,
    ),
}
GM["methods"] = GM["gm_methods"]
GM |= METHODS
