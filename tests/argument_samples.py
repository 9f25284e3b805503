"""Problems, graphs and files that the tables of arguments call with, and effects that many have."""

import itertools
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.io
from argument_table import Fresh
from arguments_of_models import coloured
from small import random_problem

import gmtoolbox as gm

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
