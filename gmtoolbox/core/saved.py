"""How results keep their fields: each as its mark says, as plain values and back."""

import math
from dataclasses import MISSING, field

from gmtoolbox.core.lazy import np

# ---- how a field is kept


def array(dtype, **rest):
    """A field that holds an array of the given type, or None where a default says so; for a trace
    a function that gives the type of its rows, since numpy is imported late.
    """
    return field(metadata={"saved": "array", "dtype": dtype}, **rest)


def names(**rest):
    """A field that holds node names: text, numbers, or tuples of them."""
    return field(metadata={"saved": "names"}, **rest)


def unsaved(**rest):
    """A field that lives in memory only."""
    return field(metadata={"saved": None}, compare=False, repr=False, **rest)


# ---- fields to plain values and back


def is_saved(f):
    """Whether a field is kept by save and ==."""
    return f.metadata.get("saved", "value") is not None


def is_required(f):
    """Whether a field has no default."""
    return f.default is MISSING and f.default_factory is MISSING


def plain(value):
    """Numbers, text, lists and dicts that JSON knows."""
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
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def revived(f, value, nothing):
    """A field's value from what `plain` made of it; nothing: what a missing bound is."""
    kind = f.metadata.get("saved")
    if value is None:
        return None
    if kind == "names":
        return tuple(tuple(name) if isinstance(name, list) else name for name in value)
    if kind != "array":
        return value
    dtype = f.metadata["dtype"]
    if not callable(dtype):
        return np.asarray(value, dtype=dtype)
    made = np.zeros(len(value["time"]), dtype())
    for name, missing in (("time", math.nan), ("value", -nothing), ("bound", nothing)):
        made[name] = [missing if entry is None else entry for entry in value[name]]
    return made
