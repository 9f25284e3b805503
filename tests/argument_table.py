"""The table behind tests/arguments: what every argument of a public function changes, and where it
is refused because it would not be used.
"""

import inspect
import math
import pickle
import warnings
from dataclasses import dataclass, field, fields

import numpy as np
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.result import BaseResult

INPUTS = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
OF_THE_CLOCK = ("time", "solver_time", "trace", "extra")
ECHOED = ("options", "seed", "method")  # what was asked for, not what came out


@dataclass
class Calls:
    """Calls of one function.

    base     arguments of a usual call
    changes  argument -> (value, more arguments): with that value the call answers something else
             than without it; (value, more arguments, other value): than with the other value
    refused  argument -> [(value, more arguments), ...]: it would not be used, and is refused
    always   arguments that apply to every call
    silent   argument -> value that is refused: right values never change an answer (n_jobs)
    elsewhere  argument -> file of the tests that show what it does
    effects  argument -> function that checks what it does, if that is not in the answer
    watch    what is compared of a call's answer; by default everything but times
    public   the documented function, if `function` stands for it
    """

    function: object
    base: dict
    changes: dict = field(default_factory=dict)
    refused: dict = field(default_factory=dict)
    always: tuple = ()
    silent: dict = field(default_factory=dict)
    effects: dict = field(default_factory=dict)
    elsewhere: dict = field(default_factory=dict)
    watch: object = None
    public: object = None

    def __post_init__(self):
        """rng stands for seed wherever there is one."""
        if "rng" not in inspect.signature(self.public or self.function).parameters:
            return
        if "seed" in self.changes:
            self.changes["rng"] = self.changes["seed"]
            self.refused["rng"] = [(7, {**self.changes["seed"][1], "seed": 1})]
        if "seed" in self.silent:
            self.silent["rng"] = "x"

    def observe(self, **arguments):
        """What a call answers, in a form that can be compared."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = {name: fresh(value) for name, value in {**self.base, **arguments}.items()}
            answer = call(self.function, given)
            return observed(answer if self.watch is None else self.watch(answer))


def call(function, given):
    """Call a function whose first parameter may be *args."""
    several = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind.name == "VAR_POSITIONAL"
    ]
    if several and several[0] in given:
        given = dict(given)
        return function(*given.pop(several[0]), **given)
    return function(**given)


class Fresh:
    """An argument that is made for every call."""

    def __init__(self, make):
        self.make = make


def fresh(value):
    """The value, made now if it has to be."""
    return value.make() if isinstance(value, Fresh) else value


def parameters(function):
    """Names of the arguments without a default, and of all others (**rest too)."""
    found = inspect.signature(function).parameters.values()
    needed = [p.name for p in found if p.default is p.empty and p.kind.name in INPUTS]
    needed += [p.name for p in found if p.kind.name == "VAR_POSITIONAL"]
    return needed, [p.name for p in found if p.name not in needed]


def observed(value):
    """Nested plain values that compare by content; no clock in them."""
    if isinstance(value, BaseResult):
        record = value.record()
        kept = {
            name: observed(part)
            for name, part in record.items()
            if name not in (*OF_THE_CLOCK, *ECHOED)
        }
        return type(value).__name__, kept, getattr(value, "upper_bound", None)
    if isinstance(value, gm.Problem):
        names = [f.name for f in fields(gm.Problem) if f.name not in ("edges", "candidates")]
        names += ["a", "b", "edge_cost"]
        return "Problem", {name: observed(getattr(value, name)) for name in names}
    if isinstance(value, gm.MultiProblem):
        names = [f.name for f in fields(gm.MultiProblem) if f.init]
        return "MultiProblem", {name: observed(getattr(value, name)) for name in names}
    if isinstance(value, gm.EditMatrix):
        names = [f.name for f in fields(gm.EditMatrix) if f.name not in OF_THE_CLOCK]
        return "EditMatrix", {name: observed(getattr(value, name)) for name in names}
    if sparse.issparse(value):
        return observed(value.toarray())
    if isinstance(value, np.ndarray):
        return value.shape, observed(value.tolist())
    if isinstance(value, dict):
        return {repr(name): observed(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [observed(part) for part in value]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if value is None or isinstance(value, (str, int, bool, bytes)):
        return value
    if isinstance(value, np.generic):
        return observed(value.item())
    if hasattr(value, "problem") and hasattr(value, "lift"):
        return observed(value.problem)
    return pickle.dumps(value)
