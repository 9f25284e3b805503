"""The identity of a solver of one's own: a hash of the code behind its name.

A method of this package is known by its name. A function of a notebook or a file keeps its name
when its code is changed, and its results are others then. The hash walks through the function: its
instructions, constants, defaults, captured values, and the functions, classes and values that
it names, as far as they come from the same package or from no installed one.
"""

import builtins
import functools
import hashlib
import secrets
import sys
import sysconfig
import types
from pathlib import Path

from gmtoolbox.core.lazy import np
from gmtoolbox.engine.registry import get_solver, is_own

PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)
CODE = (
    "co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags",
    "co_argcount", "co_kwonlyargcount", "co_posonlyargcount",
)  # fmt: skip
UNUSED = (  # of a class: not a part of its behaviour
    "__doc__", "__dict__", "__weakref__", "__module__", "__firstlineno__", "__annotations__",
    "__dataclass_fields__", "__dataclass_params__",
)  # fmt: skip


def code_of(name):
    """Return the hash of the code of an own solver, '' for methods of this package.

    A function that holds something that cannot be walked through has another hash each time: its
    runs are never taken for those of an earlier version.
    """
    solver = get_solver(name)
    if not is_own(solver):
        return ""
    try:
        function = solver.function
        walk = Walk(top_of(function.__module__))
        walk.add((function, [str(need) for need in solver.needs], solver.has_bound))
        return walk.hash.hexdigest()[:32]
    except (TypeError, ValueError, AttributeError, RecursionError):
        return secrets.token_hex(16)


class Walk:
    """The hash of values, through everything that they hold."""

    def __init__(self, home):
        self.home, self.hash, self.seen = home, hashlib.sha256(), {}

    def add(self, value):
        """Add one value."""
        kind = type(value)
        if kind in PLAIN:
            self.say(kind.__name__, repr(value))
            return
        if id(value) in self.seen:
            self.say("again", self.seen[id(value)][0])
            return
        self.seen[id(value)] = len(self.seen), value  # kept, so that its id stays its own
        if isinstance(value, types.ModuleType):
            self.say("module", value.__name__)
        elif kind in (tuple, list):
            self.say(kind.__name__, len(value), *value)
        elif kind in (set, frozenset):
            self.say(kind.__name__, *sorted(self.alone(part) for part in value))
        elif kind is dict:
            self.say("dict", len(value), *(part for item in value.items() for part in item))
        elif kind is np.ndarray and not value.dtype.hasobject:
            self.say("array", str(value.dtype), list(value.shape), value.tobytes())
        elif isinstance(value, types.CodeType):
            self.say("code", *(getattr(value, name) for name in CODE))
        elif isinstance(value, (types.BuiltinFunctionType, type, types.FunctionType)):
            self.add_named(value)
        else:
            self.say("object", kind, *parts_of(value))

    def say(self, kind, *parts):
        """Add the kind of a value, texts and numbers as they are, and its parts."""
        self.hash.update(f"{kind} {len(parts)};".encode())
        for part in parts:
            if isinstance(part, (str, int)):
                text = str(part).encode("utf-8", "surrogatepass")
                self.hash.update(f"{type(part).__name__} {len(text)}:".encode() + text)
            elif isinstance(part, bytes):
                self.hash.update(f"bytes {len(part)}:".encode() + part)
            else:
                self.add(part)

    def alone(self, value):
        """The hash of one value by itself, for sets, which have no order."""
        walk = Walk(self.home)
        walk.add(value)
        return walk.hash.hexdigest()

    def add_named(self, value):
        """Add a function or class: by its name if a library has it, else by its content."""
        self.say("named", value.__module__ or "", value.__qualname__)
        if isinstance(value, types.BuiltinFunctionType) or self.is_library(value.__module__):
            return
        if isinstance(value, type):
            own = {name: part for name, part in vars(value).items() if name not in UNUSED}
            self.say("class", value.__bases__, *(p for item in sorted(own.items()) for p in item))
            return
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        self.say("function", value.__code__, value.__defaults__, value.__kwdefaults__, cells)
        for name in sorted(names_in(value.__code__)):
            if name in value.__globals__ and not hasattr(builtins, name):
                self.say("global", name, value.__globals__[name])

    def is_library(self, module):
        """Whether a module comes with Python or was installed, other than the solver's own."""
        top = top_of(module)
        if top == self.home:
            return False
        file = getattr(sys.modules.get(module or ""), "__file__", None)
        installed = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
        return (
            top in sys.stdlib_module_names
            or top == "gmtoolbox"
            or file is not None
            and any(folder in Path(file).parents for folder in installed)
        )


def parts_of(value):
    """Return the parts of an object."""
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, (staticmethod, classmethod)):
        return (value.__func__,)
    if isinstance(value, types.MethodType):
        return value.__func__, value.__self__
    if isinstance(value, functools.cached_property):
        return (value.func,)
    if isinstance(value, types.MappingProxyType):
        return (dict(value),)
    if isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType)):
        return (value.__name__,)
    return value.__reduce_ex__(4)


def top_of(module):
    """The package that a module belongs to."""
    return (module or "").partition(".")[0]


def names_in(code):
    """The names that a function and those defined in it look up."""
    found = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            found |= names_in(part)
    return found
