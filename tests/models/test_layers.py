"""from_layers: names across layers, fields, and what it refuses."""

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import models


def test_nodes_are_known_by_name_in_every_layer():
    first, second = nx.Graph([("a", "b"), ("b", "c")]), nx.Graph([("d", "a"), ("c", "d")])
    other, more = nx.Graph([("x", "y"), ("y", "z")]), nx.Graph([("w", "x"), ("z", "w")])
    p = models.from_layers([first, second], [other, more], importance=[1.0, 2.0])
    assert p.nodes1 == ("a", "b", "c", "d") and p.nodes2 == ("x", "y", "z", "w")
    r = gm.gm_solve(p)
    assert r.value == 2 * (2 + 2 * 2) and r.mapping["b"] == "y" and r.mapping["d"] == "w"
    assert sorted(map(tuple, p.neighbours1.tolist())) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    seeded = models.from_layers([first, second], [other, more], seeds=[("a", "z")])
    assert gm.gm_solve(seeded).mapping["a"] == "z"


def test_layers_tell_nodes_apart_that_one_layer_does_not():
    rng = np.random.default_rng(0)
    n, truth = 60, rng.permutation(60)
    layers = [np.triu(rng.random((n, n)) < 0.06, 1).astype(float) for _ in range(3)]
    layers = [M + M.T for M in layers]
    permuted = []
    for M in layers:
        B = np.zeros((n, n))
        B[np.ix_(truth, truth)] = M
        permuted.append(B)
    r = gm.gm_solve(models.from_layers(layers, permuted), "faq")
    assert r.value == sum(map(np.sum, layers)) and gm.accuracy(r.labels, truth) > 0.9


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ([], [np.eye(2)], "at least one layer"),
        ([np.eye(2)], [np.eye(2)] * 2, "one length, got 1 and 2"),
        ([np.eye(2), np.eye(3)], [np.eye(2)] * 2, "layer 1 has 3 nodes and layer 0 2"),
        ([np.eye(2), np.ones((2, 3))], [np.eye(2)] * 2, "layer 1: G1 must be a finite square"),
        ([nx.path_graph(2), np.eye(2)], [np.eye(2)] * 2, "graphs or matrices, not both"),
    ],
)
def test_layers_that_do_not_fit(one, other, rule):
    with pytest.raises(gm.InputError, match=rule):
        models.from_layers(one, other)
