"""Many graphs as one problem: values are sums over pairs, whichever way round a pair is given."""

import pickle

import numpy as np
import pytest
from multi_cases import random_multi

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import turn

ONE = gm.Problem((1, 1), [0], [0], [-1.0])


def test_values_are_sums_over_pairs():
    m = random_multi(0, (2, 3, 2), density=1.0)
    tracks = [[0, 1], [1, 2, 0], [0, 2]]
    total = 0.0
    for (g, h), p in m.pairs.items():
        labels = [tracks[h].index(t) if t in tracks[h] else -1 for t in tracks[g]]
        total += p.energy(np.array(labels))
    assert m.energy(tracks) == pytest.approx(total)
    assert m.total_cost(tracks) == pytest.approx(m.bare_cost(tracks) + m.offset)


def test_a_pair_given_the_other_way_round_is_turned():
    m = random_multi(1, (2, 3, 2), density=1.0)
    pairs = dict(m.pairs)
    pairs[2, 0] = turn(pairs.pop((0, 2)))
    again = gm.MultiProblem(pairs)
    for tracks in ([[0, 1], [0, 1, 2], [1, 0]], [[0, 1], [2, 3, 4], [0, 5]]):
        assert again.energy(tracks) == pytest.approx(m.energy(tracks))
    assert again == m


def test_turning_twice_changes_nothing():
    p = gm.Problem((2, 3), [0, 1, 1], [2, 0, 1], [1.0, 2.0, 3.0], ground_truth=[2, -1])
    assert turn(p).ground_truth.tolist() == [-1, -1, 0]
    assert turn(turn(p)) == p


def test_maximised_problems_turn_the_sign():
    p = gm.Problem((1, 1), [0], [0], [-1.0], sense="max")
    m = gm.MultiProblem({(0, 1): p, (0, 2): p, (1, 2): p})
    assert m.sense == "max" and m.energy([[0], [0], [0]]) == 3.0


def test_pickles_without_caches_and_shows_itself():
    m = random_multi(2, (2, 2, 2))
    assert m.largest_cost > 0 and pickle.loads(pickle.dumps(m)) == m
    assert repr(m).startswith("<MultiProblem") and "3 graphs of 2 nodes" in repr(m)


@pytest.mark.parametrize(
    "pairs, said",
    [
        ({(0, 0): ONE}, "two different graphs"),
        ({"01": ONE}, r"keyed by \(g, h\)"),
        ({(0, 1): "x"}, "must be a Problem or None, got str"),
        ({(0, 1): gm.Problem((1, 1), [0], [0], [1.0], complete=True)}, "is complete"),
        ({(0, 1): ONE, (0, 2): None, (1, 2): None}, "size of graph 2 is unknown"),
    ],
)
def test_bad_pairs_are_named(pairs, said):
    with pytest.raises(InputError, match=said):
        gm.MultiProblem(pairs)


def test_one_graph_one_size():
    two = gm.Problem((2, 1), [0], [0], [1.0])
    with pytest.raises(InputError, match="graph 0 must have one size, got 1 and 2"):
        gm.MultiProblem({(0, 1): ONE, (0, 2): two, (1, 2): ONE})


@pytest.mark.parametrize(
    "sizes, said",
    [
        ((2, -1), "sizes must be the number of nodes of each graph"),
        ((2, 2.5), "sizes must be an array of whole numbers"),
        ((2, 2**31), "sizes must add up to at most 2147483647 nodes"),
        (3, "sizes must be a list"),
    ],
)
def test_sizes_that_no_memory_holds_are_refused(sizes, said):
    """The kernels take them as they are: a negative one ended the process."""
    with pytest.raises(InputError, match=said):
        gm.MultiProblem({(0, 1): None}, sizes=sizes)
    with pytest.raises(InputError, match=said):
        gm.synchronise({}, sizes)


def test_tracks_that_join_what_is_not_allowed():
    m = gm.MultiProblem({(0, 1): ONE, (0, 2): ONE, (1, 2): None})
    with pytest.raises(InputError, match=r"pair \(1, 2\) has no candidates"):
        m.energy([[0], [0], [0]])


def test_a_problem_without_candidates_has_the_sense_that_is_given():
    """All pairs are None: no bound of a maximised problem is +inf."""
    nothing = {(0, 1): None, (0, 2): None, (1, 2): None}
    m = gm.MultiProblem(nothing, sizes=(1, 2, 1), sense="max")
    assert gm.MultiProblem(nothing, sizes=(1, 2, 1)).sense == "min" and m.sense == "max"
    assert pickle.loads(pickle.dumps(m)).sense == "max"
    assert m != gm.MultiProblem(nothing, sizes=(1, 2, 1))
    for method in ("mgm", "sync"):
        r = gm.gm_solve_multi(m, bound="none", method=method)
        assert (r.sense, r.bound) == ("max", np.inf) and np.all(r.trace["bound"] == np.inf)
    assert gm.synchronise({}, (1, 1)).sense == "max"
    with pytest.raises(InputError, match="one sense, got both"):
        gm.MultiProblem({(0, 1): ONE}, sense="max")


def test_turning_a_pair_exchanges_the_names():
    p = gm.Problem((1, 2), [0, 0], [0, 1], [1.0, 2.0], nodes1=["a"], nodes2=["u", "v"])
    m = gm.MultiProblem({(1, 0): p})
    assert (m[0, 1].nodes1, m[0, 1].nodes2) == (("u", "v"), ("a",))
