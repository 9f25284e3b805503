"""Public functions, called with one argument that is of no use: answered, or refused in one line
by an error of ours; a path that is none is Python's own TypeError.
"""

import warnings

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.bench.run.plan import make_plan

ODD = [
    None, True, 0, -1, 1.5, float("nan"), float("inf"), 2**70, "x", "", b"x", [], {}, [None], [[]],
    [1, 2], [[1, 2], [3]], np.array([]), np.array([np.nan]), np.zeros((3, 3)), np.eye(4) * 1j,
    np.array(["a", "b"]), np.array([object()]), np.zeros((2, 2, 2)), sparse.csr_array((3, 3)),
    lambda *arguments: None, object(), {"a": 1}, np.int64(3), iter([1, 2]), {1}, 1j,
]  # fmt: skip
FEW = [one for one in ODD if one is None or isinstance(one, (bool, int, float, str, list))]

PROBLEM = gm.synth.car(seed=0, size=5)
POINTS = np.random.default_rng(0).random((8, 2))
FEATURES = np.random.default_rng(1).random((8, 5))
GRAPHS = {"G1": nx.path_graph(5), "G2": nx.cycle_graph(5)}
MATCHES = np.column_stack([np.arange(8), np.arange(8)])
SOLVING = {"time_limit": 0.02, "seed": 0}

CALLS = {
    "gm_solve fm": (gm.gm_solve, {"problem": PROBLEM, "method": "fm", "maxiter": 3, **SOLVING}),
    "gm_solve aj": (gm.gm_solve, {"problem": PROBLEM, "method": "aj", "n_jobs": 1, **SOLVING}),
    "gm_solve auto": (gm.gm_solve, {"problem": PROBLEM, "n_best": 1, "init": None, **SOLVING}),
    "gm_solve_many": (
        gm.gm_solve_many,
        {"problems": [PROBLEM], "method": "fm-bca", "n_jobs": 1, "restarts": 1, **SOLVING},
    ),
    "from_points": (
        gm.models.from_points,
        {"P": POINTS, "Q": POINTS, "k": None, "width": None, "unmatched": 0.0, "seeds": None}
        | {"candidates": None, "edges1": None, "complete": None, "tolerance": 0.2},
    ),
    "from_points with features": (
        gm.models.from_points,
        {"P": POINTS, "Q": POINTS, "F1": FEATURES, "F2": FEATURES, "k": 3, "metric": "euclidean"},
    ),
    "from_graphs": (
        gm.models.from_graphs,
        {**GRAPHS, "seeds": None, "weight": None, "node_match": None, "similarity": None},
    ),
    "from_matches": (
        gm.models.from_matches,
        {"kpts0": POINTS, "kpts1": POINTS, "matches": MATCHES, "scores": None, "k": 3},
    ),
    "Problem": (
        gm.Problem,
        {"shape": (2, 2), "left": [0, 1], "right": [0, 1], "cost": [1.0, 2.0], "a": [0], "b": [1]}
        | {"edge_cost": [1.0], "sense": "min", "complete": False, "offset": 0.0, "points1": None}
        | {"neighbours1": None, "ground_truth": None, "nodes1": None},
    ),
    "evaluate": (gm.evaluate, {"answer": [0, 1], "truth": [0, 1]}),
    "fix": (PROBLEM.fix, {"pairs": [(0, 0)]}),
    "forbid": (PROBLEM.forbid, {"pairs": [(0, 0)]}),
    "plot": (gm.plot.matching, {"problem": PROBLEM, "result": None, "ground_truth": None}),
}
CASES = [(call, name) for call, (_, good) in CALLS.items() for name in good]


def refuses_in_one_line(function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(**arguments)
        except gm.GMError as error:
            assert str(error) and "\n" not in str(error)
        except FileNotFoundError:  # a text is the path of a problem
            pass


@pytest.mark.parametrize("call, name", CASES, ids=[f"{call} {name}" for call, name in CASES])
def test_odd_arguments_are_answered_or_refused(call, name):
    function, good = CALLS[call]
    for odd in ODD:
        refuses_in_one_line(function, {**good, name: odd})


@pytest.mark.parametrize("name", ["problems", "methods", "time_limit", "trials", "seed"])
def test_odd_arguments_of_a_batch(name):
    """All are looked at before the first process starts."""
    good = {"problems": [PROBLEM], "methods": ["fm"], "time_limit": 0.02}
    for odd in FEW:
        refuses_in_one_line(make_plan, {**good, name: odd})


@pytest.mark.usefixtures("without_processes")
def test_a_batch_may_have_all_the_time_there_is():
    (run,) = gm.gm_batch([PROBLEM], ["fm"], time_limit=2**70)
    assert run.outcome == "ok"


@pytest.mark.parametrize(
    "wrong",
    [{"problems": ""}, {"problems": [""]}, {"time_limit": []}, {"trials": 10**9}, {"trials": True}]
    + [{"seed": range(2**70)}],
)
def test_too_little_and_too_much_for_a_batch_is_refused(wrong, tmp_path, monkeypatch):
    """An empty path is not the current folder, no limits are not a list of limits, and the memory
    is not filled with runs.
    """
    monkeypatch.chdir(tmp_path)
    gm.save(PROBLEM, tmp_path / "p.dd")
    with pytest.raises(gm.InputError, match="must "):
        gm.gm_batch(**{"problems": [PROBLEM], "methods": ["fm"], "time_limit": 1.0} | wrong)


def test_labels_that_are_not_whole_are_no_truth():
    for wrong in ([0.5, 1], [np.nan, 0], [None, 0], [2**40, 0]):
        with pytest.raises(gm.InputError, match="ground_truth must be an array of whole numbers"):
            gm.Problem((2, 2), [0, 1], [0, 1], [1.0, 2.0], ground_truth=wrong)
