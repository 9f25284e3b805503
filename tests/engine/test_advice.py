"""gm_methods(problem): best first, auto never behind a method that it beats, sources named."""

import itertools

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.engine.advice import (
    beats,
    closest,
    features,
    note_of,
    rank_methods,
    read_measurements,
)

FAMILIES = ("keypoints", "networks", "QAP", "edit distance", "large sparse", "dense affinity")


def networks(n, seed=5):
    """Two graphs, the second with a tenth of the edges moved."""
    first = nx.gnm_random_graph(n, 3 * n, seed=seed)
    second = nx.relabel_nodes(first, dict(enumerate(np.random.default_rng(seed).permutation(n))))
    return gm.models.from_graphs(first, nx.Graph(second))


def problems():
    """Unseen problems of every family, by name."""
    rng = np.random.default_rng(3)
    A, B = (rng.integers(0, 9, (9, 9)) for _ in range(2))
    graphs = [nx.gnm_random_graph(9, 12, seed=seed) for seed in (1, 2)]
    return {
        "keypoints": gm.synth.car(seed=5, size=14),
        "networks": networks(60),
        "QAP": gm.models.from_koopmans_beckmann(A + A.T, B + B.T, sense="min"),
        "edit distance": gm.models.from_edit_costs(*graphs),
        "large sparse": gm.synth.sparse(seed=5, size=900),
        "dense affinity": gm.Problem.from_matrix(rng.random((144, 144)), shape=(12, 12)),
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_problems_are_compared_with_their_family(family):
    problem = problems()[family]
    kind = closest(read_measurements(), features(problem))
    assert kind["family"] == family, kind["kind"]
    shown = repr(gm.gm_methods(problem))
    assert kind["kind"] in " ".join(shown.split())
    assert "..." not in shown and max(map(len, shown.splitlines())) <= 80
    assert "e+" not in shown and "larger than any" not in shown


def test_every_family_is_measured_with_every_method():
    names = {method.name for method in gm.gm_methods()}
    assert {record["family"] for record in read_measurements()} == set(FAMILIES)
    for record in read_measurements():
        assert set(record["methods"]) == names, record["kind"]
        values = [one["gap"] for one in record["methods"].values() if one]
        assert min(values) == 0.0


def test_auto_is_behind_those_only_that_beat_it_on_similar_problems():
    """On every measured problem, and between them: whatever comes before auto beats it there."""
    for record in read_measurements():
        problem = features_only(record)
        order, _ = rank_methods(gm.gm_methods(), problem)
        names = [method.name for method, _ in order]
        for name in itertools.takewhile(lambda name: name != "auto", names):
            assert beats(record["methods"][name], record["methods"]["auto"]), (record["kind"], name)


def features_only(record):
    """A Problem that has the features of a measured one, and nothing else."""

    class Edges(gm.core.products.Products if record["products"] else gm.core.edges.Listed):
        nonpositive = record["nonpositive"]

        def __init__(self):
            pass

    class Stand(gm.Problem):
        def __init__(self):
            pass

        shape = (record["nodes"], record["nodes"])
        complete = record["complete"]
        cost = np.array([0.0 if record["zero_unary"] else -1.0])
        n_candidates = record["n_candidates"]
        n_edges = record["n_edges"]
        edges = Edges()

    return Stand()


def test_auto_is_first_on_networks_and_large_ones_keep_it():
    assert gm.gm_methods(networks(60))[0].name == "auto"
    assert "auto" in [method.name for method in gm.gm_methods(networks(3000))]


def test_larger_problems_than_measured_are_said_to_be():
    found = gm.gm_methods(networks(9000))
    assert found[0].name == "auto" and "larger than any measured problem" in found.reason
    assert "networks of 2000 nodes" in found.reason
    assert "larger" in found._repr_html_()


def test_measurements_in_words():
    one = {"gap": 0.0, "seconds": 10.0, "proven": True, "cut": False}
    assert note_of(one, 1.0) == "best value in about 10 s, proven"
    assert (
        note_of({**one, "gap": 0.0123, "proven": False}, 0.5) == "1.2 % from the best in about 5 s"
    )
    assert note_of({**one, "proven": False, "cut": True}, 7.0) == "best value after 10 s"
    assert note_of(None, 1.0) == "not measured"


def test_other_things_than_problems_are_refused():
    with pytest.raises(gm.InputError, match="problem must be a Problem, got ndarray"):
        gm.gm_methods(np.eye(4))
