"""Arguments that would not be used are refused by name."""

import pytest

from gmtoolbox.core.checks import are_planar, check_rest, refuse_unused, suggest_arguments
from gmtoolbox.core.errors import InputError


def test_an_argument_that_nothing_uses_is_refused():
    refuse_unused("goes with method 'x'", rank=False, bound=False)
    with pytest.raises(InputError, match="^bound goes with method 'x'$"):
        refuse_unused("goes with method 'x'", rank=False, bound=True)


def test_an_unknown_argument_is_refused_with_a_suggestion():
    def build(size, metric=None):
        pass

    check_rest(build, {"name": 1}, "name")
    with pytest.raises(InputError, match="build.. has no argument 'metrc'.*'metric'"):
        check_rest(build, {"metrc": 1}, "name")


def test_names_of_other_packages_are_known():
    def build(time_limit=None, seed=0, progress=None):
        pass

    for name, meant in (("timeout", "time_limit"), ("verbose", "progress"), ("seeds", "seed")):
        with pytest.raises(InputError, match=f"did you mean '{meant}'"):
            check_rest(build, {name: 1})
    with pytest.raises(InputError, match="no argument 'maximize'$"):  # it lacks sense, too
        check_rest(build, {"maximize": 1})


def test_an_unexpected_argument_is_a_type_error_with_a_suggestion():
    @suggest_arguments
    def build(size, *, time_limit=None):
        """Return the size."""
        return size

    assert build(3, time_limit=1) == 3 and build.__doc__ == "Return the size."
    with pytest.raises(TypeError, match=r"^build\(\) has no argument 'timeout'.*'time_limit'"):
        build(3, timeout=1)


def test_planar_points():
    class Points:
        shape = (3, 2)

    assert are_planar(Points, Points) and not are_planar(Points, None)
