"""How results keep their fields: each as its mark says, as plain values and back."""

import math
from dataclasses import MISSING, field

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

# ---- how a field is kept


def array(dtype, **rest):
    """A field that holds an array of the given type, or None if that is the default; for a trace
    a function that gives the type of its rows, since numpy is imported late.
    """
    return field(metadata={"saved": "array", "dtype": dtype}, **rest)


def names(**rest):
    """A field that holds node names: text, numbers, or tuples of them."""
    return field(metadata={"saved": "names"}, **rest)


def unsaved_field(**rest):
    """A field that lives in memory only."""
    return field(metadata={"saved": None}, compare=False, repr=False, **rest)


# ---- fields to plain values and back


def is_saved(f):
    """Whether a field is kept by save and ==."""
    return f.metadata.get("saved", "value") is not None


def is_required(f):
    """Whether a field has no default."""
    return f.default is MISSING and f.default_factory is MISSING


FLOAT = "float"  # {"float": "inf"} stands for a number that JSON does not have
NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def plain(value):
    """Numbers, text, lists and dicts that JSON knows; numpy's and tuples become those, a number
    that is not finite {"float": "inf"}, "-inf" or "nan", all else its text.
    """
    if isinstance(value, dict):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.names:
            return {name: plain(value[name]) for name in value.dtype.names}
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {FLOAT: repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def with_floats(value):
    """Undo `plain`: put the numbers that are not finite in their places."""
    if isinstance(value, dict):
        if value.keys() == {FLOAT} and isinstance(value[FLOAT], str) and value[FLOAT] in NOT_FINITE:
            return NOT_FINITE[value[FLOAT]]
        return {name: with_floats(part) for name, part in value.items()}
    if isinstance(value, list):
        return [with_floats(part) for part in value]
    return value


def revive_name(read):
    """A node's name as it was before `plain`, which makes lists of tuples."""
    if isinstance(read, list):
        return tuple(map(revive_name, read))
    return with_floats(read)


def has_plain_name(name):
    """Whether a name comes back equal: text, a number, None, or a tuple of them."""
    if isinstance(name, tuple):
        return all(map(has_plain_name, name))
    if isinstance(name, np.generic):
        name = name.item()
    return name is None or isinstance(name, (str, int, float))


def revive(f, value, missing):
    """Return the value of a field from the output of `plain`; missing: {column of a trace: number}
    that None stands for.
    """
    kind = f.metadata.get("saved")
    if value is None:
        return None
    if kind != "array" and isinstance(value, np.ndarray):
        value = plain(value)
    if kind == "names":
        return tuple(map(revive_name, value))
    if kind != "array":
        return value
    dtype = f.metadata["dtype"]
    if not callable(dtype):
        made = np.asarray(value, dtype=dtype)
        if np.dtype(dtype).kind == "i" and not np.array_equal(made, np.asarray(value)):
            raise InputError(f"{f.name} must be integers of 32 bits")
        return made
    if isinstance(value, np.ndarray):
        return value.astype(dtype())
    made = np.zeros(len(value["time"]), dtype())
    for name in made.dtype.names:
        made[name] = [missing[name] if entry is None else entry for entry in value[name]]
    return made
