"""The last digits of an assignment: the optimum in fractions from any matching, and its bound."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from c_internals import internals

ffi, lib = internals("assignment/polish.h")


def polish(cost, col_of, v, rows_may_be_free=False):
    """(column of each row, bound) by gm_polish_run from a matching; inf: no entry."""
    n_rows, n_cols = cost.shape
    own, pool = ffi.new("gm_polish *"), ffi.new("gm_pool *")
    lib.gm_polish_take(own, pool, n_rows, n_cols)
    allowed, held = np.isfinite(cost), []
    hold = lambda kind, array: held.append(ffi.new(f"{kind}[]", list(array))) or held[-1]
    if not allowed.all():
        own.start = hold("int64_t", [0, *np.cumsum(allowed.sum(1)).tolist()])
        own.col = hold("int32_t", np.nonzero(allowed)[1].tolist())
    own.cost = hold("double", cost[allowed].tolist())
    own.col_of = hold("int32_t", col_of)
    own.rows_may_be_free = rows_may_be_free
    bound = ffi.new("double *")
    assert lib.gm_polish_run(own, hold("double", v), ffi.NULL, bound) == 0
    found = [own.col_of[r] for r in range(n_rows)]
    lib.gm_pool_free(pool)
    return found, bound[0]


def exact(cost, col_of):
    return sum(Fraction(cost[r, c]) for r, c in enumerate(col_of) if c >= 0)


def matchings(cost, rows_may_be_free):
    """All of them."""
    n_rows, n_cols = cost.shape
    if not rows_may_be_free:
        rows = permutations(range(n_cols), n_rows)
    else:
        rows = (
            row
            for row in product(range(-1, n_cols), repeat=n_rows)
            if len(used := [c for c in row if c >= 0]) == len(set(used))
        )
    return [row for row in rows if all(c < 0 or np.isfinite(cost[r, c]) for r, c in enumerate(row))]


@pytest.mark.parametrize("rows_may_be_free", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.7])
def test_any_matching_becomes_the_optimum(share, rows_may_be_free):
    """Costs from 1e-6 to 1e12 in one matrix; no duals to start from, or wrong ones."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        n_rows = int(rng.integers(1, 5))
        n_cols = int(rng.integers(1 if rows_may_be_free else n_rows, 6))
        shape = (n_rows, n_cols)
        cost = rng.choice([-1.0, 1.0], shape) * 10.0 ** rng.uniform(-6, 12, shape)
        cost = np.where(rng.random(shape) < share, cost, np.inf)
        rows = matchings(cost, rows_may_be_free)
        if not rows:
            continue
        first = rows[rng.integers(len(rows))]
        v = rng.normal(size=n_cols) * rng.choice([0.0, 1e12])
        found, bound = polish(cost, first, v.tolist(), rows_may_be_free)
        best = min(exact(cost, row) for row in rows)
        assert tuple(found) in rows and exact(cost, found) == best
        assert Fraction(bound) <= best and float(best) - bound <= 1e-14 + 1e-15 * abs(float(best))


def test_nothing_is_lost_if_all_is_exact():
    cost = np.array([[1e15, 1.0, 7.0], [3.0, 1e15, 2.0]])
    found, bound = polish(cost, [2, 0], [0.0, 0.0, 0.0])
    assert found == [1, 2] and 3.0 - bound <= 1e-9
