"""The transforms of the baselines in C: to the last bit those of core/transforms.py."""

import numpy as np
from c_internals import internals
from small import gallery, random_problem

from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE, find_extended_sides, prepare


def problems():
    rng = np.random.default_rng(0)
    for problem, _ in gallery().values():
        yield problem
    for n1, n2 in ((3, 3), (3, 5), (5, 3), (1, 4)):
        for complete in (False, True):
            for signs in ("any", "nonpositive", "positive"):
                for density in (0.6, 1.0):
                    yield random_problem(
                        rng, n1, n2, complete=complete, signs=signs, density=density
                    )
    K = rng.normal(size=(12, 12))  # with edges between conflicting candidates
    for complete in (False, True):
        yield random_problem(rng, 3, 4).from_matrix(K, shape=(3, 4), complete=complete)


def extended_in_c(problem):
    ffi, lib = internals("baselines/extended.h")
    kinds = ("int32_t[]", "int32_t[]", "double[]", "int32_t[]", "int32_t[]", "double[]")
    arrays = [getattr(problem, n) for n in ("left", "right", "cost", "a", "b", "edge_cost")]
    borrowed = [ffi.from_buffer(kind, array) for kind, array in zip(kinds, arrays, strict=True)]
    model = ffi.new("gm_model *")
    model.n1, model.n2 = problem.shape
    model.n_candidates, model.n_edges = problem.n_candidates, problem.n_edges
    model.left, model.right, model.cost, model.a, model.b, model.edge_cost = borrowed
    model.complete = problem.complete
    made = ffi.new("gm_extended *")
    assert lib.gm_extend(made, model) == 0
    m = made.model

    def copied(name, n, dtype):
        size = n * np.dtype(dtype).itemsize
        return np.frombuffer(bytes(ffi.buffer(getattr(m, name), size)) if n else b"", dtype)

    sizes = {"left": np.int32, "right": np.int32, "cost": float}
    found = {name: copied(name, m.n_candidates, kind) for name, kind in sizes.items()}
    sizes = {"a": np.int32, "b": np.int32, "edge_cost": float}
    found |= {name: copied(name, m.n_edges, kind) for name, kind in sizes.items()}
    found |= {"shape": (m.n1, m.n2), "corner": (made.row, made.col)}
    lib.gm_extended_clear(made)
    return found


def test_candidates_edges_and_costs_are_those_of_the_transforms():
    compared = 0
    for problem in problems():
        costs = problem.explicit().as_costs()
        if costs.complete and costs.shape[0] == costs.shape[1] and find_extended_sides(costs):
            continue  # an extension already: the driver handles these
        wanted = prepare(costs, (BIJECTIVE, NONPOSITIVE)).problem
        found = extended_in_c(costs)
        assert found["shape"] == wanted.shape and found["corner"] == wanted.dummies.corner
        for name in ("left", "right", "cost", "a", "b", "edge_cost"):
            assert np.array_equal(found[name], getattr(wanted, name)), (problem, name)
        compared += 1
    assert compared > 60
