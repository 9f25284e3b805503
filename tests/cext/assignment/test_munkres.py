"""The fast Munkres against the scan order told plainly: ties must fall the same way."""

import numpy as np

from gmtoolbox.engine.rounding import munkres


def plain_munkres(cost):
    """The originals' algorithm, one scan at a time."""
    D = np.array(cost, dtype=float)
    n_rows, n_cols = D.shape
    forbidden = ~np.isfinite(D)
    largest = D[~forbidden].max(initial=-1.0)
    D[forbidden] = 10 * largest * n_rows * n_cols if largest > 0 else 10.0
    star_row, star_col, prime = np.full(n_rows, -1), np.full(n_cols, -1), np.full(n_rows, -1)
    if n_rows <= n_cols:
        D -= D.min(axis=1, keepdims=True)
        for i in range(n_rows):
            for j in range(n_cols):
                if D[i, j] == 0 and star_col[j] < 0:
                    star_row[i], star_col[j] = j, i
                    break
    else:
        D -= D.min(axis=0, keepdims=True)
        for j in range(n_cols):
            for i in range(n_rows):
                if D[i, j] == 0 and star_row[i] < 0:
                    star_row[i], star_col[j] = j, i
                    break
    row_covered, col_covered = np.zeros(n_rows, bool), star_col >= 0
    while col_covered.sum() < min(n_rows, n_cols):
        augmented, primed = False, True
        while primed and not augmented:
            primed = False
            for j in range(n_cols):
                if col_covered[j]:
                    continue
                free = np.flatnonzero(~row_covered & (D[:, j] == 0))
                if not len(free):
                    continue
                i = free[0]
                prime[i] = j
                if star_row[i] < 0:
                    while True:
                        previous = star_col[j]
                        star_row[i], star_col[j] = j, i
                        if previous < 0:
                            break
                        i, j = previous, prime[previous]
                    augmented = True
                    break
                row_covered[i], col_covered[star_row[i]], primed = True, False, True
        if augmented:
            row_covered[:], prime[:], col_covered = False, -1, star_col >= 0
        else:
            h = D[~row_covered][:, ~col_covered].min()
            D[row_covered] += h
            D[:, ~col_covered] -= h
    return np.where((star_row >= 0) & ~forbidden[np.arange(n_rows), star_row], star_row, -1)


def test_same_answer_as_the_plain_scan_order():
    rng = np.random.default_rng(0)
    for trial in range(400):
        # bit sets of one word and of two
        shape = rng.integers(1, 12, size=2) if trial % 20 else rng.integers(60, 75, size=2)
        levels = rng.integers(1, 5)
        cost = rng.integers(0, levels + 1, size=shape).astype(float)  # full of ties
        if trial % 3 == 0:
            cost += np.where(rng.random(shape) < 0.3, rng.random(shape), 0.0)
        if trial % 2:
            cost[rng.random(shape) < 0.2] = np.inf
        assert munkres(cost).tolist() == plain_munkres(cost).tolist()


def test_nan_ends():
    cost = np.full((3, 3), np.nan)
    assert munkres(cost).tolist() == [-1, -1, -1]
