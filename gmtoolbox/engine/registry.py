"""The one list of methods. A solver file adds itself with the decorator; nothing else names
methods.
"""

import inspect
import textwrap
from dataclasses import dataclass, replace
from functools import cache

from gmtoolbox.core.errors import (
    InputError,
    OptionError,
    UnknownMethodError,
    did_you_mean,
    phrase,
    suggest_model,
    suggest_name,
)
from gmtoolbox.core.lazy import np
from gmtoolbox.core.plugins import import_modules, load_plugins
from gmtoolbox.core.text import markup, table
from gmtoolbox.engine.advice import rank_methods
from gmtoolbox.engine.options import options_of
from gmtoolbox.engine.outcome import Outcome, as_outcome

__all__ = ["Outcome", "Solver", "get_solver", "gm_methods", "solver"]

ENTRY_POINT_GROUP = "gmtoolbox.solvers"
DEFAULT_METHOD = "auto"  # of every function that solves without a given method
EXACT_METHOD = "aj"  # the one that proves optima of any problem
GREEDY_METHOD = "fm"  # its first iteration is a greedy matching, used if time is short
BOUNDED_METHOD = "fm-bca"  # quick, for listed pair costs; stops when its bound meets its value
TWO_MATRICES_METHOD = "faq"  # quick, for two matrices; takes a start
# arguments of gm_solve, which people look for among the options
ARGUMENTS = ("time_limit", "seed", "init", "sense", "complete", "progress", "n_best")
HEADINGS = ("method", "family", "bound", "summary")
_registered = {}


