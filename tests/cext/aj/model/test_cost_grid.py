"""aj/grain: the number that divides all costs, and what may be rounded because of it."""

import math

import pytest
from c_internals import Indexed

import gmtoolbox as gm


def grain_of(unary, pair, tolerance=1e-9):
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], unary, [0, 1], [3, 2], pair)
    setup = Indexed(problem, "aj/model/cost_grid.h")
    return setup, setup.lib.aj_grain_of(setup.index, tolerance)


@pytest.mark.parametrize(
    "unary, pair, size",
    [
        ([6, -9, 3, 0], [12, 30], 3.0),
        ([2.75, 0.825, 0.0, 1.1], [0.275, 5.5], 0.275),
        ([math.pi, math.e, 1.0, 2.0], [0.5, 0.25], 0.0),
        ([1e300, 2e300, 3e300, 1.0], [7e300, 1.0], 0.0),  # 1.0 is far above the tolerance
        ([1e9, 2e9, 3e9, 1e-5], [7e9, 0.0], 0.0),
        ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0], 0.0),
    ],
)
def test_the_grain_divides_all_costs(unary, pair, size):
    _, grain = grain_of(unary, pair)
    assert grain.size == pytest.approx(size, rel=1e-12)
    assert grain.error >= 0.0 and (size != 0.0 or grain.error == 0.0)


def test_noise_below_the_tolerance_is_no_part_of_the_grain():
    costs = [1e9, 2e9, 3e9, 1e-5], [7e9, 0.0]
    _, grain = grain_of(*costs, tolerance=1e-2)
    assert grain.size == pytest.approx(1e9, rel=1e-12) and 1e-5 <= grain.error <= 5e-3


@pytest.mark.parametrize("largest", [3.0, 1e-300, 1e300, 5e-324])
def test_the_scale_is_a_power_of_two_near_the_largest_pair_cost(largest):
    _, grain = grain_of([1.0, 2.0, 3.0, 4.0], [largest, -largest / 2])
    assert math.frexp(grain.scale)[0] == 0.5
    assert 0.5 <= grain.scale * largest <= 1.0 or abs(math.log2(grain.scale)) == 1000


def test_integers_lift_bounds_and_widen_cutoffs():
    setup, grain = grain_of([4, 8, 12, 0], [4, 4])
    p, scale = setup.ffi.new("aj_grain *", grain), grain.scale
    assert setup.lib.aj_grain_round_up(p, 9.0 * scale) == 12.0
    assert setup.lib.aj_grain_round_up(p, 8.0 * scale) == 8.0  # exact, or above by rounding only
    assert setup.lib.aj_grain_round_up(p, (8.0 + 1e-9) * scale) == 8.0
    assert 4.0 < setup.lib.aj_grain_below(p, 8.0, 1e-6) / scale < 8.0 - 3.9
    assert 8.0 < setup.lib.aj_grain_above(p, 8.0, 1e-6) / scale < 12.0
    assert 8.0 < setup.lib.aj_grain_above(p, 11.0, 1e-6) / scale < 12.0


def test_without_a_grain_the_width_counts():
    setup, grain = grain_of([math.pi, math.e, 1.0, 2.0], [0.5, 0.25])
    p, scale = setup.ffi.new("aj_grain *", grain), grain.scale
    assert setup.lib.aj_grain_round_up(p, 0.3 * scale) == 0.3
    assert setup.lib.aj_grain_below(p, 2.0, 0.5) == 1.5 * scale
    assert setup.lib.aj_grain_above(p, 2.0, 0.5) == 2.5 * scale
