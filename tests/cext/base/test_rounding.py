"""What rounding may cost (base/rounding.c), against exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from gmtoolbox.core._ffi import lib


def numbers(rng, n, scale):
    """Numbers of very different sizes that nearly cancel."""
    x = rng.normal(size=n) * 10.0 ** rng.uniform(-6, 0, n)
    x[n // 2 :] = -rng.permutation(x[: n - n // 2]) * (1 + 1e-12 * rng.normal(size=n - n // 2))
    return scale * x


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300, 1e-310])
def test_a_sum_is_off_by_no_more(scale):
    rng = np.random.default_rng(0)
    worst = 0.0
    for n in (2, 3, 10, 100, 1000):
        for _ in range(20):
            x = numbers(rng, n, scale)
            total = 0.0
            for number in x.tolist():
                total += number
            off = abs(Fraction(total) - sum(map(Fraction, x.tolist())))
            margin = lib.gm_sum_error(n, float(np.abs(x).sum()))
            assert off <= margin <= lib.gm_rounding_error(n, float(np.abs(x).sum()))
            worst = max(worst, float(off / Fraction(margin)) if margin else 0.0)
    assert worst > 1e-3 or scale < 1e-300, "the margin is far from anything that happens"


@pytest.mark.parametrize("scale", [1.0, 1e-310, 1e-322])
def test_averaging_many_times_is_off_by_no_more(scale):
    """Products, which denormal numbers round as well: two numbers move a part of their difference
    back and forth, their sum should stay.
    """
    rng = np.random.default_rng(1)
    for _ in range(100):
        x, y = (scale * rng.random(2)).tolist()
        exact, magnitude, steps = Fraction(x) + Fraction(y), 2 * (abs(x) + abs(y)), 100
        for part in rng.random(steps).tolist():
            moved = part * (x - y)
            x, y = x - moved, y + moved
        assert abs(Fraction(x) + Fraction(y) - exact) <= lib.gm_rounding_error(4 * steps, magnitude)


def test_nothing_is_lost_where_all_numbers_are_0():
    assert lib.gm_rounding_error(1e6, 0.0) == 0.0
