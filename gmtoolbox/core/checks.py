"""Checks of the fields of a Problem that describe nodes: points, neighbours, truth, names."""

import inspect

from gmtoolbox.core.errors import InputError, did_you_mean, labels_range
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_list, as_numbers, check_index, frozen

DESCRIBING = ("name", "origin", "ground_truth", "nodes1", "nodes2", "offset")  # a Problem
PLACES = ("points1", "points2", "neighbours1", "neighbours2")


def refuse_unused(rule, **given):
    """Raise InputError for the first argument that is given although nothing would use it; given:
    {name: whether it is given}; rule: the argument that it goes with.
    """
    for name in (name for name, is_given in given.items() if is_given):
        raise InputError(f"{name} {rule}")


def check_rest(function, rest, *known):
    """InputError for further arguments of a function that are none of the known ones."""
    for name in rest:
        if name not in known:
            own = [*inspect.signature(function).parameters, *known]
            hint = did_you_mean(name, own)
            raise InputError(f"{function.__name__} has no argument {name!r}{hint}")


def check_points(name, points, n):
    """(n, dimensions) coordinates, read-only; None as given."""
    if points is None:
        return None
    points = as_numbers(name, points)
    if points.ndim != 2 or len(points) != n:
        raise InputError(f"{name} must have shape ({n}, dimensions), got {points.shape}")
    return frozen(points)


def are_planar(*points):
    """Whether all of these point sets are known and lie in the plane."""
    return all(own is not None and own.shape[1] == 2 for own in points)


def check_neighbours(name, pairs, n):
    """(m, 2) pairs of nodes, read-only; None as given."""
    if pairs is None:
        return None
    pairs = as_numbers(name, pairs, np.int32)
    if pairs.size % 2:
        raise InputError(f"{name} must be (m, 2) pairs of nodes, got shape {pairs.shape}")
    pairs = pairs.reshape(-1, 2)
    check_index(name, pairs.ravel(), n)
    return frozen(pairs)


def check_ground_truth(truth, n1, n2):
    """(n1,) labels, -1 = unknown, read-only; None as given."""
    if truth is None:
        return None
    truth = as_numbers("ground_truth", truth, np.int32)
    if truth.shape != (n1,) or truth.min(initial=0) < -1 or truth.max(initial=-1) >= n2:
        raise InputError(f"ground_truth must hold n1 = {n1} labels in {labels_range(n2)}")
    return frozen(truth)


def check_names(field, names, n):
    """Names of nodes as a tuple."""
    if names is None:
        return None
    names = tuple(as_list(field, names))
    if len(names) != n:
        raise InputError(f"{field} must hold {n} names, got {len(names)}")
    seen = set()
    for name in names:
        try:
            repeated = name in seen
        except TypeError:
            raise InputError(f"{field} must hold hashable names, got {name!r}") from None
        if repeated:
            raise InputError(f"{field} must hold different names, {name!r} is there twice")
        seen.add(name)
    return names
