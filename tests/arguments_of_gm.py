"""Arguments of the functions of gm itself and of gm.io: see argument_table."""

import contextlib
import itertools
import json
from io import StringIO
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.io
from argument_table import Calls, Fresh
from arguments_of_models import COLOUR, EDIT, UNKNOWN, coloured
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine import registry
from gmtoolbox.io import formats

RNG = np.random.default_rng(2)
HARD = random_problem(RNG, 9, 9, complete=True)  # methods end in different matchings
SLOW = gm.synth.opengm(seed=0, size=19)
EASY = gm.synth.car(seed=0, size=5)
K = np.round(RNG.random((6, 6)) * (RNG.random((6, 6)) < 0.3), 2)
MATRIX = {"problem": K, "shape": (2, 3), "method": "ilp"}
MASK = np.array([[1, 0, 1], [1, 1, 1]])
MANY = gm.synth.worms_multi(d=3, m=8)
TRACKS = [np.arange(n) + 100 * g for g, n in enumerate(MANY.sizes)]
GRAPHS = {"G1": coloured(nx.gnp_random_graph(6, 0.5, seed=3)), "G2": coloured(nx.cycle_graph(5))}
UNLIKE = [coloured(nx.path_graph(4)), coloured(nx.cycle_graph(5)), coloured(nx.star_graph(3))]
BIG = {"G1": nx.gnp_random_graph(25, 0.4, seed=0), "G2": nx.gnp_random_graph(25, 0.4, seed=1)}
GIVEN = {(0, 1): [0, 1, 2], (0, 2): [1, 0, 2], (1, 2): [0, 1, 2], (0, 3): [2, 1, 0]}
ETHANOL, BENZOATE = (  # molecules that every rule compares in another way
    gm.Graph(
        range(len(symbols)),
        [tuple(map(int, bond[:2])) for bond in bonds],
        [{"symbol": symbol[0], "charge": -(len(symbol) - 1)} for symbol in symbols],
        [{"bond": {"-": "SINGLE", "=": "DOUBLE", ":": "AROMATIC"}[bond[2]]} for bond in bonds],
        node_label=("symbol", "charge"),
        edge_label=("bond",),
    )
    for symbols, bonds in (
        (["C", "C", "O", "N"], ["01-", "12-", "13="]),
        (["C"] * 3 + ["O-", "C", "C"], ["01:", "12:", "20:", "03-", "34-", "45-"]),
    )
)
MOLECULES = {"G1": ETHANOL, "G2": BENZOATE}
ANY_ATOM = lambda one, other: True
UNTIL = {"method": "fw", "restarts": 10**9, "maxiter": 10**12}  # only a limit ends it
GOES_ON = {"method": "fm", "maxiter": 10**9, "patience": 10**9}
SCENE, DESCRIBED = 99 * RNG.random((30, 2)), RNG.random((30, 6))
TILES = RNG.random((20, 20)).repeat(8, 0).repeat(8, 1)
counter = itertools.count()


def tiles(grey):
    """A detector of keypoints for pictures of tiles."""
    places = np.argwhere(grey[4:-24:8, 4:-24:8] > 0.6)[:, ::-1] * 8.0
    rows = [grey[int(y) : int(y) + 24 : 4, int(x) : int(x) + 24 : 4].ravel() for x, y in places]
    return places, np.array(rows)


def heard(**arguments):
    """How often a progress function is called."""
    calls = []
    return calls, {**arguments, "progress": lambda *event: calls.append(event)}


def hears(function, base):
    """An effect: progress functions are called."""

    def check():
        calls, arguments = heard(**base)
        function(**arguments)
        assert calls

    return check


def limits(function, base):
    """An effect: a time limit ends what would go on."""

    def check():
        found = function(**base, time_limit=0.05)
        found = found[0] if isinstance(found, list) else found
        assert found.status == "time_limit"

    return check


def file(name, make):
    """A file that is made for a call, in the current folder."""

    def made():
        path = Path(f"{next(counter)}-{name}")
        make(path)
        return path

    return Fresh(made)


def mat(**variables):
    """A .mat file with these variables."""
    return file("k.mat", lambda path: scipy.io.savemat(path, variables))


def folder_of_many():
    path = Path(f"many{next(counter)}")
    gm.save(MANY, path)
    return path


def saved(name):
    """What gm.save wrote, read as bytes."""
    return lambda _: Path(name).read_bytes()


def alternatives():
    assert len(gm.gm_solve(HARD, n_best=3).alternatives) == 2
    assert "n_best" not in gm.gm_solve(HARD).extra


def own(problem):
    return np.arange(problem.shape[0])


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


# ---- files


def dataset():
    folder = Path(f"dataset{next(counter)}")
    folder.mkdir()
    gm.save(EASY, folder / "one.dd")
    described = {"dataset": "mine", "complete": True, "instances": ["one"]}
    (folder / "dataset.json").write_text(json.dumps(described))
    return folder


def result_file(path):
    gm.gm_solve(EASY, "fm").save(path)


def graph_file(path):
    path.write_text("a b\n")


