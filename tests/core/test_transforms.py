"""Transforms: equal to the reference converter, energies preserved, and small in memory."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.io
from golden import SMALL, oracle_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times
from small import gallery, matchings, random_problem

from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import (
    BIJECTIVE,
    NONPOSITIVE,
    ZERO_UNARIES,
    bijective,
    materialise,
    prepare,
    transform_seconds,
)
from gmtoolbox.engine.rounding import round_scores

SUFFIXES = {
    "": (),
    "_b": (BIJECTIVE,),
    "_bn": (BIJECTIVE, NONPOSITIVE),
    "_bnz": (BIJECTIVE, ZERO_UNARIES, NONPOSITIVE),
}


def edge_table(gph1, gph2, KQ):
    """Costs by end nodes: what gph1, gph2 and KQ say, whatever the numbering of the edges."""
    ends = [
        list(zip(*(side.tocsc().indices.tolist() for side in graph), strict=True))
        for graph in (gph1, gph2)
    ]
    KQ = KQ.tocoo()
    table = {
        (ends[0][e1], ends[1][e2]): value
        for e1, e2, value in zip(KQ.row, KQ.col, KQ.data, strict=True)
    }
    return set(ends[0]), set(ends[1]), table


@pytest.mark.data
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", [name for name in SMALL if name != "a_complete8x"])
def test_equal_to_the_reference_converter(data, name, suffix):
    expected = scipy.io.loadmat(data.parent / "oracle" / "instances" / f"{name}{suffix}.mat")
    problem = materialise(prepare(oracle_problem(data, name), SUFFIXES[suffix]).problem)
    for view in ("K", "Ct", "KP", "reducedK"):
        ours, theirs = getattr(problem, view), expected[view]
        assert ours.shape == theirs.shape and ours.nnz == theirs.nnz
        assert abs(ours - theirs).max() < 1e-12
    assert problem.offset == pytest.approx(expected["offset"].item(), abs=1e-9)
    graphs = [(expected[g]["G"][0, 0], expected[g]["H"][0, 0]) for g in ("gph1", "gph2")]
    left, right, table = edge_table(problem.gph1, problem.gph2, problem.KQ)
    their_left, their_right, their_table = edge_table(*graphs, expected["KQ"])
    assert (left, right, table.keys()) == (their_left, their_right, their_table.keys())
    assert all(value == pytest.approx(their_table[key], abs=1e-12) for key, value in table.items())


@pytest.mark.parametrize("needs", SUFFIXES.values(), ids="+".join)
@pytest.mark.parametrize("name", gallery())
def test_energy_is_preserved(name, needs):
    problem = gallery()[name][0].as_costs()
    prepared = prepare(problem, needs)
    whole = materialise(prepared.problem)
    if BIJECTIVE in needs:
        assert whole.shape[0] == whole.shape[1] and whole.complete
    if ZERO_UNARIES in needs and NONPOSITIVE in needs:
        assert not np.any(whole.cost)
    if NONPOSITIVE in needs:
        assert max(whole.cost.max(), whole.edge_cost.max(initial=0)) <= 0
    scale = 1 + np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum()
    for labels in list(matchings(problem))[::7]:
        labels = np.array(labels)
        forward = prepared.lower(labels)
        assert np.array_equal(prepared.lift(forward), labels)
        assert BIJECTIVE not in needs or whole.is_complete_matching(forward)
        assert whole.total_cost(forward) == pytest.approx(
            problem.total_cost(labels), abs=1e-7 + 1e-13 * scale
        )


def as_written(problem, needs):
    """A problem as it comes back from a transformed file: complete, everything stored."""
    return materialise(prepare(problem, needs).problem)


@settings(max_examples=times(60), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(2, 5))
def test_extension_is_recognised(seed, n1, n2):
    """Extending and recognising is extending; a dropped pair then costs what leaving both nodes
    free costs.
    """
    problem = random_problem(np.random.default_rng(seed), n1, n2, density=0.7)
    view, again = bijective(problem).problem, bijective(as_written(problem, (BIJECTIVE,)))
    assert again.problem == view and again.problem.dummies.corner == view.dummies.corner == (n1, n2)
    for needs in SUFFIXES.values():
        if needs:
            extended = as_written(problem, needs)
            lift = bijective(extended).lift
            for labels in list(matchings(problem))[::5]:
                dropped = np.concatenate([labels, np.full(n2, -1)])  # real pairs only
                assert extended.total_cost(lift(dropped)) == pytest.approx(
                    problem.total_cost(np.array(labels)), abs=1e-6
                )


def test_what_is_no_extension_stays_as_it_is():
    """One candidate more, one less, one elsewhere, or a copy that has a cost."""
    whole = as_written(random_problem(np.random.default_rng(2), 3, 4, density=0.7), (BIJECTIVE,))
    assert bijective(whole).problem.dummies
    left, right, cost = whole.left, whole.right, whole.cost
    copy = (left == 0) & (right == 4)  # of the first node; 5 is the second node's
    assert np.count_nonzero(copy) == 1
    for candidates in (
        (np.append(left, 1), np.append(right, 4), np.append(cost, 0.0)),
        (left[~copy], right[~copy], cost[~copy]),
        (left, np.where(copy, 5, right), cost),
        (left, right, np.where(copy, -1.0, cost)),
    ):
        other = Problem(whole.shape, *candidates, complete=True)
        assert bijective(other).problem is other


@settings(max_examples=times(60), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_every_complete_matching_lifts_to_its_energy(seed, n1, n2, complete):
    """From the transformed side: any permutation of the extension that uses candidates only."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, n1, n2, density=0.8, complete=complete)
    prepared = prepare(problem, (BIJECTIVE, ZERO_UNARIES, NONPOSITIVE))
    whole = materialise(prepared.problem)
    for _ in range(5):
        labels = round_scores(whole, rng.random(whole.n_candidates))
        assert whole.is_complete_matching(labels)
        assert whole.total_cost(labels) == pytest.approx(
            problem.total_cost(prepared.lift(labels)), abs=1e-6
        )


