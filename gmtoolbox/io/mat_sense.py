"""Whether the matrices of a MAT file or struct are costs or affinities: one rule, whatever other
variables there are.

1. `sense` states it: 'min' means costs, 'max' affinities. Everything that gmtoolbox writes has it.
2. Without `sense`, `reducedK` or `offset` (the benchmark's schema) means costs.
3. Otherwise the matrices are affinities.

A SenseWarning names a guess that can be wrong: affinities with negative entries, costs
for which only `offset` speaks, and another matrix than the schema's, chosen by its name.

A problem that is maximised can be written as costs (schema="costs"): then `sense` is 'min' and
`reported` is 'max', the sense of the problem's values. Versions before 0.2 wrote `sense` = 'max'
together with `reducedK` and `offset` for it.
"""

from dataclasses import dataclass

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.matrix import describe_senses, has_negative, warn_of_sense
from gmtoolbox.core.values import check_sense
from gmtoolbox.io.mat_variables import kind_of

SCHEMA_NAMES = ("reducedK", "offset")  # of the benchmark's files, which hold costs


@dataclass(frozen=True)
class Meaning:
    """The meaning of the matrices of a set of variables."""

    costs: bool  # to be minimised
    sense: str  # in which the values of the problem are reported
    is_stated: bool  # by the variables or the caller; otherwise follows from other variables
    by_offset: bool = False  # it follows from nothing but an offset

    def constant(self, value):
        """Return a constant of the objective as one of the costs."""
        return value if self.costs else -value


def meaning_of(variables, given=None):
    """Return the Meaning of variables; given is the sense that the caller states, or None."""
    stated = text_of(variables, "sense")
    benchmark = [name for name in SCHEMA_NAMES if name in variables]
    if stated is None:
        if given == "max" and "reducedK" in variables:
            raise InputError("reducedK holds costs: sense must be 'min', got 'max'")
        check_sense(given or "min")
        costs = given == "min" or (given is None and bool(benchmark))
        by_offset = given is None and benchmark == ["offset"]
        return Meaning(costs, "min" if costs else "max", given is not None, by_offset)
    old = stated == "max" and len(benchmark) == len(SCHEMA_NAMES) and "reported" not in variables
    costs = stated == "min" or old
    sense = text_of(variables, "reported") or stated
    if given is not None and given != sense:
        raise InputError(f"its sense is {sense!r}, got sense={given!r}")
    return Meaning(costs, sense, True)


def text_of(variables, name):
    """Return the sense that a variable states, or None without it."""
    if name not in variables:
        return None
    value = variables[name]
    if not isinstance(value, str) or value not in ("min", "max"):
        raise InputError(f"{name} must be 'min' or 'max', got {kind_of(value)}")
    return value


def check_meaning(meaning, matrices, name="", key=None):
    """Warn if the meaning of these matrices ({name: matrix}) is a guess that can be wrong; name is
    that of the problem, key that of a matrix that the caller chose.
    """
    if meaning.is_stated:
        return
    names = (f"{name}: " if name else "") + " and ".join(matrices)
    remedy = f"{describe_senses()}, or store the variable sense ('min' or 'max') with it"
    if meaning.costs:
        if meaning.by_offset or key not in (None, "K", "reducedK"):
            which = "offset" if meaning.by_offset else "reducedK"
            reason = f"{which} next to it says that there are costs"
            warn_of_sense(names, reason, remedy, done="is minimised")
    elif any(has_negative(values) for values in matrices.values()):
        reason = "neither sense nor reducedK nor offset says that there are costs"
        warn_of_sense(names, reason, remedy)