def collection():
    folder = Path(f"collection{next(counter)}")
    for own, nodes in ((folder, 1), (folder / "others", 2)):
        own.mkdir()
        listed = "".join(f'<node id="{k}"/>' for k in range(nodes))
        (own / "a.gxl").write_text(f"<gxl><graph>{listed}</graph></gxl>")
    (folder / "all.xml").write_text('<list><graph file="a.gxl" class="x"/></list>')
    return folder / "all.xml"


def check_folder_of_collection():
    path = collection()
    found = gm.load_graphs(path) + gm.load_graphs(path, folder=path.parent / "others")
    assert [len(graph) for graph in found] == [1, 2]


LOAD = Calls(
    gm.load,
    {"path": file("p.dd", lambda path: gm.save(EASY, path))},
    changes={
        "complete": (False, {}),
        "key": ("A", {"path": mat(A=np.diag([1.0, 5, 5, 1]), B=np.eye(4))}, "B"),
        "sense": ("min", {"path": mat(K=np.eye(4))}),
        "shape": ((1, 4), {"path": mat(K=np.eye(4))}),
    },
    refused={
        "complete": [(True, {"path": Fresh(folder_of_many)})],
        "key": [("K", {}), ("K", {"path": Fresh(folder_of_many)})]
        + [("K", {"path": file("p.h5", lambda path: gm.save(EASY, path))})],
        "sense": [("max", {}), ("max", {"path": Fresh(folder_of_many)})],
        "shape": [((5, 5), {}), ((2, 2), {"path": Fresh(folder_of_many)})],
    },
    watch=lambda problem: (
        gm.Problem.changed(problem, name="") if isinstance(problem, gm.Problem) else problem
    ),
)

SAVE = Calls(
    gm.save,
    {"what": np.eye(4), "path": "saved.mat"},
    changes={"options": [
        ({"shape": (1, 4)}, {}), ({"Ct": np.eye(2)}, {}), ({"sense": "min"}, {}),
        ({"complete": False}, {}), ({"version": "6"}, {}), ({"schema": "costs"}, {}),
    ]},
    refused={"options": [
        (UNKNOWN, {}), (UNKNOWN, {"what": EASY}), ({"sense": "max"}, {"what": EASY}),
        ({"version": "6"}, {"path": "saved.dd"}), ({"shape": (2, 2)}, {"what": EASY}),
        ({"version": "6"}, {"what": gm.gm_solve(EASY, "fm"), "path": "saved.json"}),
        ({"complete": True}, {"what": MANY, "path": "saved.dd"}),
    ]},
    watch=lambda _: Path("saved.mat").read_bytes()[128:] if Path("saved.mat").exists() else None,
)  # fmt: skip

FILES = {
    "load": LOAD,
    "save": SAVE,
    "is_multi": Calls(gm.io.is_multi, {"path": file("p.dd", lambda path: gm.save(EASY, path))}),
}


# ---- batches


def n_runs(expected, **arguments):
    def check():
        assert len(gm.gm_batch([EASY], ["fm"], **arguments)) == expected

    return check


def batch_store():
    path = Path(f"{next(counter)}.db")
    gm.gm_batch([EASY], ["fm"], store=path)
    assert path.exists()


def batch_resume():
    path = Path(f"{next(counter)}.db")
    first, again, new = (
        gm.gm_batch([EASY], ["fm"], store=path, resume=resume)[0].started
        for resume in (True, True, False)
    )
    assert first == again != new


def batch_retry():
    path = Path(f"{next(counter)}.db")
    wrong = [gm.Problem((2, 2), [0], [0], [1.0], complete=True)]
    first, again, new = (
        gm.gm_batch(wrong, ["fm"], store=path, retry_failed=retry)[0].started
        for retry in (False, False, True)
    )
    assert first == again != new


def batch_limit(**limit):
    def check():
        run = gm.gm_batch([HARD], {"fw": {"restarts": 10**9, "maxiter": 10**12}}, **limit)[0]
        assert run.status == "time_limit" or run.outcome in ("timeout", "memory", "crash", "error")

    return check


def batch_progress():
    heard = StringIO()
    with contextlib.redirect_stderr(heard):
        gm.gm_batch([EASY], ["fm"], progress=True)
    assert heard.getvalue()


BATCH = Calls(
    gm.gm_batch,
    {"problems": [EASY], "methods": ["fm"]},
    refused={
        "resume": [(False, {})],
        "retry_failed": [(True, {})],
    },
    always=(
        "time_limit",
        "trials",
        "store",
        "seed",
        "rng",
        "memory",
        "wall",
        "progress",
        "cluster",
        "threads",
    ),
    silent={"n_jobs": 0, "threads": 0},
    effects={
        "time_limit": batch_limit(time_limit=0.05),
        "trials": n_runs(2, trials=2),
        "seed": n_runs(2, seed=[0, 1]),
        "rng": n_runs(1, rng=3),
        "store": batch_store,
        "resume": batch_resume,
        "retry_failed": batch_retry,
        "memory": batch_limit(memory=20.0, time_limit=5.0),
        "wall": batch_limit(wall=0.3, time_limit=30.0),
        "progress": batch_progress,
    },
    elsewhere={"cluster": "bench/cluster/test_dask_runner.py"},
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
