"""Arguments of gm.plot, gm.synth, gm.reductions, gm.data and gm.io: see argument_table."""

from pathlib import Path
from types import SimpleNamespace

import matplotlib
import networkx as nx
import numpy as np
from argument_table import Calls, Fresh
from arguments_of_models import coloured

import gmtoolbox as gm

matplotlib.use("Agg")
RNG = np.random.default_rng(1)
CAR = gm.synth.car(seed=0, size=5)
LABELS = [0, 1, 2, 3, 4]
SHIFTED = [1, 2, 3, 4, 0]
POINTS = (CAR.points1, CAR.points2)
IMAGES = (RNG.random((30, 40)), RNG.random((30, 40)))
CURVES = [SimpleNamespace(method=name, x=[1.0, 8.0], y=[0.5, 1.0]) for name in ("fm", "fw")]
TRACES = {"fm": [(0.01, -3.0, -9.0), (0.1, -5.0, -6.0)]}
GRAPHS = {"G1": coloured(nx.path_graph(4)), "G2": coloured(nx.cycle_graph(4))}
PATH = gm.graph_edit_distance(**GRAPHS)
FRAMES = [RNG.random((3, 2)), RNG.random((3, 2))]


def axes():
    """New axes of matplotlib."""
    from matplotlib import pyplot

    return pyplot.figure().add_subplot()


def artists(answer):
    """What is on the axes of the last figure, beside the picture."""
    from matplotlib import pyplot

    drawn = [
        len(figure.axes[0].get_children()) for figure in map(pyplot.figure, pyplot.get_fignums())
    ]
    pyplot.close("all")
    return answer, drawn


def title(more=None):
    """The title of a picture, which every one has."""
    return ("Mine", more or {})


NETWORKS = gm.models.from_graphs(nx.path_graph(5), nx.cycle_graph(5))
PLOT = {
    "matching": Calls(
        gm.plot.matching,
        {"problem": CAR},
        changes={
            "result": (LABELS, {}),
            "ground_truth": (SHIFTED, {"result": LABELS}),
            "title": title(),
            "outliers": (False, {"result": LABELS, "ground_truth": [0, 1, 2, -1, -1]}),
            "images": (IMAGES, {}),
            "stacked": (True, {}),
            "edges": (False, {"problem": gm.models.from_points(*POINTS)}),
            "ax": (Fresh(axes), {}),
        },
        refused={
            "images": [(IMAGES, {"problem": NETWORKS})],
            "stacked": [(True, {"problem": NETWORKS})],
            "edges": [(False, {"problem": NETWORKS})],
            "ground_truth": [(LABELS, {}), (LABELS, {"problem": POINTS})],
            "outliers": [(False, {}), (False, {"problem": POINTS, "result": LABELS})],
        },
        always=("result", "title", "ax"),
        watch=artists,
    ),
    "affinity": Calls(
        gm.plot.affinity,
        {"problem": CAR},
        changes={
            "pair": ((0, 1), {}),
            "result": (LABELS, {"pair": (0, 1)}),
            "title": title(),
        },
        refused={"pair": [((0, 99), {})], "result": [(LABELS, {}), ([0], {"pair": (0, 1)})]},
        always=("title",),
    ),
    "edit_path": Calls(
        gm.plot.edit_path,
        {**GRAPHS, "result": PATH},
        changes={
            "node_label": ("colour", {}),
            "edge_label": ("colour", {}),
            "title": title(),
        },
        refused={"node_label": [("size", {})], "edge_label": [("size", {})]},
        always=("title",),
    ),
    "profile": Calls(
        gm.plot.profile,
        {"curves": CURVES},
        changes={
            "published": ([SimpleNamespace(method="mp", x=[1.0], y=[0.3])], {}),
            "title": title(),
            "tau_max": (10.0, {}),
            "colour": ({"fm": "#123456", "fw": "#654321"}, {}),
        },
        refused={"colour": [({"fm": "#123456"}, {})]},
        always=("published", "title", "tau_max"),
    ),
    "cactus": Calls(
        gm.plot.cactus,
        {"curves": CURVES},
        changes={"title": title(), "colour": ({"fm": "#123456", "fw": "#654321"}, {})},
        refused={"colour": [({"fm": "#123456"}, {})]},
        always=("title",),
    ),
    "trace": Calls(
        gm.plot.trace,
        {"traces": TRACES},
        changes={"title": title(), "optimum": (-5.0, {}), "colour": ({"fm": "#123456"}, {})},
        refused={"colour": [({"fw": "#123456"}, {})]},
        always=("title", "optimum"),
    ),
    "tracks": Calls(
        gm.plot.tracks,
        {"points": FRAMES, "tracks": [[0, 1, 2], [0, 1, 3]]},
        changes={
            "truth": ([[0, 1, 2], [0, 2, 1]], {}),
            "names": (["one", "two"], {}),
            "title": title(),
        },
        always=("truth", "names", "title"),
    ),
    "colours": Calls(gm.plot.colours, {"methods": ["fm", "fw"]}),
    "save_picture": Calls(
        gm.plot.save_picture,
        {"svg": gm.plot.matching(CAR), "path": "picture.svg"},
        watch=lambda _: Path("picture.svg").read_text("utf-8"),
    ),
    "check_suffix": Calls(gm.plot.check_suffix, {"path": "picture.svg"}),
}

SHAPES = (
    "caltech_large caltech_small car flow hotel house_dense house_sparse motor opengm pairs worms"
)
SYNTH = {
    "generate": Calls(
        gm.synth.generate,
        {"shape": "car", "size": 9},
        changes={"seed": (5, {}), "size": (10, {})},
        always=("seed", "size"),
    ),
    **{
        name: Calls(
            getattr(gm.synth, name),
            {"size": 9},
            changes={"seed": (5, {}), "size": (10, {})},
            always=("seed", "size"),
        )
        for name in SHAPES.split()
    },
    "sparse": Calls(
        gm.synth.sparse,
        {"size": 20, "candidates": 4},
        changes={
            "seed": (5, {}),
            "size": (21, {}),
            "candidates": (5, {}),
            "hard": (True, {}),
        },
        always=("seed", "size", "candidates", "hard"),
    ),
    "worms_multi": Calls(
        gm.synth.worms_multi,
        {"d": 3, "m": 10},
        changes={
            "d": (4, {}),
            "m": (11, {}),
            "seed": (5, {}),
            "true_allowed": (False, {"m": 80}),
        },
        always=("d", "m", "seed", "true_allowed"),
    ),
}

SQUARE = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 3.0], complete=True)
REDUCTIONS = {
    "matching_to_qap": Calls(gm.reductions.matching_to_qap, {"problem": CAR}),
    "qap_to_matching": Calls(
        gm.reductions.qap_to_matching, {"problem": SQUARE}, changes={"shift": ("all", {})},
        always=("shift",),
    ),
    "incomplete_lap_to_lap": Calls(
        gm.reductions.incomplete_lap_to_lap,
        {"problem": gm.Problem((2, 2), [0, 1], [0, 1], [1.0, 2.0])},
    ),
    "swap": Calls(gm.reductions.swap, {"problem": CAR}),
}  # fmt: skip

DATA = {
    "load": Calls(gm.data.load, {"name": "car-1"}),
    "load_network": Calls(gm.data.load_network, {"name": "karate"}),
    "load_keypoints": Calls(gm.data.load_keypoints, {}, watch=lambda k: vars(k)),
    "load_molecules": Calls(gm.data.load_molecules, {}),
    "names": Calls(gm.data.names, {}),
}
