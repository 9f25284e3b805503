"""Arguments that would not be used are refused; the names of the fields that describe a Problem."""

import inspect
from functools import wraps

from gmtoolbox.core.errors import InputError, suggest_name

DESCRIBING = ("name", "origin", "ground_truth", "nodes1", "nodes2", "offset")  # a Problem
PLACES = ("points1", "points2", "neighbours1", "neighbours2")


def refuse_unused(rule, **given):
    """Raise InputError for the first argument that is given although nothing would use it; given:
    {name: whether it is given}; rule: the argument that it goes with.
    """
    for name in (name for name, is_given in given.items() if is_given):
        raise InputError(f"{name} {rule}")


def suggest_arguments(function):
    """Let a function refuse an argument that it lacks with the name that is meant, as a TypeError.

    Python itself says only that the argument is unexpected.
    """
    parameters = inspect.signature(function).parameters

    @wraps(function)
    def call(*given, **named):
        refuse_unknown(function, named, parameters)
        return function(*given, **named)

    return call


def refuse_unknown(function, named, parameters):
    """TypeError for the first argument that is none of the parameters."""
    for name in named:
        if name not in parameters:
            hint = suggest_name(name, parameters)
            raise TypeError(f"{function.__name__}() has no argument {name!r}{hint}")


def check_rest(function, rest, *known):
    """InputError for further arguments of a function that are none of the known ones."""
    for name in rest:
        if name not in known:
            own = [*inspect.signature(function).parameters, *known]
            hint = suggest_name(name, own)
            raise InputError(f"{function.__name__} has no argument {name!r}{hint}")


def are_planar(*points):
    """Whether all of these point sets are known and lie in the plane."""
    return all(own is not None and own.shape[1] == 2 for own in points)
