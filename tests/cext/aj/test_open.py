"""aj/open: a run that is cut anywhere goes on from what was open, and claims nothing false."""

import numpy as np
import pytest
from aj_pieces import Matchings, check_state, run_piece, solve_divided, solve_in_pieces
from repetition import times
from small import random_problem

import gmtoolbox as gm


def hard(n, rng):
    """Random flows and distances."""
    flow, distance = (np.triu(rng.integers(0, 99, (n, n)), 1) for _ in range(2))
    return gm.models.from_koopmans_beckmann(flow + flow.T, distance + distance.T)


def with_twins(rng):
    """Two groups of nodes that may be exchanged, and random distances."""
    flow, distance = np.ones((8, 8)) - np.eye(8), np.triu(rng.integers(0, 30, (8, 8)), 1)
    flow[:4, 4:] = flow[4:, :4] = rng.integers(0, 3)
    return gm.models.from_koopmans_beckmann(flow, distance + distance.T)


def drawn(seed):
    """A problem and options of the kernel that depend on the seed."""
    rng = np.random.default_rng(seed)
    shape, complete = [((7, 7), True), ((5, 6), True), ((5, 6), False), ((6, 5), False)][seed % 4]
    kinds = (
        lambda: random_problem(
            rng, *shape, edges=1.0, density=0.8, complete=complete, integer=seed % 3 == 0
        ),
        lambda: hard(7 + seed % 2, rng),
        lambda: with_twins(rng),
    )
    options = {
        "plain": rng.integers(2), "fix": rng.integers(2), "sdp": rng.choice([0, 1, 2]),
        "lift_limit": rng.choice([0, 250_000]), "memory": rng.choice([0, 200]), "seed": seed,
    }  # fmt: skip
    return kinds[rng.integers(3)](), rng, {name: int(x) for name, x in options.items()}


@pytest.mark.parametrize("first", [3, 300])
def test_pieces_of_any_length_come_to_the_optimum(first):
    for seed in range(times(24)):
        problem, rng, options = drawn(seed)
        solve_in_pieces(problem, rng, first=first, **options)


def test_the_tree_goes_on_where_it_was_cut():
    """Problems whose root does not suffice: subproblems are left open, and only these are done."""
    deep = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = with_twins(rng) if seed % 2 else hard(8, rng)
        options = {"sdp": 0, "plain": 1, "fix": 0, "memory": 0 if seed < 3 else 200}
        deep += solve_in_pieces(problem, rng, first=600, growth=1.05, **options)[2]
    assert deep >= 5


def test_what_is_given_away_is_not_lost():
    """Runs give half of their subproblems to others at any moment, and take their matchings."""
    divided = 0
    for seed in range(times(24)):
        problem, rng, options = drawn(seed)
        divided += solve_divided(problem, rng, first=300, **options)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = with_twins(rng) if seed % 2 else hard(8, rng)
        options = {"sdp": 0, "plain": 1, "fix": 0, "memory": 0 if seed < 3 else 200}
        divided += solve_divided(problem, rng, first=5000, growth=1.1, **options)
    assert divided >= times(20)


def test_a_lost_subproblem_is_noticed():
    """check_state looks: without the subproblem that has the optimum it fails."""
    problem = hard(8, np.random.default_rng(1))
    every, state = Matchings(problem), None
    for iterations in range(100, 5000, 100):
        state = run_piece(problem, iterations, sdp=0, plain=1, fix=0)
        if len(state.parts) > 1 and state.value > every.best:
            break
    else:
        pytest.skip("the optimum is found too soon")
    check_state(state, every)
    state.value = np.inf
    kept = [
        k
        for k, pairs in enumerate(state.parts)
        if every.costs[every.inside(pairs)].min() > every.best
    ]
    parts = [state.parts[k] for k in kept]
    state.start = np.cumsum([0, *map(len, parts)])
    state.node, state.label = np.array([pair for part in parts for pair in part]).reshape(-1, 2).T
    state.lower, state.weight = state.lower[kept], state.weight[kept]
    with pytest.raises(AssertionError):
        check_state(state, every)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_pieces_of_any_length_come_to_the_optimum_two_thousand_times():
    for seed in range(2000):
        problem, rng, options = drawn(seed)
        solve_in_pieces(problem, rng, first=300, growth=1.1, **options)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_what_is_given_away_is_not_lost_two_thousand_times():
    for seed in range(2000):
        problem, rng, options = drawn(seed)
        solve_divided(problem, rng, first=300, growth=1.1, **options)
