"""The one list of methods. A solver file adds itself with the decorator; nothing else names
methods.
"""

import pkgutil
import warnings
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module, metadata

from gmtoolbox.core.errors import UnknownMethodError, did_you_mean
from gmtoolbox.engine.options import check_options, options_of

ENTRY_POINT_GROUP = "gmtoolbox.solvers"
DEFAULT_METHOD = "auto"  # of everything that is asked to solve without being told how
_registered = {}


@dataclass(frozen=True, repr=False)
class Solver:
    """One method: what it is called, what it needs, what it promises, and the function that runs
    it.
    """

    name: str
    function: object
    family: str
    paper: str
    needs: tuple
    has_bound: bool
    options: tuple
    summary: str
    takes_init: bool
    dual_based: bool = False  # searches for a bound; the study tables these apart from primal ones
    matrix_free: bool = False  # of K it uses products K @ x only: edges need not be listed
    chooses: bool = False  # only decides which other method runs

    def __repr__(self):
        return f"<Solver {self.name}: {self.summary}>"

    def check(self, given):
        return check_options(self.options, given, self.name)


@dataclass
class Outcome:
    """What a solver function returns; the driver rounds, lifts, scores and times.

    Give labels (a matching of the problem the solver saw) or scores (a vector over its candidates,
    or a whole matrix), or both; status only when it is not what the budget says; options where the
    method decided about some of its own, so that Result.options runs the same again.
    """

    labels: object = None
    scores: object = None
    bound: float = float("-inf")
    n_iter: int = 0
    status: str = None
    options: dict = None
    extra: dict = None


def solver(
    name,
    *,
    family,
    paper,
    needs=(),
    has_bound=False,
    dual_based=None,
    matrix_free=False,
    chooses=False,
    presets=None,
):
    """Register the decorated function under `name`, and once more for each preset.

    Parameters
    ----------
    name, family, paper : str
        What it is called, what kind of method it is, and who published it.
    needs : tuple
        What the driver must make of a problem first: BIJECTIVE, NONPOSITIVE, ...
    has_bound : bool
        It can prove how good its answer is.
    dual_based : bool
        It searches for a bound, where one is not just there by the way; default: has_bound.
    matrix_free : bool
        Of K it uses products K @ x only, so that the edges need not be listed.
    chooses : bool
        It only decides which other method runs.
    presets : dict
        Further names, each with option values that become that method's defaults.
    """

    def register(function):
        options = options_of(function)
        if "maxiter" not in {option.name for option in options}:
            raise TypeError(f"solver {name!r} needs a 'maxiter' option")
        summary = (function.__doc__ or "").strip().split("\n")[0]
        takes_init = "init" in function.__kwdefaults__
        for method, values in {name: {}, **(presets or {})}.items():
            if method in _registered and _registered[method].function is not function:
                raise ValueError(f"two solvers are called {method!r}")
            chosen = tuple(
                replace(option, default=values.get(option.name, option.default))
                for option in options
            )
            _registered[method] = Solver(
                method,
                function,
                family,
                paper,
                tuple(needs),
                has_bound,
                chosen,
                summary,
                takes_init,
                has_bound if dual_based is None else dual_based,
                matrix_free,
                chooses,
            )
        return function

    return register


@cache
def _discover():
    package = import_module("gmtoolbox.solvers")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            import_module(f"gmtoolbox.solvers.{module.name}")
    for entry in metadata.entry_points(group=ENTRY_POINT_GROUP):
        before = dict(_registered)
        try:
            entry.load()
        except (Exception, SystemExit) as error:  # somebody else's code: everything else goes on
            _registered.clear()
            _registered.update(before)  # half a plug-in is none
            warnings.warn(
                f"plug-in {entry.name!r} ({entry.value}) cannot be loaded and is left out:"
                f" {type(error).__name__}: {error}",
                stacklevel=2,
            )


def gm_methods():
    """Every registered method, sorted by name: records with name, family, paper, needs, has_bound,
    dual_based, matrix_free, chooses, options.
    """
    _discover()
    return [_registered[name] for name in sorted(_registered)]


def get_solver(name):
    _discover()
    if name not in _registered:
        raise UnknownMethodError(
            f"unknown method {name!r}{did_you_mean(name, _registered)}; gm_methods() lists all"
            f" {len(_registered)}"
        )
    return _registered[name]
