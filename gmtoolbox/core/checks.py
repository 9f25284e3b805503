"""Arguments that would not be used are refused; the names of the fields that describe a Problem."""

import inspect
from functools import wraps

from gmtoolbox.core.errors import InputError, UnknownArgumentError, suggest_name

DESCRIBING = ("name", "origin", "ground_truth", "nodes1", "nodes2", "offset")  # a Problem
PLACES = ("points1", "points2", "neighbours1", "neighbours2")


def refuse_unused(rule, **given):
    """Raise InputError for the first argument that is given although nothing would use it; given:
    {name: whether it is given}; rule: the argument that it goes with.
    """
    for name in (name for name, is_given in given.items() if is_given):
        raise InputError(f"{name} {rule}")


def suggest_arguments(function):
    """Let a function refuse an argument that it lacks with the name that is meant.

    Python itself says only that the argument is unexpected.
    """
    parameters = inspect.signature(function).parameters

    @wraps(function)
    def call(*given, **named):
        refuse_unknown(function, named, parameters)
        return function(*given, **named)

    return call


def refuse_unknown(function, named, parameters):
    """UnknownArgumentError for the first argument that is none of the parameters."""
    for name in named:
        if name not in parameters:
            hint = suggest_name(name, parameters)
            raise UnknownArgumentError(f"{function.__name__}() has no argument {name!r}{hint}")


def check_rest(function, rest, *known):
    """Refuse further arguments of a function that are none of the known ones."""
    refuse_unknown(function, rest, [*inspect.signature(function).parameters, *known])


def are_planar(*points):
    """Whether all of these point sets are known and lie in the plane."""
    return all(own is not None and own.shape[1] == 2 for own in points)
