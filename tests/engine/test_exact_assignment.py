"""Cycles of moves in integers, against enumeration."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from repetition import times

from gmtoolbox.engine.exact_assignment import as_integers, find_cycle, improve_exactly


def test_integers_are_the_doubles():
    numbers = np.array([0.1, -5e-324, 1.7e308, 0.0, 3.0])
    found = as_integers(numbers)
    unit = Fraction(0.1) / found[0]
    assert [x * unit for x in found] == [Fraction(x) for x in numbers.tolist()]


@pytest.mark.parametrize("seed", range(times(40)))
def test_from_any_assignment_to_the_best(seed):
    rng = np.random.default_rng(seed)
    n1 = int(rng.integers(1, 5))
    n2 = n1 + seed % 3
    C = rng.choice([-1.0, 1.0], (n1, n2)) * 10.0 ** rng.uniform(-200, 200, (n1, n2))
    kept = rng.random((n1, n2)) < 0.7
    start = rng.permutation(n2)[:n1]
    kept[np.arange(n1), start] = True
    rows, columns = kept.nonzero()
    found = improve_exactly(n2, rows, columns, C[rows, columns], start)

    def cost(chosen):
        return sum(Fraction(C[i, s]) for i, s in enumerate(chosen))

    allowed = [
        chosen
        for chosen in permutations(range(n2), n1)
        if all(kept[i, s] for i, s in enumerate(chosen))
    ]
    assert tuple(found.tolist()) in allowed
    assert cost(found) == min(map(cost, allowed))


def test_a_free_column_ends_a_chain():
    allowed = [{0: 5, 1: 2}, {1: 1, 2: 3}]
    assert find_cycle(3, allowed, [0, 1]) == [(1, 2), (0, 1)]
    assert find_cycle(3, allowed, [0, 2]) is not None
    assert find_cycle(3, allowed, [1, 2]) is None
