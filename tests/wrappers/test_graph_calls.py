"""Labelled graphs, as MATLAB asks for them; held against Python's own functions."""

import numpy as np
import pytest
from wrapper_calls import ask_verb

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError, OptionError

PATH = np.diag([1.0, 1, 1], 1) + np.diag([1.0, 1, 1], -1)
CYCLE = PATH + np.diag([1.0], 3) + np.diag([1.0], -3)
LABELS = np.array([6.0, 6, 6, 8])


def test_distance_of_two(tmp_path):
    arrays = {"A1": PATH, "A2": CYCLE, "labels1": LABELS, "labels2": LABELS[::-1]}
    found = ask_verb(tmp_path, "edit_distance", arrays, settings={"costs": "chem1", "seed": 1.0})
    expected = gm.graph_edit_distance((PATH, LABELS), (CYCLE, LABELS[::-1]), costs="chem1")
    assert found["distance"] == expected.distance and found["status"] == "optimal"
    ask_verb(tmp_path, "edit_distance", arrays, settings={"costs": np.array([1.0, 1, 1, 1])})


def test_distances_of_many(tmp_path):
    graphs = [PATH, CYCLE, PATH[:3, :3]]
    arrays = {f"A{k}": A for k, A in enumerate(graphs, 1)}
    found = ask_verb(tmp_path, "edit_distances", arrays, d=3.0)
    assert found["distances"].tolist() == gm.edit_distances(graphs).values.tolist()
    with pytest.raises(InputError, match="either all graphs have labels"):
        ask_verb(tmp_path, "edit_distances", {**arrays, "labels1": LABELS}, d=3.0)


@pytest.mark.parametrize("kind", ["edge", "induced"])
def test_common_subgraph(kind, tmp_path):
    found = ask_verb(
        tmp_path, "common_subgraph", {"A1": PATH, "A2": CYCLE}, settings={"kind": kind}
    )
    expected = gm.maximum_common_subgraph(PATH, CYCLE, kind)
    assert found["size"] == expected.value
    labels = found["labels"].astype(int) - 1
    kept = [(i, j) for i in range(4) for j in range(i) if labels[i] >= 0 <= labels[j]]
    common = sum(PATH[i, j] and CYCLE[labels[i], labels[j]] for i, j in kept)
    assert kind == "induced" or common == found["size"]


def test_places_of_a_pattern(tmp_path):
    triangle, four = 1 - np.eye(3), 1 - np.eye(4)
    found = ask_verb(tmp_path, "find_subgraphs", {"A1": triangle, "A2": four})["places"]
    assert found.shape == (24, 3) and len(np.unique(found, axis=0)) == 24
    assert found.min() == 1 and found.max() == 4
    none = ask_verb(tmp_path, "find_subgraphs", {"A1": triangle, "A2": PATH})["places"]
    assert none.size == 0


def test_what_is_wrong_is_named(tmp_path):
    for arrays, said in (
        ({"A1": PATH, "A2": CYCLE[:2]}, "A2 must be a square matrix, got 2 x 4"),
        ({"A1": PATH, "A2": PATH, "labels1": LABELS[:2], "labels2": LABELS}, "4 nodes, 2 labels"),
    ):
        with pytest.raises(InputError, match=said):
            ask_verb(tmp_path, "common_subgraph", arrays)
    with pytest.raises(OptionError, match="did you mean 'connected'"):
        ask_verb(tmp_path, "common_subgraph", {"A1": PATH, "A2": PATH}, settings={"conected": 1.0})
