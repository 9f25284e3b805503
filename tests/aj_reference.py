"""Problems of every kind for the exact method, and their optimum by exhaustive search."""

import numpy as np
from c_internals import as_other, internals

from gmtoolbox.core._ffi import check, ffi, lib, model, pointer
from gmtoolbox.core.problem import Problem


def draw(rng):
    """A random problem of any kind: signs, ties, forbidden pairs, conflicting edges, mixed
    magnitudes, offsets.
    """
    n1, n2 = rng.integers(1, 6, 2)
    left, right = np.nonzero(rng.random((n1, n2)) < rng.choice([1.0, 0.8, 0.5]))
    if len(left) == 0:
        left, right = np.array([0]), np.array([0])
    N = len(left)
    a, b = np.nonzero(np.triu(rng.random((N, N)) < rng.choice([1.0, 0.6, 0.2]), 1))
    kind = rng.integers(6)

    def costs(size):
        if kind == 0:
            return -rng.random(size)
        if kind == 1:
            return rng.random(size)
        if kind == 2:
            return rng.integers(-3, 4, size).astype(float)
        if kind == 3:
            return rng.normal(size=size) * 10.0 ** rng.integers(-6, 7, size)
        return rng.normal(size=size)

    scale = 10.0 ** rng.choice([0, 0, 0, -200, -12, 9, 150])
    unary = costs(N) * scale if rng.random() < 0.7 else np.zeros(N)
    offset = float(rng.normal() * scale) if rng.random() < 0.3 else 0.0
    return Problem(
        (n1, n2),
        left,
        right,
        unary,
        a,
        b,
        costs(len(a)) * scale,
        complete=rng.random() < 0.5,
        offset=offset,
    )


def optimum(problem, forced=()):
    """Smallest cost over all matchings with the forced candidates, by exhaustive search; inf if
    there is none.
    """
    n1, n2 = problem.shape
    needed = min(n1, n2) if problem.complete else 0
    table = np.zeros((problem.n_candidates,) * 2)
    table[problem.a, problem.b] = table[problem.b, problem.a] = problem.edge_cost
    table, cost = table.tolist(), problem.cost.tolist()
    at = [[] for _ in range(n1)]
    for k, (i, s) in enumerate(zip(problem.left.tolist(), problem.right.tolist(), strict=True)):
        at[i].append((k, s))
    for k in forced:
        at[problem.left[k]] = [(k, int(problem.right[k]))]
    must = {int(problem.left[k]) for k in forced}
    best = float("inf")

    def extend(i, used, chosen, value):
        nonlocal best
        if i == n1:
            if len(chosen) >= needed:
                best = min(best, value)
            return
        if i not in must:
            extend(i + 1, used, chosen, value)
        for k, s in at[i]:
            if not used >> s & 1:
                row = table[k]
                extend(
                    i + 1,
                    used | 1 << s,
                    [*chosen, k],
                    value + cost[k] + sum(row[q] for q in chosen),
                )

    extend(0, 0, [], 0.0)
    return best + problem.offset


def slack(problem):
    """What summing in another order may change."""
    return 1e-14 * (
        np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum() + abs(problem.offset)
    )


def claims(problem, tables, seed):
    """(bound, bounds of every forced candidate, of every forced pair) of the C kernel."""
    struct, borrowed = model(problem)
    bound, forced, pair = np.empty(1), np.empty(problem.n_candidates), np.empty(problem.n_edges)
    other, checks = internals("aj_claims.h")
    arrays = [other.from_buffer("double[]", array) for array in (bound, forced, pair)]
    check(checks.gm_aj_claims(as_other(other, "gm_model *", struct), tables, seed, *arrays))
    del borrowed
    return bound[0] + problem.offset, forced + problem.offset, pair + problem.offset


def forced(problem, labels, maxiter=10**6, slices=10**6, lift_limit=250_000):
    """What the kernel `forced` knows after so many iterations, made in slices."""
    labels = np.asarray(labels, dtype=np.int32)
    options = ffi.new("gm_forced_options *", {"labels": pointer(labels), "lift_limit": lift_limit})
    run = ffi.gc(lib.gm_forced_new(problem.c_model[0], options), lib.gm_forced_free)
    bounds = np.full(problem.n_candidates + problem.shape[0], np.nan)
    before = np.full(len(bounds), -np.inf)
    while run.iteration < maxiter and not run.finished:
        check(lib.gm_forced_step(run, min(slices, maxiter - run.iteration), 60.0))
        lib.gm_forced_bounds(run, pointer(bounds))
        assert np.all(bounds >= before)
        before = bounds.copy()
    lib.gm_forced_bounds(run, pointer(bounds))
    return bounds
