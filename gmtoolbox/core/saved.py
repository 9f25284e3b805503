"""How results keep their fields: each as its mark says, as plain values and back; and which fields
two runs of the same problem share."""

import math
from dataclasses import MISSING, field, fields
from functools import cache
from typing import NamedTuple

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

FORMAT = "gmtoolbox result"
VERSION = 1
CLOCK = ("time", "solver_time", "trace")  # differ between two runs of the same: no part of ==
CLOCK_IN_EXTRA = ("ran",)  # likewise: when each part of a portfolio ended

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


@cache
def trace_dtype():
    """Return the type of a row of a trace: time, value, bound."""
    return np.dtype([("time", float), ("value", float), ("bound", float)])


class FinalTrace:
    """The trace of a result that was made without one: a single row, made when first read."""

    def __get__(self, result, owner):
        if result is not None:
            result.trace = np.array([(result.time, result.value, result.bound)], trace_dtype())
            return result.trace


class Later(NamedTuple):
    """Attributes that are computed when one of them is first asked for: make(*given) returns their
    values.
    """

    names: tuple
    make: object
    given: tuple = ()


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


def missing_numbers(sense):
    """The value, bound or gap that is missing, and a missing time of a trace."""
    worst = math.inf if sense == "min" else -math.inf
    return {"value": worst, "bound": -worst, "gap": math.inf, "time": math.nan}


class Saved:
    """A dataclass that becomes a record of plain values, and comes back from it."""

    def record(self):
        """name -> value of every field that is kept, arrays as they are."""
        kept = {f.name: getattr(self, f.name) for f in fields(self) if is_saved(f)}
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": type(self).__name__,
            "base": 0,
            **kept,
        }

    def to_dict(self):
        """Everything as plain numbers, text, lists and dicts, ready for JSON; indices are 0-based.

        None stands for a missing value, bound or gap, in the trace, too; any other number that is
        not finite becomes {"float": "inf"}, "-inf" or "nan".

        Returns
        -------
        dict

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> gm.gm_solve([[1.0]]).to_dict()["labels"]
        [0]
        """
        record, missing = self.plain_fields(self.record()), missing_numbers(self.sense)
        for name in ("value", "bound"):
            known = self.trace[name] != missing[name]
            column = zip(record["trace"][name], known.tolist(), strict=True)
            record["trace"][name] = [entry if kept else None for entry, kept in column]
        return record

    def plain_fields(self, record):
        """Some fields of the record, ready for JSON; None stands for a missing number."""
        missing = missing_numbers(self.sense)
        absent = [n for n in ("value", "bound", "gap") if n in record and record[n] == missing[n]]
        return {**plain(record), **dict.fromkeys(absent)}

    @classmethod
    def from_dict(cls, record):
        """The result that to_dict made the record of; its arrays may be arrays still."""
        known = {f.name: f for f in fields(cls) if is_saved(f)}
        needed = [name for name, f in known.items() if name not in record and is_required(f)]
        if needed:
            raise InputError(f"a {cls.__name__} needs the field {needed[0]!r}")
        missing = missing_numbers(record.get("sense", "min"))
        made = {
            name: revive(f, with_floats(record[name]), missing)
            for name, f in known.items()
            if name in record
        }
        for name in ("value", "bound", "gap"):
            if name in made and made[name] is None:
                made[name] = missing[name]
        return cls(**made)


def without_clock(record):
    """Return the fields that two runs of the same problem and settings share."""
    extra = record.get("extra") or {}
    kept = {name: value for name, value in record.items() if name not in CLOCK}
    return {**kept, "extra": {n: value for n, value in extra.items() if n not in CLOCK_IN_EXTRA}}
