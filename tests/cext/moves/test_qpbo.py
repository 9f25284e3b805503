"""QPBO and QPBO-I against exhaustive search: persistency, autarky, monotonicity."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

from gmtoolbox.core._ffi import check, ffi, lib, pointer


def qpbo(c, pairs, q, improve=0, seed=0):
    """(labels, value) of the C function; pairs is a list of (u, v), u < v."""
    u, v = (np.array([pair[k] for pair in pairs], dtype=np.int32) for k in (0, 1))
    labels, value = np.full(len(c), -2, dtype=np.int32), ffi.new("double *")
    check(
        lib.gm_qpbo(
            len(c),
            pointer(c),
            len(q),
            pointer(u),
            pointer(v),
            pointer(q),
            seed,
            improve,
            pointer(labels),
            value,
        )
    )
    return labels, value[0]


def values(c, pairs, q, z):
    """Value of every row of z."""
    total = z @ c
    for (u, v), weight in zip(pairs, q, strict=True):
        total = total + weight * z[:, u] * z[:, v]
    return total


@st.composite
def binary_problems(draw):
    """Small problems of every kind: integer costs make ties, zero terms and mixed signs common."""
    n = draw(st.integers(1, 8))
    cost = st.one_of(st.integers(-4, 4).map(float), st.floats(-10, 10, width=32))
    c = np.array(draw(st.lists(cost, min_size=n, max_size=n)))
    every = list(itertools.combinations(range(n), 2))
    pairs = draw(st.lists(st.sampled_from(every), unique=True, max_size=16)) if every else []
    return (
        c,
        pairs,
        np.array(draw(st.lists(cost, min_size=len(pairs), max_size=len(pairs))), dtype=float),
    )


@settings(max_examples=times(150), deadline=None)
@given(binary_problems())
def test_persistency(problem):
    c, pairs, q = problem
    labels, _ = qpbo(*problem)
    assert set(labels) <= {-1, 0, 1}
    z = np.array(list(itertools.product((0.0, 1.0), repeat=len(c))))
    total = values(c, pairs, q, z)
    decided = labels >= 0
    tolerance = 1e-9 * (1 + np.abs(c).sum() + np.abs(q).sum())
    agreeing = np.all(z[:, decided] == labels[decided], axis=1)
    # some optimum agrees with every decided label
    assert total[agreeing].min() <= total.min() + tolerance
    overwritten = np.where(decided, labels, z)  # and writing them over any labelling never costs
    assert np.all(values(c, pairs, q, overwritten) <= total + tolerance)


@settings(max_examples=times(200), deadline=None)
@given(binary_problems())
def test_submodular_problems_are_solved(problem):
    c, pairs, q = problem[0], problem[1], -np.abs(problem[2])
    labels, value = qpbo(c, pairs, q, improve=1)
    assert set(qpbo(c, pairs, q)[0]) <= {0, 1}
    z = np.array(list(itertools.product((0.0, 1.0), repeat=len(c))))
    assert value == pytest.approx(
        values(c, pairs, q, z).min(), abs=1e-9 * (1 + np.abs(c).sum() + np.abs(q).sum())
    )
    assert value == pytest.approx(values(c, pairs, q, labels[None].astype(float))[0], abs=1e-9)


@settings(max_examples=times(200), deadline=None)
@given(binary_problems(), st.integers(0, 3))
def test_improve_decides_everything_and_never_worsens(problem, seed):
    c, pairs, q = problem
    labels, value = qpbo(*problem, improve=3, seed=seed)
    assert set(labels) <= {0, 1}
    tolerance = 1e-9 * (1 + np.abs(c).sum() + np.abs(q).sum())
    assert value == pytest.approx(values(c, pairs, q, labels[None].astype(float))[0], abs=tolerance)
    assert value <= tolerance  # z = 0, the labelling it starts from
    persistent = qpbo(*problem)[0]
    assert np.all(labels[persistent >= 0] == persistent[persistent >= 0])


def test_improve_reaches_the_optimum_of_frustrated_problems():
    """Dense supermodular problems leave QPBO with nothing; QPBO-I finds the optimum of nearly all
    small ones.
    """
    rng = np.random.default_rng(0)
    pairs = list(itertools.combinations(range(10), 2))
    z = np.array(list(itertools.product((0.0, 1.0), repeat=10)))
    optimal = 0
    for trial in range(40):
        c, q = rng.normal(size=10), rng.normal(size=len(pairs))
        _, value = qpbo(c, pairs, q, improve=5, seed=trial)
        best = values(c, pairs, q, z).min()
        assert value >= best - 1e-9
        optimal += value <= best + 1e-9
    assert optimal >= 30


def test_bad_sizes_are_refused():
    assert (
        lib.gm_qpbo(
            -1, ffi.NULL, 0, ffi.NULL, ffi.NULL, ffi.NULL, 0, 0, ffi.NULL, ffi.new("double *")
        )
        == lib.GM_EARGUMENT
    )
