"""Which subproblems: forests that hold every link once, sets that hold every link."""

import networkx
import numpy as np
import pytest
from ddls_splits import (
    LEFT_LOCAL,
    LEFT_TREE,
    RIGHT_LOCAL,
    RIGHT_TREE,
    n_nodes,
    problems,
    split_after,
)


def test_sets_of_four_take_the_place_of_triples():
    came_in = 0
    for problem in problems():
        three, four = (split_after(problem, local, 200) for local in (3, 4))
        locals_of = [
            [k for k in np.unique(split["part"]) if split["kind"][k] >= LEFT_LOCAL]
            for split in (three, four)
        ]
        assert len(locals_of[0]) == len(locals_of[1])
        came_in += sum(n_nodes(problem, four, k) == 4 for k in locals_of[1])
    assert came_in > 0


def links_of(problem, side):
    node, other = (
        (problem.left, problem.right) if side == LEFT_TREE else (problem.right, problem.left)
    )
    a, b = problem.a, problem.b
    paid = (node[a] != node[b]) & (other[a] != other[b])
    return {frozenset(pair) for pair in zip(node[a[paid]], node[b[paid]], strict=True)}


def links_in(problem, split, number):
    right = split["kind"][number] in (RIGHT_TREE, RIGHT_LOCAL)
    node = problem.right if right else problem.left
    mine = (split["part"] == number) & (split["b"] >= 0)
    ends = zip(node[split["a"][mine]], node[split["b"][mine]], strict=True)
    return {frozenset(pair) for pair in ends}


@pytest.mark.parametrize("side", [LEFT_TREE, RIGHT_TREE])
def test_forests_hold_every_link_once_and_no_cycle(side):
    for problem in problems():
        split = split_after(problem, 0, 1)
        trees = [k for k in range(len(split["kind"])) if split["kind"][k] == side]
        held = [link for k in trees for link in links_in(problem, split, k)]
        assert len(held) == len(set(held)) and set(held) == links_of(problem, side)
        for k in trees:
            graph = networkx.Graph([tuple(link) for link in links_in(problem, split, k)])
            assert len(graph) == 0 or networkx.is_forest(graph)


def test_local_sets_hold_every_link_of_both_sides():
    for problem in problems():
        split = split_after(problem, 3, 200)
        for side, kind in ((LEFT_TREE, LEFT_LOCAL), (RIGHT_TREE, RIGHT_LOCAL)):
            sets = [k for k in np.unique(split["part"]) if split["kind"][k] == kind]
            if sets:
                held = set().union(*(links_in(problem, split, k) for k in sets))
                assert held <= links_of(problem, side)
