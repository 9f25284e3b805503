"""How dd-ls splits a problem's costs, read from the kernel, and what its parts are."""

import itertools

import numpy as np
from c_internals import as_other, internals
from small import random_problem

from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.progress import Budget

VARIANTS = {"dd-ls0": 0, "dd-ls3": 3, "dd-ls4": 4}
ASSIGNMENT, LEFT_TREE, RIGHT_TREE, LEFT_LOCAL, RIGHT_LOCAL = range(5)


def split_after(problem, local, maxiter):
    """The kernel's split of the costs after some steps: copies (part, a, b, cost), parts (kind,
    minimum), bound.

    Rounds end at once, so that the local subproblems come in early.
    """

    def read(run):
        ffi, lib = internals("ddls_parts.h")
        same = as_other(ffi, "gm_run *", run)
        n, m = lib.gm_ddls_copies(same, *[ffi.NULL] * 4), lib.gm_ddls_parts(same, *[ffi.NULL] * 2)
        part, a, b = (np.empty(n, np.int32) for _ in range(3))
        cost, kind, minimum = np.empty(n), np.empty(m, np.int32), np.empty(m)
        integers = lambda array: ffi.from_buffer("int32_t[]", array)
        reals = lambda array: ffi.from_buffer("double[]", array)
        lib.gm_ddls_parts(same, integers(kind), reals(minimum))
        lib.gm_ddls_copies(same, integers(part), integers(a), integers(b), reals(cost))
        return {
            "part": part,
            "a": a,
            "b": b,
            "cost": cost,
            "kind": kind,
            "minimum": minimum,
            "bound": run.bound,
        }

    options = {"step": 0.1, "deflection": 1.9, "patience": 1, "tol": 0.095, "seed": 0}
    return run_kernel(
        "ddls", problem, Budget(20.0), maxiter=maxiter, finish=read, local=local, **options
    ).extra


def part_minimum(problem, split, number):
    """Least cost of one tree or local subproblem by enumeration."""
    kind = split["kind"][number]
    right_side = kind in (RIGHT_TREE, RIGHT_LOCAL)
    node, label = (problem.right, problem.left) if right_side else (problem.left, problem.right)
    n1, n2 = problem.shape
    dummy = not problem.complete or (right_side and n1 < n2)
    mine = split["part"] == number
    a, b, cost = split["a"][mine], split["b"][mine], split["cost"][mine]
    unary = {p: c for p, q, c in zip(a, b, cost, strict=True) if q < 0}
    pair = {frozenset((p, q)): c for p, q, c in zip(a, b, cost, strict=True) if q >= 0}
    nodes = sorted({node[p] for p in unary})
    joined = {frozenset((node[p], node[q])) for p, q in pair}
    states = [[p for p in unary if node[p] == u] + ([None] if dummy else []) for u in nodes]
    least = np.inf
    for chosen in itertools.product(*states):
        taken = [p for p in chosen if p is not None]
        total = sum(unary[p] for p in taken)
        for p, q in itertools.combinations(taken, 2):
            apart = kind in (LEFT_LOCAL, RIGHT_LOCAL) or frozenset((node[p], node[q])) in joined
            total += np.inf if apart and label[p] == label[q] else pair.get(frozenset((p, q)), 0.0)
        least = min(least, total)
    return least


def n_nodes(problem, split, number):
    """Number of nodes of one part."""
    node = problem.right if split["kind"][number] in (RIGHT_TREE, RIGHT_LOCAL) else problem.left
    return len(np.unique(node[split["a"][split["part"] == number]]))


def problems():
    """Small problems of several kinds."""
    rng = np.random.default_rng(7)
    yield random_problem(rng, 4, 4)
    yield random_problem(rng, 4, 4, edges=0.9, complete=True)
    yield random_problem(rng, 3, 5, edges=0.2, complete=True)
    yield random_problem(rng, 5, 4, density=0.6, edges=0.4)
    yield random_problem(rng, 5, 5, density=0.7, edges=0.15, complete=True, integer=True)
    yield random_problem(rng, 4, 4, edges=0.6, signs="positive", complete=True)