@pytest.mark.parametrize(
    "shape, complete",
    [((3, 5), False), ((5, 3), False), ((3, 5), True), ((5, 3), True), ((4, 4), True)],
)
def test_sparse_rounding_equals_munkres_on_the_extension(monkeypatch, shape, complete):
    rng = np.random.default_rng(0)
    for _ in range(40):
        view = bijective(random_problem(rng, *shape, density=0.7, complete=complete)).problem
        scores = rng.random(view.n_candidates)
        with monkeypatch.context() as small_limit:
            small_limit.setattr("gmtoolbox.engine.rounding.MUNKRES_LIMIT", 0)
            sparse = round_scores(view, scores)
        whole = materialise(view)
        X = view.scatter(scores)
        dense = round_scores(whole, X)
        assert whole.is_complete_matching(sparse) and np.array_equal(
            round_scores(view, scores), dense
        )
        nodes = np.arange(whole.shape[0])
        assert X[nodes, sparse].sum() == pytest.approx(X[nodes, dense].sum())


def test_the_copy_of_a_label_can_carry_a_unary_cost():
    """With one node there is no other real node: the cost moves onto the edges to a label's
    copy.
    """
    problem = Problem((1, 3), [0, 0, 0], [0, 1, 2], [-1.0, 2.0, 3.0])
    prepared = prepare(problem, (BIJECTIVE, ZERO_UNARIES))
    assert not prepared.problem.dummies and not np.any(prepared.problem.cost)
    for label, cost in ((-1, 0.0), (0, -1.0), (1, 2.0), (2, 3.0)):
        assert prepared.problem.total_cost(prepared.lower(np.array([label]))) == pytest.approx(cost)


def test_nonpositive_problems_are_untouched():
    problem = random_problem(np.random.default_rng(1), 4, 4, signs="nonpositive", complete=True)
    assert prepare(problem, (BIJECTIVE, NONPOSITIVE)).problem is problem


WORMS_SIZE = """
import sys
import numpy as np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import materialise, prepare
from gmtoolbox.engine.rounding import munkres  # loads the compiled module before measuring

rng = np.random.default_rng(0)
n1, n2, k = 558, 1300, 20
left = np.repeat(np.arange(n1), k)
right = np.concatenate([np.sort(rng.choice(n2, k, replace=False)) for _ in range(n1)])
pairs = [(i, (i + step) % n1) for i in range(n1) for step in (1, 2, 5)]
a = np.concatenate([np.repeat(i * k + np.arange(k), k) for i, _ in pairs])
b = np.concatenate([np.tile(j * k + np.arange(k), k) for _, j in pairs])
problem = Problem((n1, n2), left, right, rng.normal(size=n1 * k), a, b, rng.normal(size=len(a)))
view = prepare(problem, sys.argv[1].split("+")).problem
for _ in sys.argv[2:]:
    materialise(view).Ct
# ru_maxrss would begin with the memory of the process that started this one
lines = open("/proc/self/status").read().splitlines()
print(next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["bijective"], marks=pytest.mark.long),
        pytest.param(["bijective+nonpositive"], marks=pytest.mark.long),
        ["bijective+zero-unaries+nonpositive", "materialise"],
    ],
)
def test_worms_size_stays_small(arguments):
    run = subprocess.run(
        [sys.executable, "-c", WORMS_SIZE, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert int(run.stdout) < 500  # megabytes


def test_transforms_that_change_nothing_are_thought_to_take_no_time():
    K = np.random.default_rng(0).random((16, 16))
    problem = Problem.from_matrix(K + K.T, shape=(4, 4), sense="max").as_costs()
    assert transform_seconds(problem, (BIJECTIVE, NONPOSITIVE)) == 0.0
    problem = Problem.from_matrix(K + K.T - 1.0, shape=(4, 4), sense="max").as_costs()
    assert transform_seconds(problem, (BIJECTIVE, NONPOSITIVE)) > 0.0
