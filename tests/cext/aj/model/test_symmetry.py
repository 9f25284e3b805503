"""aj/symmetry: orbits of nodes and labels, and searches that explore one member of each."""

from itertools import permutations

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force

import gmtoolbox as gm


def products(flow, distance):
    """A Koopmans-Beckmann problem with every pair of candidates written out."""
    n = len(flow)
    left, right = (x.ravel() for x in np.indices((n, n)))
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    cost = flow[left[a], left[b]] * distance[right[a], right[b]]
    cost = cost + flow[left[b], left[a]] * distance[right[b], right[a]]
    unary = flow[left, left] * distance[right, right]
    return gm.Problem((n, n), left, right, unary, a, b, cost, complete=True)


def grid(rows, columns):
    places = [(x, y) for x in range(rows) for y in range(columns)]
    return np.array([[abs(x - u) + abs(y - v) for u, v in places] for x, y in places], float)


def true_orbits(matrix, fixed):
    """By all permutations: the first member that each one can be carried to."""
    n = len(matrix)
    first = list(range(n))
    for order in permutations(range(n)):
        order = np.array(order)
        if all(order[list(fixed)] == list(fixed)) and np.array_equal(
            matrix[np.ix_(order, order)], matrix
        ):
            for x, y in enumerate(order):
                first[y] = min(first[y], x)
    return first


def found_orbits(problem, side, fixed):
    found = Indexed(problem, "aj/model/symmetry.h")
    ffi, lib = found.ffi, found.lib
    symmetry = ffi.gc(lib.aj_symmetry_new(found.index, ffi.NULL), lib.aj_symmetry_free)
    n = problem.shape[side]
    orbit = ffi.new("int32_t[]", n)
    of = symmetry.labels if side else symmetry.nodes
    several = lib.aj_symmetry_orbits(
        ffi.addressof(of), ffi.new("uint8_t[]", [x in fixed for x in range(n)]), orbit
    )
    assert bool(several) == (sorted(set(orbit)) != list(range(n)))
    return list(orbit)


@pytest.mark.parametrize("fixed", [(), (0,), (1,), (0, 4)])
def test_orbits_are_those_of_all_permutations(fixed):
    rng = np.random.default_rng(3)
    flow = rng.integers(1, 99, (6, 6)).astype(float)  # no two nodes are alike
    places = grid(2, 3)
    problem = products(flow, places)
    assert found_orbits(problem, 1, fixed) == true_orbits(places, fixed)
    assert found_orbits(problem, 0, fixed) == list(range(6))
    turned = products(places, flow)
    assert found_orbits(turned, 0, fixed) == true_orbits(places, fixed)


def test_unary_costs_tell_members_apart():
    flow = np.random.default_rng(5).integers(1, 99, (4, 4)).astype(float)
    p = products(flow, grid(2, 2))
    assert found_orbits(p, 1, ()) == [0, 0, 0, 0]
    marked = gm.Problem(
        p.shape, p.left, p.right, p.cost + (p.right == 3), p.a, p.b, p.edge_cost, complete=True
    )
    assert found_orbits(marked, 1, ()) == [0, 1, 1, 3]


def test_symmetric_problems_are_proven():
    """Cycles, grids and twins on both sides: the search may not lose the optimum."""
    cycle = np.array([[min(abs(i - j), 6 - abs(i - j)) for i in range(6)] for j in range(6)], float)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        kinds = rng.integers(0, 3, 6)
        table = rng.integers(-4, 9, (3, 3))
        twins = (table + table.T)[np.ix_(kinds, kinds)].astype(float)
        ring = rng.permutation(6)
        flow = (twins, cycle[np.ix_(ring, ring)], rng.integers(-3, 9, (6, 6)))[seed % 3]
        p = products(flow.astype(float), (grid(2, 3), cycle)[seed % 2])
        r = gm.gm_solve(p, "aj", sdp="at once", seed=seed)
        best = brute_force(p)
        assert r.status == "optimal"
        assert abs(r.value - best) <= 1e-6 * max(abs(best), 1.0), seed
