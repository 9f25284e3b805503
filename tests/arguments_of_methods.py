"""Arguments of the methods of public classes, those that have optional ones: see argument_table."""

from types import SimpleNamespace

import numpy as np
from argument_table import Calls
from arguments_of_models import UNKNOWN
from sample_store import fill

import gmtoolbox as gm

RNG = np.random.default_rng(3)
K = np.round(RNG.random((4, 4)), 2)
MASK = np.array([[1, 0], [1, 1]])
SMALL = gm.synth.car(seed=0, size=5)
SPOTS, DESCRIBED = 9 * RNG.random((9, 2)), RNG.random((9, 4))
IMAGES = (np.zeros((9, 9)), np.ones((9, 9)))
MATCHES = gm.match_keypoints(SPOTS, DESCRIBED, SPOTS, DESCRIBED)
CELLS = gm.track_cells([SPOTS, SPOTS + 0.1], time_limit=1.0)


def sample_of_runs():
    """Return the runs of the sample store, without a store."""
    runs, instances = [], []
    fill(SimpleNamespace(add=runs.append, add_instance=instances.append))
    return gm.Runs(runs, instances, time_limits=[1.0])


def drawn(function, of, **changes):
    """Return the calls of a method that hands its further options to a function of gm.plot."""
    return Calls(
        function,
        {"self": of},
        changes={"options": ({"title": "one"}, {}), **changes},
        always=("options", *changes),  # an unknown one: the TypeError of gm.plot
        watch=str,
    )


RUNS = {"self": sample_of_runs()}
METHODS = {
    "Problem.from_matrix": Calls(
        gm.Problem.from_matrix.__func__,
        {"cls": gm.Problem, "K": K},
        changes={
            "shape": ((4, 1), {}),
            "Ct": (MASK, {}),
            "sense": ("min", {}),
            "complete": (False, {}),
            "rest": ({"offset": 1.0}, {}),
        },
        refused={
            "shape": [((3, 1), {})],
            "Ct": [(MASK[:1], {})],
        },
        always=("sense", "complete", "rest"),  # an unknown one: the TypeError of Problem
    ),
    "Problem.changed": Calls(
        gm.Problem.changed,
        {"self": SMALL},
        changes={"fields": ({"sense": "max"}, {})},
        refused={"fields": [(UNKNOWN, {})]},
    ),
    "Result.plot": drawn(gm.Result.plot, gm.gm_solve(SMALL, "fm")),
    "CellTracks.plot": drawn(gm.CellTracks.plot, CELLS),
    "KeypointMatches.plot": drawn(gm.KeypointMatches.plot, MATCHES, images=(IMAGES, {})),
    "Runs.curves": Calls(
        gm.Runs.curves,
        RUNS,
        changes={"kind": ("cactus", {}), "dataset": ("points", {"kind": "cactus"})},
        refused={"kind": [("nonsense", {})], "dataset": [("nonsense", {})]},
    ),
    "Runs.profile": Calls(
        gm.Runs.profile,
        RUNS,
        changes={"dataset": ("points", {})},
        refused={"dataset": [("nonsense", {})]},
        watch=str,
    ),
    "Runs.table": Calls(
        gm.Runs.table,
        RUNS,
        changes={"form": ("csv", {})},
        refused={"form": [("nonsense", {})]},
        watch=str,
    ),
}
