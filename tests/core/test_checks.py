"""Arguments that would not be used are refused by name."""

import pytest

from gmtoolbox.core.checks import are_planar, check_rest, refuse_unused
from gmtoolbox.core.errors import InputError


def test_an_argument_that_nothing_uses_is_refused():
    refuse_unused("goes with method 'x'", rank=False, bound=False)
    with pytest.raises(InputError, match="^bound goes with method 'x'$"):
        refuse_unused("goes with method 'x'", rank=False, bound=True)


def test_an_unknown_argument_is_refused_with_a_suggestion():
    def build(size, metric=None):
        pass

    check_rest(build, {"name": 1}, "name")
    with pytest.raises(InputError, match="build has no argument 'metrc'.*'metric'"):
        check_rest(build, {"metrc": 1}, "name")


def test_planar_points():
    class Points:
        shape = (3, 2)

    assert are_planar(Points, Points) and not are_planar(Points, None)
