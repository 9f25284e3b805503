"""Dummies: a rectangle that is never stored."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core.candidates import Dummies
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.problem import Problem


def test_the_rectangle():
    dummies = Dummies((5, 4), 3, 2)
    assert len(dummies) == 4 and dummies.sides == (2, 2) and dummies.corner == (3, 2)
    left, right = dummies.pairs()
    assert list(zip(left, right, strict=True)) == [(3, 2), (4, 2), (3, 3), (4, 3)]
    assert dummies.swap_sides() == Dummies((4, 5), 2, 3)
    assert not Dummies.none((5, 4)) and Dummies.none((5, 4)).corner == (5, 4)


def test_materialising_stores_them_at_cost_zero():
    core = Problem((3, 3), [0, 1], [0, 0], [1.0, 2.0], dummies=Dummies((3, 3), 1, 1))
    whole = core.materialise()
    assert whole.n_candidates == 6 and not whole.dummies and core != whole
    assert whole.energy(np.array([0, 1, 2])) == 1.0
    assert whole.materialise() is whole


def test_dummies_must_fit_the_shape():
    with pytest.raises(InputError, match="do not fit"):
        Problem((2, 2), [0], [0], [1.0], dummies=Dummies((3, 3), 1, 1))
    assert random_problem(np.random.default_rng(0), 3, 2).dummies == Dummies.none((3, 2))
