"""The data sets that are installed with the package: they load anywhere and are what they say."""

import subprocess
import sys

import numpy as np
import pytest

import gmtoolbox as gm


@pytest.mark.parametrize("name", gm.data.names())
def test_the_optimum_of_a_problem_is_proven_and_known(name):
    p = gm.data.load(name)
    r = gm.gm_solve(p)
    assert r.status == "optimal" and p.name == name
    assert gm.accuracy(r.labels, p.ground_truth) >= 0.9


def test_a_name_that_is_not_there_gets_a_hint():
    with pytest.raises(gm.InputError, match="did you mean 'car-1'"):
        gm.data.load("car1")
    with pytest.raises(gm.InputError, match="name must be one of karate, les-miserables"):
        gm.data.load_network("club")


@pytest.mark.parametrize("name, nodes, edges", [("karate", 34, 78), ("les-miserables", 77, 254)])
def test_a_network_is_found_again_after_a_shuffle(name, nodes, edges):
    A, people = gm.data.load_network(name)
    assert A.shape == (nodes, nodes) and A.nnz == 2 * edges and len(set(people)) == nodes
    assert (A != A.T).nnz == 0
    order = np.random.default_rng(0).permutation(nodes)
    B = A[order][:, order]
    r = gm.gm_solve(gm.models.from_graphs(A, B))
    assert r.status == "optimal" and (A != B[r.labels][:, r.labels]).nnz == 0


def test_molecules_are_symmetric_and_labelled():
    for adjacency, atoms in gm.data.load_molecules().values():
        assert (adjacency == adjacency.T).all() and len(atoms) == len(adjacency)
        assert set(atoms) <= set("CNO")


def test_keypoints_have_a_truth_that_is_one_to_one():
    k = gm.data.load_keypoints()
    known = k.truth[k.truth >= 0]
    assert len(np.unique(known)) == len(known) and known.max() < len(k.points2)
    assert len(k.points1) == len(k.descriptors1) == len(k.truth)
    assert repr(k) == "<Keypoints 120 and 120, 72 with a partner>"


def test_it_needs_no_path(tmp_path):
    code = "import gmtoolbox as gm; print(gm.data.load('car-1').shape)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "(12, 12)", done.stderr
