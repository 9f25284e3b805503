"""Methods as a benchmark names them: a method, or a variant of one with options of its own.

fm                         the method, with its defaults
fm:patience=10             a variant; that text is its name in the tables
eager=fm:patience=10,...   the same, called `eager`
"""

import json
from collections.abc import Hashable
from dataclasses import dataclass

from gmtoolbox.bench.run.many_graphs import multi_solver
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.values import as_list
from gmtoolbox.engine.registry import adopt, get_solver, gm_methods

ALL = "all"


@dataclass(frozen=True)
class Variant:
    """A method and all of its options, checked."""

    solver: str
    options: dict

    @property
    def many(self):
        """Whether it matches many graphs, not two."""
        return multi_solver(self.solver) is not None


def choose_methods(methods):
    """name in the tables -> Variant, of 'all', a name, a list of them, or a mapping name ->
    options or (method, options); a function may stand for a name. 'all' are those that do not
    choose among the others.
    """
    if callable(methods) or isinstance(methods, str):
        methods = [methods]
    if not isinstance(methods, dict):
        methods = as_list("methods", methods)
        for method in methods:
            if not isinstance(method, Hashable):
                raise InputError(f"methods must be names or functions, got {method!r}")
        every = [method.name for method in gm_methods() if not method.chooses]
        methods = [name for one in methods for name in (every if one == ALL else [one])]
    given = methods if isinstance(methods, dict) else dict.fromkeys(methods)
    if not given:
        raise InputError("methods must name at least one method")
    found = {}
    for method, options in given.items():
        name, variant = variant_of(method, options)
        if name in found:
            raise InputError(f"two methods are called {name!r}: name one NAME=METHOD:OPTION=VALUE")
        found[name] = variant
    return found


def variant_of(method, options):
    """(name, Variant) of one method with options, a mapping or (method, mapping)."""
    if isinstance(options, tuple):
        if len(options) != 2:
            raise InputError(f"method {method!r} must have (method, options), got {options!r}")
        name, (method, options) = str(method), options
        _, solver, written = split_variant(method)
    else:
        name, solver, written = split_variant(method)
    known = multi_solver(solver) or get_solver(solver)
    if callable(solver):
        adopt(known)
    options = known.check({**written, **(options or {})})
    return known.name if name is None else name, Variant(known.name, options)


def split_variant(text):
    """(name or None, method, options) of a method as it is written."""
    if not isinstance(text, str) or not (":" in text or "=" in text):
        return None, text, {}
    before, colon, after = text.partition(":")
    name, equals, method = before.rpartition("=")
    if equals and not name or not method:
        raise InputError(f"a variant is [NAME=]METHOD:OPTION=VALUE,..., got {text!r}")
    options = {}
    for part in after.split(",") if colon else ():
        option, equal, value = part.partition("=")
        if not (option and equal):
            raise InputError(f"{text!r}: each option must be OPTION=VALUE, got {part!r}")
        options[option.strip()] = option_value(value)
    return name or text, method, options


def option_value(text):
    """Numbers, true, false and null as in JSON; anything else is a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text
