"""Options are the keyword-only arguments of a solver function, with annotated ranges.

    def rrwm(problem, budget, *, c: Annotated[float, Range(0, 1), "jump probability"] = 0.2): ...

Ranges are written in the annotation only: checking, the command line, the docs
table and the contract tests (which generate bad values) all read it from here.
"""

import inspect
import math
import os
from dataclasses import dataclass
from typing import Annotated, get_args, get_origin

from gmtoolbox.core.errors import OptionError

PLAIN = (bool, int, float, str)  # types of options
NOT_OPTIONS = ("init",)  # a warm start is data, not a setting


@dataclass(frozen=True)
class Range:
    """Numbers from low to high, both included."""

    low: float = -math.inf
    high: float = math.inf

    def holds(self, value):
        """Whether a number is in the range."""
        return self.low <= value <= self.high

    def __str__(self):
        if math.isfinite(self.high):
            return f"in {self.low:g} .. {self.high:g}"
        return f"at least {self.low:g}"


@dataclass(frozen=True)
class Jobs(Range):
    """How many at a time: a positive number that a C int holds, or -1 for one on each processor."""

    low: int = 1
    high: int = 2**31 - 1

    def holds(self, value):
        """Whether a number is one."""
        return value == -1 or super().holds(value)

    def __str__(self):
        return "at least 1, or -1"


@dataclass(frozen=True)
class Choice:
    """One of a few names."""

    names: tuple

    def holds(self, value):
        """Whether a value is one of the names."""
        return value in self.names

    def __str__(self):
        return "one of " + ", ".join(map(repr, self.names))


@dataclass(frozen=True, repr=False)
class Option:
    """One option of a method: name, type, default, range and meaning."""

    name: str
    type: type
    default: object
    rule: object  # Range, Choice or None
    doc: str

    def __str__(self):
        rule = f", {self.rule}" if self.rule else ""
        return f"{self.name} = {self.default!r} ({self.type.__name__}{rule}): {self.doc}"

    def __repr__(self):
        return f"<Option {self}>"

    def check(self, value, method):
        """The value converted to the option's type, or OptionError."""
        if value is None and self.default is None:
            return None
        converted = convert(value, self.type)
        if converted is None or (self.rule is not None and not self.rule.holds(converted)):
            wanted = self.type.__name__ + (f" {self.rule}" if self.rule is not None else "")
            raise OptionError(f"option {self.name!r} of {method!r} must be {wanted}, got {value!r}")
        return converted


def convert(value, kind):
    """Return value as kind without loss, or None. 3.0 is an int, True is not a number, numpy
    scalars are welcome.
    """
    if hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    if kind is bool:
        is_flag = isinstance(value, (bool, int, float)) and value in (0, 1)
        return bool(value) if is_flag else None
    if kind is str:
        value = os.fspath(value) if isinstance(value, os.PathLike) else value
        return value if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return None
    if kind is int:
        whole = math.isfinite(value) and value == int(value) and abs(value) < 2**63
        return int(value) if whole else None
    return float(value)


def options_of(function, strict=True):
    """The Options of a solver function, in signature order.

    Not strict: an argument without an Annotated type is an option of the type of its default.
    """
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.name in NOT_OPTIONS:
            continue
        annotation = parameter.annotation
        if get_origin(annotation) is not Annotated and not strict:
            if type(parameter.default) not in PLAIN:
                raise TypeError(
                    f"option {parameter.name!r} needs a default that is a number, a bool or text"
                )
            found.append(
                Option(parameter.name, type(parameter.default), parameter.default, None, "")
            )
            continue
        if get_origin(annotation) is not Annotated:
            raise TypeError(
                f"{function.__module__}: option {parameter.name!r} needs an Annotated[type, rule,"
                " doc]"
            )
        kind, *metadata = get_args(annotation)
        rule = next((item for item in metadata if isinstance(item, (Range, Choice))), None)
        doc = next((item for item in metadata if isinstance(item, str)), "")
        found.append(Option(parameter.name, kind, parameter.default, rule, doc))
    return tuple(found)