@dataclass(frozen=True, repr=False)
class Solver:
    """One method: its name, needs and promises, and the function that runs it."""

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
    kernel: object = None  # (seed, **options) -> kernel for gm_solve_many, or None
    without_kernel: object = None  # problem -> whether the method solves it without its kernel
    restart: dict = None  # options of all runs but the first with restarts=; None: it takes none

    def __repr__(self):
        return f"<Solver {self.name}: {self.summary}>"

    def check(self, given):
        """Return all options with their values: given ones checked, the others by default."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                arguments = [argument for argument in ARGUMENTS if argument != name]
                hint = suggest_model(name) or suggest_name(name, [*known, *arguments, "method"])
                raise OptionError(
                    f"method {self.name!r} has no option {name!r}{hint}; it"
                    f" has: {', '.join(known) or 'none'}"
                )
        return {
            name: option.check(given[name], self.name) if name in given else option.default
            for name, option in known.items()
        }

    def run(self, problem, budget, **arguments):
        """The Outcome of the function; an own one may take the problem alone and return labels."""
        if not is_own(self):
            # a division by 0 or an overflow ends in a status, 'breakdown', not in numpy's warnings
            with np.errstate(all="ignore"):
                return self.function(problem, budget, **arguments)
        given = (problem, budget) if takes_budget(self.function) else (problem,)
        outcome = as_outcome(self.name, problem, self.function(*given, **arguments))
        if max(outcome.bound, budget.bound) > float("-inf") and not self.has_bound:
            raise InputError(
                f"method {self.name!r} reports a bound; register it with has_bound=True if all its"
                " bounds are valid"
            )
        return outcome


def solver(
    name,
    *,
    family="own",
    paper="",
    needs=(),
    has_bound=False,
    dual_based=None,
    matrix_free=False,
    chooses=False,
    presets=None,
    kernel=None,
    without_kernel=None,
    restart=None,
):
    """Register the decorated function under `name`, and once more for each preset.

    The function takes (problem, budget) or, outside this package, the problem alone; its
    keyword-only arguments are its options. It returns an Outcome, or labels, or scores. Decorating
    again (running a notebook's cell once more) replaces it; the names of this package's methods are
    taken.

    Parameters
    ----------
    name, family, paper : str
        Its name, kind and publication.
    needs : tuple
        Transforms that the driver applies to a problem first: BIJECTIVE, NONPOSITIVE, ...
    has_bound : bool
        It can prove how good its answer is.
    dual_based : bool
        It searches for a bound, rather than having one by the way; default: has_bound.
    matrix_free : bool
        Of K it uses products K @ x only, so that the edges need not be listed.
    chooses : bool
        It only decides which other method runs.
    presets : dict
        Further names, each with option values that become that method's defaults.
    kernel : function
        (seed, **options) -> (name of a C kernel, iteration limit, fields of its options), or None
        if these options need more: gm_solve_many then runs it in C.
    without_kernel : function
        problem -> whether the method solves it in another way than by this kernel.
    restart : dict
        The answer depends on the seed, so that gm_solve_many takes restarts=R; all runs but the
        first have these options.

    Returns
    -------
    function
        The decorator, which returns the function as it is.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> @gm.solver("cheapest-pair")
    ... def cheapest_pair(problem):
    ...     '''Match the cheapest pair only.'''
    ...     k = np.argmin(problem.cost)
    ...     labels = np.full(problem.shape[0], -1)
    ...     labels[problem.left[k]] = problem.right[k]
    ...     return labels
    >>> p = gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -5.0])
    >>> gm.gm_solve(p, "cheapest-pair").labels.tolist()
    [-1, 1]
    """

    def register(function):
        ours = function.__module__.startswith("gmtoolbox.")
        if not ours:
            _discover_ours()  # so that a name that is taken is known
        options = options_of(function, strict=ours)
        if ours and "maxiter" not in {option.name for option in options}:
            raise TypeError(f"solver {name!r} needs a 'maxiter' option")
        summary = summary_of(function)
        takes_init = "init" in (function.__kwdefaults__ or {})
        for method, values in {name: {}, **(presets or {})}.items():
            chosen = tuple(
                replace(option, default=values.get(option.name, option.default))
                for option in options
            )
            made = Solver(
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
                kernel,
                without_kernel,
                restart,
            )
            adopt(made)
        return function

    return register


def adopt(made):
    """Put a Solver into the list. An own one may be replaced, one of this package may not."""
    known = _registered.get(made.name)
    if known is not None and known.function is not made.function and not is_own(known):
        raise InputError(f"{made.name!r} is a method already; give yours another name")
    _registered[made.name] = made


def is_own(made):
    """Whether a solver comes from outside this package."""
    return not made.function.__module__.startswith("gmtoolbox.")


def takes_budget(function):
    """Whether a solver function takes (problem, budget), not the problem alone."""
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in positional for parameter in parameters) >= 2


def summary_of(function):
    """The first paragraph of the docstring on one line."""
    paragraph = (function.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(paragraph.split())


def solver_of(function):
    """The Solver of a function: the one it was registered as, or one made for the occasion."""
    _discover()
    for known in _registered.values():
        if known.function is function:
            return known
    name = getattr(function, "__name__", "") or type(function).__name__
    takes_init = "init" in (getattr(function, "__kwdefaults__", None) or {})
    options = options_of(function, strict=False)
    return Solver(name, function, "own", "", (), False, options, summary_of(function), takes_init)


@cache
def _discover_ours():
    """Import every solver of this package, once."""
    import_modules("gmtoolbox.solvers")


@cache
def _discover():
    """Import the plug-ins, too, once."""
    _discover_ours()
    load_plugins(ENTRY_POINT_GROUP, _registered)


class Methods(list):
    """Solvers that print as a table of 80 columns; notes, if given, instead of summaries, below a
    sentence about their source.
    """

    def __init__(self, solvers, notes=None, reason=""):
        super().__init__(solvers)
        self.notes = notes
        self.reason = reason

    def texts(self):
        """Return (text, ending) about each."""
        if self.notes is not None:
            return [(note, "") for note in self.notes]
        return [(method.summary, preset(method)) for method in self]

    def headings(self):
        """Return the headings of the table."""
        return HEADINGS if self.notes is None else (*HEADINGS[:3], "measured")

    def __repr__(self):
        facts = [[m.name, m.family, "yes" if m.has_bound else ""] for m in self]
        room = 80 - sum(
            2 + max(map(len, column)) for column in zip(HEADINGS[:3], *facts, strict=True)
        )
        rows = [
            [*fact, shorten_summary(text, ending, room)]
            for fact, (text, ending) in zip(facts, self.texts(), strict=True)
        ]
        above = textwrap.fill(self.reason, 80) + "\n\n" if self.reason else ""
        return above + table(self.headings(), rows, texts=4)

    def _repr_html_(self):
        """The table for notebooks."""

        def row(cells, tag):
            return "".join(f"<{tag} style='text-align:left'>{markup(c)}</{tag}>" for c in cells)

        body = "".join(
            f"<tr>{row((m.name, m.family, 'yes' if m.has_bound else '', text + ending), 'td')}</tr>"
            for m, (text, ending) in zip(self, self.texts(), strict=True)
        )
        above = f"<p>{markup(self.reason)}</p>" if self.reason else ""
        return f"{above}<table><tr>{row(self.headings(), 'th')}</tr>{body}</table>"


def shorten_summary(summary, ending, room):
    """A summary in the given room, the ending whole."""
    return textwrap.shorten(summary, max(room - len(ending), 12), placeholder="...") + ending


def preset(method):
    """The options that a method sets otherwise than the one it is a variant of."""
    usual = method.function.__kwdefaults__ or {}
    changed = [
        f"{option.name}={option.default}"
        for option in method.options
        if option.default != usual.get(option.name)
    ]
    return f" [{', '.join(changed)}]" if changed else ""


def gm_methods(problem=None):
    """Every registered method, sorted by name; with a problem those that suit it, best first.

    Parameters
    ----------
    problem : Problem or str, optional
        The name of a method gives that one alone. With a Problem the table shows how close to the
        best each method came on the most similar of the measured problems, and about how long it
        took: see docs/choosing.md. The sentence above it, .reason, names that problem; if the given
        one is larger than all of its family, it says so.

    Returns
    -------
    list of Solver
        Records with name, family, paper, needs, has_bound, dual_based, matrix_free, chooses,
        options and summary; printed, they are a table.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> [method.name for method in gm.gm_methods() if method.family == "fusion"]
    ['fm', 'fm-bca']
    """
    _discover()
    known = [_registered[name] for name in sorted(_registered)]
    if problem is None:
        return Methods(known)
    if isinstance(problem, str):
        return Methods([get_solver(problem)])
    found, reason = rank_methods(known, problem)
    return Methods([method for method, _ in found], [note for _, note in found], reason)


def get_solver(name):
    """The Solver of a name or of a function."""
    if isinstance(name, Solver):
        return name
    if callable(name):
        return solver_of(name)
    _discover()
    if not isinstance(name, str) or name not in _registered:
        listing = phrase("gm_methods()", "gm_methods()", "`gmtoolbox methods`")
        raise UnknownMethodError(
            f"unknown method {name!r}{did_you_mean(name, _registered)}; {listing} lists all"
            f" {len(_registered)}"
        )
    return _registered[name]
