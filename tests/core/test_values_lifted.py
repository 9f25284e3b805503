"""Lifted: ways of a matching, one after the other."""

from gmtoolbox.core.values import Lifted


def test_ways_compose_in_the_right_order():
    doubled = Lifted("a", lambda x: 2 * x, lambda x: x / 2)
    shifted = Lifted("b", lambda x: x + 1, lambda x: x - 1)
    both = doubled.then(shifted)
    assert both.problem == "b" and both.lift(5) == 12 and both.lower(12) == 5
    assert Lifted("a").then(doubled).lift(3) == 6 and Lifted("a").lift(7) == 7
