"""Local search: prices stay true under every move, and descent ends where no move helps."""

import numpy as np
import pytest
from c_internals import Indexed
from small import matchings, random_problem


def loaded(problem, labels):
    setup = Indexed(problem, "moves/local.h")
    setup.own_pool, moves = setup.pool(), setup.ffi.new("gm_moves *")
    setup.lib.gm_moves_take(moves, setup.own_pool, setup.index)
    setup.lib.gm_moves_load(moves, setup.slots(labels))
    return setup, moves


def prices(problem, setup, labels):
    """Cost of each candidate beside the chosen ones, in the order of the slots."""
    x = np.zeros(problem.n_candidates)
    x[problem.candidates_of(labels)] = 1
    price = problem.cost + 2 * problem.edges.product(x)
    pairs = zip(problem.left.tolist(), problem.right.tolist(), strict=True)
    order = [setup.lib.gm_index_slot(setup.index, i, s) for i, s in pairs]
    found = np.empty(problem.n_candidates)
    found[order] = price
    return found


def test_prices_follow_drops_and_puts():
    rng = np.random.default_rng(0)
    problem = random_problem(rng, 5, 6, density=0.8)
    known = list(matchings(problem))
    labels = np.array(known[rng.integers(len(known))])
    setup, moves = loaded(problem, labels)
    for _ in range(60):
        node = int(rng.integers(5))
        setup.lib.gm_moves_drop(moves, node)
        labels[node] = -1
        free = [s for s in problem.right[problem.left == node].tolist() if s not in labels]
        if free and rng.random() < 0.8:
            labels[node] = rng.choice(free)
            setup.lib.gm_moves_put(
                moves, setup.lib.gm_index_slot(setup.index, node, int(labels[node]))
            )
        assert setup.labels(moves.current).tolist() == labels.tolist()
        price = [moves.price[p] for p in range(setup.index.n_slots)]
        # a candidate that conflicts with a chosen one has a price, too: edges of conflicts are none
        assert np.allclose(price, prices(problem, setup, labels), atol=1e-9)


@pytest.mark.parametrize("complete", [False, True])
def test_descent_ends_where_no_single_change_helps(complete):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 6, density=0.9, complete=complete)
        known = list(matchings(problem))
        start = known[rng.integers(len(known))]
        setup, moves = loaded(problem, start)
        improved = setup.ffi.new("int32_t[]", 4)
        setup.lib.gm_moves_descend(moves, setup.slots(start), improved)
        labels = setup.labels(improved)
        cost = problem.total_cost(labels)
        assert cost <= problem.total_cost(np.array(start)) + 1e-12
        for node in range(4):
            for s in problem.right[problem.left == node].tolist():
                if s not in labels:
                    other = labels.copy()
                    other[node] = s
                    assert problem.total_cost(other) >= cost - 1e-9
