"""Fixed and forbidden pairs: every matching of the rest costs what the lifted one costs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times
from small import FORMS, brute_force, matchings, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.transforms import bijective


def some_matching(problem, rng, size):
    """Up to so many pairs of a random matching."""
    found = list(matchings(problem))
    labels = np.array(found[rng.integers(len(found))])
    nodes = rng.permutation(np.flatnonzero(labels >= 0))[:size]
    return [(int(i), int(labels[i])) for i in nodes]


def lifted_matchings(problem, rest):
    """The matchings of the rest, lifted; each costs what its lift costs in the problem."""
    found = set()
    for labels in map(np.array, matchings(rest.problem)):
        lifted = rest.lift(labels)
        found.add(tuple(lifted.tolist()))
        cost = rest.problem.total_cost(labels)
        assert problem.total_cost(lifted) == pytest.approx(cost, abs=1e-9)
    return found


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=times(25), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n1=st.integers(1, 4),
    n2=st.integers(1, 4),
    size=st.integers(0, 4),
    complete=st.booleans(),
)
def test_fixed_problems_hold_exactly_the_matchings_with_these_pairs(
    form, seed, n1, n2, size, complete
):
    rng = np.random.default_rng(seed)
    problem = problem_with(form, rng, n1, n2, complete=complete, offset=1.5)
    if not any(True for _ in matchings(problem)):
        return
    pairs = some_matching(problem, rng, size)
    rest = problem.fix(pairs)
    expected = {labels for labels in matchings(problem) if all(labels[i] == s for i, s in pairs)}
    assert lifted_matchings(problem, rest) == expected
    for labels in expected:
        assert np.array_equal(rest.lift(rest.lower(np.array(labels))), labels)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=times(25), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n1=st.integers(1, 4),
    n2=st.integers(1, 4),
    size=st.integers(0, 2),
    complete=st.booleans(),
)
def test_nodes_can_be_left_free(form, seed, n1, n2, size, complete):
    rng = np.random.default_rng(seed)
    problem = problem_with(form, rng, n1, n2, complete=complete)
    found = list(matchings(problem))
    if not found:
        return
    pairs = some_matching(problem, rng, size)
    free1 = rng.permutation([i for i in range(n1) if i not in dict(pairs)])[:1].tolist()
    used = [s for _, s in pairs]
    free2 = rng.permutation([s for s in range(n2) if s not in used])[: rng.integers(2)].tolist()
    expected = {
        labels
        for labels in found
        if all(labels[i] == s for i, s in pairs)
        and all(labels[i] < 0 for i in free1)
        and not set(free2) & set(labels)
    }
    try:
        rest = problem.fix([*pairs, *((i, -1) for i in free1), *((-1, s) for s in free2)])
    except InfeasibleError:
        assert complete and not expected
        return
    assert lifted_matchings(problem, rest) == expected


def test_the_label_of_a_seed_that_stays_free_is_not_given_to_others():
    cycle = np.roll(np.eye(4), 1, axis=1) + np.roll(np.eye(4), -1, axis=1)
    problem = gm.models.from_graphs(cycle, cycle, seeds=[(0, 2)], complete=False)
    for pairs in ([(0, -1)], [(-1, 2)], [(1, 1), (0, -1)]):
        rest = problem.fix(pairs)
        for labels in lifted_matchings(problem, rest):
            assert labels[0] == -1 and 2 not in labels


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=times(25), deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n1=st.integers(1, 3),
    n2=st.integers(1, 4),
    size=st.integers(0, 12),
)
def test_forbidden_problems_hold_exactly_the_matchings_without_them(form, seed, n1, n2, size):
    rng = np.random.default_rng(seed)
    problem = problem_with(form, rng, n1, n2, complete=False)
    nodes, labels = np.indices((n1, n2)).reshape(2, -1)
    chosen = rng.permutation(n1 * n2)[:size]
    pairs = list(zip(nodes[chosen].tolist(), labels[chosen].tolist(), strict=True))
    rest = problem.forbid(pairs)
    expected = {
        labels for labels in matchings(problem) if not any(labels[i] == s for i, s in pairs)
    }
    assert lifted_matchings(problem, rest) == expected
    for labels in list(matchings(problem))[:10]:  # forward: what stays allowed stays
        lowered = rest.lift(rest.lower(np.array(labels)))
        kept = [-1 if (i, s) in pairs else s for i, s in enumerate(labels)]
        assert lowered.tolist() == kept


def test_everything_that_is_known_about_nodes_goes_along():
    problem = gm.Problem(
        (3, 3), *np.indices((3, 3)).reshape(2, -1), np.arange(9.0),
        points1=[[0, 0], [1, 1], [2, 2]], neighbours1=[[0, 1], [1, 2]], neighbours2=[[0, 2]],
        ground_truth=[2, 1, 0], nodes1="abc", nodes2=["x", "y", ("z", 1)], name="n",
    )  # fmt: skip
    rest = problem.fix([(0, 2)]).problem
    assert rest.nodes1 == ("b", "c") and rest.nodes2 == ("x", "y") and rest.name == "n"
    assert rest.points1.tolist() == [[1, 1], [2, 2]] and rest.points2 is None
    assert rest.neighbours1.tolist() == [[0, 1]] and rest.neighbours2.tolist() == []
    assert rest.ground_truth.tolist() == [1, 0]


def test_fixing_step_by_step_is_fixing_at_once():
    problem = random_problem(np.random.default_rng(3), 5, 6, density=1.0)
    at_once = problem.fix([(1, 2), (3, 0), (0, 5)]).problem
    first = problem.fix([(3, 0)])
    second = first.problem.fix([(1, 1), (0, 4)])  # the same pairs in the new numbers
    assert np.allclose(second.problem.cost, at_once.cost) and np.allclose(
        second.problem.offset, at_once.offset
    )
    assert np.array_equal(second.problem.edge_cost, at_once.edge_cost)
    labels = first.then(second).lift(np.full(2, -1))
    assert labels.tolist() == [5, 2, -1, 0, -1]


def test_the_best_of_all_fixings_is_the_optimum():
    problem = random_problem(np.random.default_rng(4), 3, 4, complete=True)
    fixed = [problem.fix([(0, s)]).problem for s in range(4)]
    assert min(map(brute_force, fixed)) == pytest.approx(brute_force(problem))
    solved = min(gm.gm_solve(rest, "ilp").value for rest in fixed)
    assert solved == pytest.approx(brute_force(problem))


def test_dummies_can_be_fixed():
    view = bijective(random_problem(np.random.default_rng(5), 2, 2)).problem
    rest = view.fix([(2, 2)])
    whole = view.materialise()
    for labels in matchings(rest.problem):
        lifted = rest.lift(np.array(labels))
        assert whole.total_cost(lifted) == pytest.approx(rest.problem.total_cost(np.array(labels)))


@pytest.mark.parametrize(
    "pairs, message",
    [
        ([(0, 0), (0, 1)], "left node is fixed twice"),
        ([(0, 0), (1, 0)], "right node is fixed twice"),
        ([(0, 0), (0, -1)], "left node is fixed twice"),
        ([(0, 1, 2)], "list of \\(left, right\\)"),
        ([(5, 0)], "left nodes of pairs must be in -1..2, got 5"),
        ([(0, -2)], "right nodes of pairs must be in -1..2, got -2"),
        ([(-1, -1)], "a node on one side at least"),
        ([(1, 1)], "forbidden pair \\(1, 1\\)"),
        ([(0.5, 1)], "integers"),
    ],
)
def test_refusals(pairs, message):
    left, right = np.indices((3, 3)).reshape(2, -1)
    kept = (left != 1) | (right != 1)
    problem = gm.Problem((3, 3), left[kept], right[kept], np.zeros(8))
    with pytest.raises(InputError, match=message):
        problem.fix(pairs)


def test_a_complete_problem_without_pairs_is_infeasible():
    problem = gm.Problem((2, 2), [0, 1], [0, 1], [0.0, 0.0], complete=True)
    with pytest.raises(InfeasibleError):
        problem.forbid([(0, 0), (1, 1)])
    assert problem.fix([(0, 0), (1, 1)]).lift([0]).tolist() == [0, 1]
