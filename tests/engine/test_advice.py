"""gm_methods(problem): best first, auto never behind a method that it beats, sources named."""

import importlib
import itertools
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.engine.advice import (
    beats,
    closest,
    features,
    note_of,
    rank_for,
    rank_methods,
    read_measurements,
)

FAMILIES = (
    "keypoints",
    "networks",
    "QAP",
    "edit distance",
    "large sparse",
    "dense affinity",
    "random affinity",
)


def networks(n, seed=5):
    """Two graphs, the second with a tenth of the edges moved."""
    first = nx.gnm_random_graph(n, 3 * n, seed=seed)
    second = nx.relabel_nodes(first, dict(enumerate(np.random.default_rng(seed).permutation(n))))
    return gm.models.from_graphs(first, nx.Graph(second))


def distances(n, seed=3):
    """Distances of points compared with those of their noisy copies."""
    rng = np.random.default_rng(seed)
    P = rng.random((n, 2))
    both = [
        np.linalg.norm(Q[:, None] - Q[None], axis=2)
        for Q in (P, P + 0.03 * rng.standard_normal(P.shape))
    ]
    K = np.exp(-((both[0][None, :, None, :] - both[1][:, None, :, None]) ** 2) / 0.02)
    return gm.Problem.from_matrix(K.reshape(n * n, n * n), shape=(n, n))


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
        "dense affinity": distances(12),
        "random affinity": gm.Problem.from_matrix(rng.random((144, 144)), shape=(12, 12)),
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
        measured = set(record["methods"])
        assert measured == names, "run python benchmarks/bench_choosing.py --methods NAME --write"
        values = [one["gap"] for one in record["methods"].values() if one]
        assert min(values) == 0.0


def test_one_method_is_measured_next_to_the_stored_figures(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    measure = importlib.import_module("bench_choosing").measure
    problem = gm.synth.flow(seed=1, size=12)
    gaps = lambda record: {name: one["gap"] for name, one in record["methods"].items()}
    whole = measure("keypoints", "car", problem, ["aj", "pm", "sm"], {})
    assert gaps(whole)["aj"] == 0 < gaps(whole)["pm"]
    for new in whole["methods"]:  # also the best one: the others' gaps grow
        rest = measure("keypoints", "car", problem, {"aj", "pm", "sm"} - {new}, {})
        both = measure("keypoints", "car", problem, [new], rest["methods"])
        assert gaps(both) == pytest.approx(gaps(whole), abs=1e-8)
        assert all(
            both["methods"][name]["seconds"] == rest["methods"][name]["seconds"]
            for name in rest["methods"]
        )


def test_auto_is_behind_those_only_that_beat_it_on_similar_problems():
    """On every measured problem, and between them: whatever comes before auto beats it there."""
    for record in read_measurements():
        order, _ = rank_for(gm.gm_methods(), record)
        names = [method.name for method, _ in order]
        for name in itertools.takewhile(lambda name: name != "auto", names):
            assert beats(record["methods"][name], record["methods"]["auto"]), (record["kind"], name)


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
    assert note_of({**one, "proven": False, "cut": True}, 7.0) == "best value within 2.5 s"
    assert note_of(None, 1.0) == "not measured"


def test_other_things_than_problems_are_refused():
    with pytest.raises(gm.InputError, match="problem must be a Problem, got ndarray"):
        gm.gm_methods(np.eye(4))


@pytest.mark.parametrize("n", [12, 22, 35])
def test_structure_decides_whether_random_walks_are_good(n):
    """Dense matrices of one size: rrwm, good on distances, was second on pure noise as well."""
    K = np.random.default_rng(n).random((n * n, n * n))
    noise = gm.Problem.from_matrix(K + K.T, shape=(n, n))
    for problem, family, ending in (
        (noise, "random affinity", "from the best"),
        (distances(n), "dense affinity", "best value"),
    ):
        order, reason = rank_methods(gm.gm_methods(), problem)
        notes = {method.name: note for method, note in order}
        assert family in reason and ending in notes["rrwm"], (family, notes["rrwm"])
        assert "best value" in notes["auto"] or n == 35


def test_a_method_that_was_cut_off_has_the_time_of_the_limit():
    """ilp works in another process: 'after 67 ms' was the time of this one."""
    cut = {"gap": 0.0, "seconds": 0.067, "proven": False, "cut": True}
    done = {"gap": 0.0, "seconds": 0.5, "proven": False, "cut": False}
    assert beats(done, cut) and not beats(cut, done)
