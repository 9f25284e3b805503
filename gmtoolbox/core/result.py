"""The results of solving: BaseResult, and Result for one pair of graphs.

EditResult and MultiResult build on BaseResult as well. A field is kept by save, to_dict and == in
the way its `saved` mark says; see core/saved.py.
"""

import math
from dataclasses import dataclass, field, fields
from functools import cached_property

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.errors import InputError, suggest_field
from gmtoolbox.core.lazy import np, optional, upward
from gmtoolbox.core.saved import (
    FinalTrace,
    Saved,
    array,
    is_saved,
    names,
    trace_dtype,
    unsaved_field,
    without_clock,
)
from gmtoolbox.core.text import gap_text, markup, number, number_below, number_or_inf, seconds_text
from gmtoolbox.core.values import one_based

NOTHING_LATER = (), None, ()
ROOM = 0.1  # a gap beyond which a search that ended by itself says so
NO_BETTER = "No better matching was found, but the bound leaves room: the optimum may be up to"


def relative_gap(cost, bound, tolerance):
    """Return (cost - bound) / max(abs(cost), 1e9 tolerance), inf without a cost or a bound.

    cost and bound are minimised and go without the problem's offset; tolerance is
    Problem.tolerance. So neither adding a constant nor scaling changes a gap.
    """
    return lib.gm_relative_gap(cost, bound, tolerance)


def gap_closed(cost, bound, tolerance):
    """Return True if the gap counts as closed: the rule that kernels stop by, too."""
    return bool(lib.gm_gap_closed(cost, bound, tolerance))


def rounding_error(n_roundings, magnitude):
    """Return the error that n roundings may add to a bound whose terms have this magnitude: the one
    safety margin, derived in cext/src/base/rounding.h.
    """
    return lib.gm_rounding_error(float(n_roundings), float(magnitude))


@dataclass(kw_only=True, eq=False, repr=False)
class BaseResult(Saved):
    """Base of all results: value, bound, gap, status, time, trace, seed, and ways to save it.

    Attributes
    ----------
    value : float
        Of the answer on the original problem, in its own sense.
    bound : float
        Valid bound on the optimum; -inf (minimised) or +inf (maximised) without one.
    gap : float
        (cost - bound) / max(abs(cost), scale of costs), inf without a bound. Decided on
        costs without the problem's offset, so it does not follow from value and bound.
    status : str
        optimal, converged, time_limit, iteration_limit, interrupted or breakdown. optimal: cost -
        bound is at most Problem.tolerance, a billionth of the scale of costs, or the error that
        rounding may have cost.
    time : float
        Seconds that the caller waited.
    trace : numpy.ndarray
        Structured array (time, value, bound), improvements only.
    seed : int
        Runs the same again.
    sense : str
        "min" or "max".
    """

    value: float
    bound: float
    gap: float
    status: str
    time: float
    seed: int = 0
    sense: str = "min"
    trace: object = array(trace_dtype, default=None)

    def __post_init__(self):
        if self.trace is None:
            self.trace = np.empty(0, trace_dtype())

    def put_off(self, later):
        """Let the attributes of a Later be computed when one of them is first asked for."""
        for name in later.names:
            delattr(self, name)
        self.later = later

    def __getattr__(self, name):
        """Return an attribute that was put off."""
        names, make, given = self.__dict__.get("later", NOTHING_LATER)
        if name not in names:
            hint = suggest_field(name, self)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
        for other, value in zip(names, make(*given), strict=True):
            self.__dict__.setdefault(other, value)  # unless it was set meanwhile
        self.__dict__.pop("later", None)
        return self.__dict__[name]

    # ---- keeping

    def save(self, path):
        """Write the result; the suffix decides how, gm.load_result reads it back.

        .json .h5 .npz and .csv hold 0-based indices, -1 = unmatched; .mat has the 1-based labels
        of MATLAB, 0 = unmatched. Nothing is lost in any of them.

        Parameters
        ----------
        path : str or Path
            Name that ends in .json, .mat, .csv, .h5 or .npz.
        """
        upward("io.formats").save_file(self, path)

    def _plain_fields(self):
        """Return the fields for MATLAB: numbers as doubles, the trace as a matrix."""
        return {
            "value": float(self.value),
            "bound": float(self.bound),
            "gap": float(self.gap),
            "status": self.status,
            "time": float(self.time),
            "n_iter": float(self.n_iter),
            "trace": np.column_stack([self.trace[name] for name in ("time", "value", "bound")]),
            "method": self.method,
            "options": {name: value for name, value in self.options.items() if value is not None},
            "seed": float(self.seed),
        }

    # ---- for people

    def summary(self):
        """The answer in a few lines of text.

        Returns
        -------
        str
        """
        return "\n".join(f"{name:<8} {text}" for name, text in self.summary_rows())

    def summary_rows(self):
        """(name, text) of each line of the summary; a subclass adds its own."""
        proof = "no bound" if math.isinf(self.gap) else f"gap {gap_text(self.gap)}"
        aim = "minimised" if self.sense == "min" else "maximised"
        return [
            ("value", f"{number(self.value, 10)} ({aim})"),
            ("bound", "none" if math.isinf(self.bound) else number(self.bound, 10)),
            ("status", f"{self.status} ({proof})"),
            ("time", seconds_text(self.time)),
        ]

    def _repr_html_(self):
        """Return the summary as HTML for a notebook, with the trace behind a click."""
        rows = "".join(
            f"<tr><th style='text-align:left'>{markup(name)}</th>"
            f"<td style='text-align:left'>{markup(text)}</td></tr>"
            for name, text in self.summary_rows()
        )
        drawn = self._picture()
        if drawn is None:
            return f"<table>{rows}</table>"
        title = "<summary>value and bound over time</summary>"
        return f"<table>{rows}</table><details>{title}{drawn._repr_html_()}</details>"

    def _picture(self):
        """Return value and bound over time, None with fewer than two improvements."""
        if len(self.trace) < 2:
            return None
        return upward("plot").trace({getattr(self, "method", "value"): self.trace})

    def _repr_svg_(self):
        """Return the trace as SVG, if a notebook can draw it."""
        drawn = self._picture()
        return None if drawn is None else drawn._repr_svg_()

    # ---- comparison

    def __eq__(self, other):
        """The same answer, whatever the clock said."""
        if type(self) is not type(other):
            return NotImplemented
        ours, theirs = (without_clock(result.to_dict()) for result in (self, other))
        return ours == theirs

    __hash__ = None

    def __getstate__(self):
        return {f.name: getattr(self, f.name) for f in fields(self) if is_saved(f)}

    def __setstate__(self, state):
        defaults = {f.name: None for f in fields(self) if not is_saved(f)}
        self.__dict__.update({**defaults, **state})

    def __repr__(self):
        return f"<{type(self).__name__}: {self._figures()}>"

    def _figures(self):
        """Return value, bound, gap, status and time on one line."""
        return (
            f"value {number(self.value)}, bound {number_or_inf(self.bound)}, gap"
            f" {gap_text(self.gap)}, {self.status}, {seconds_text(self.time)}"
        )


BaseResult.trace = FinalTrace()


@dataclass(kw_only=True, eq=False, repr=False)
class Result(BaseResult):
    """A matching and everything needed to judge it and to run it again.

    In addition to the fields of BaseResult:

    Attributes
    ----------
    labels : numpy.ndarray
        (n1,) 0-based right node of each left node, -1 = unmatched.
    shape : tuple
        (n1, n2), the numbers of left and right nodes.
    solver_time : float
        Seconds of the method itself, after the transforms: the study's convention.
    n_iter : int
        Iterations of the method.
    method, options : str, dict
        Run the same again, with the seed.
    scores : numpy.ndarray or None
        (n1, n2) continuous matrix before rounding.
    extra : dict
        Facts of the method, e.g. a dual certificate.
    nodes1, nodes2 : tuple or None
        Names of the nodes, if the problem has them.
    """

    labels: object = array("int32")
    shape: tuple
    solver_time: float = None
    method: str
    options: dict = field(default_factory=dict)
    n_iter: int = 0
    scores: object = array("float64", default=None)
    extra: dict = field(default_factory=dict)
    nodes1: object = names(default=None)
    nodes2: object = names(default=None)
    # a function, weak: a result must not keep its problem alive
    problem: object = unsaved_field(default=None)

    def __post_init__(self):
        super().__post_init__()
        if self.solver_time is None:
            self.solver_time = self.time
        self.shape = tuple(int(n) for n in self.shape)

    @property
    def X(self):
        """(n1, n2) 0/1 matrix of the matching."""
        X = np.zeros(self.shape)
        X[tuple(self.pairs.T)] = 1.0
        return X

    @property
    def pairs(self):
        """(k, 2) array of the matched pairs, 0-based (left, right), in the order of the left nodes.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> gm.gm_solve([[1.0]]).pairs.tolist()
        [[0, 0]]
        """
        nodes = np.flatnonzero(self.labels >= 0)
        return np.column_stack([nodes, self.labels[nodes]]).astype(np.int64)

    @property
    def mapping(self):
        """{left node: right node} of the matched pairs, by name if the problem has names."""
        left, right = (
            list(range(n)) if known is None else known
            for n, known in zip(self.shape, (self.nodes1, self.nodes2), strict=True)
        )
        return {left[i]: right[s] for i, s in self.pairs.tolist()}

    def to_dataframe(self):
        """Return a pandas DataFrame with a row for each match: left and right node, by name if the
        problem has names, and the confidence if r.confidence was asked for before.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        pandas = optional("pandas", "to_dataframe")
        columns = {"left": list(self.mapping), "right": list(self.mapping.values())}
        if "confidence" in self.extra:
            columns["confidence"] = self.confidence[self.pairs[:, 0]]
        return pandas.DataFrame(columns)

    def plot(self, **options):
        """Draw the matching, if the problem that was solved still exists.

        Parameters
        ----------
        **options
            As of gm.plot.matching.

        Returns
        -------
        Picture

        Raises
        ------
        InputError
            If the problem is gone (the result was loaded, or the Problem, matrix or file was not
            kept) or has changed.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> p = gm.models.from_points([[0, 0], [1, 0], [0, 2]], [[1, 0], [0, 0], [0, 2]])
        >>> _ = gm.gm_solve(p).plot(title="three points").save("three.svg")
        """
        return upward("plot").matching(self._solved_problem("plot"), self, **options)

    @property
    def alternatives(self):
        """The next best matchings that gm_solve(..., n_best=k) found: dicts with labels and value,
        best first.
        """
        return [
            {**other, "labels": np.asarray(other["labels"], dtype=np.int32)}
            for other in self.extra.get("n_best", [])
        ]

    @property
    def confidence(self):
        """(n1,) for each matched node a valid lower bound on the cost of changing its match.

        Computed on first use, in up to ten seconds: by solving the problem without each pair and,
        if that takes long, from the duals of the exact method for all pairs at once (see
        gmtoolbox.changes). Kept in `extra`, so that it is saved as well. nan for unmatched nodes,
        inf if every matching has the pair. A value of 0 or less means that no useful bound was
        found; it is never below minus the gap of the result.

        Raises
        ------
        InputError
            If the problem is gone (the result was loaded, or the Problem, matrix or file was not
            kept) or has changed.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> p = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [-3.0, -1.0, -1.0, -2.0])
        >>> gm.gm_solve(p).confidence.tolist()
        [3.0, 2.0]
        """
        if "confidence" not in self.extra:
            problem = self._solved_problem("confidence")
            found = upward("changes").confidence(problem, self)
            self.extra["confidence"] = [None if np.isnan(sure) else sure for sure in found.tolist()]
        # None at a matched node was inf in files of 0.1
        found = np.array(
            [math.inf if sure is None else sure for sure in self.extra["confidence"]], dtype=float
        )
        return np.where(self.labels >= 0, found, np.nan)

    @cached_property
    def marginals(self):
        """(n1, n2) the estimated probability of each match, by perturb-and-MAP.

        Computed on first use, in up to about ten seconds: 200 problems with random changes of the
        unary costs are solved, and the share of their matchings that have a pair is its
        probability. Rows add up to at most 1; the rest is the probability that the node is
        unmatched. `gmtoolbox.marginals.estimate_marginals` has the formula, and takes the
        temperature if it is known; docs/results/marginals.md shows how well the probabilities
        are calibrated. They are not saved with the result.

        Raises
        ------
        InputError
            If the problem is gone or has changed, as for `confidence`.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> p = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [-3.0, 0.0, 0.0, -3.0])
        >>> gm.gm_solve(p).marginals.round(1)
        array([[1., 0.],
               [0., 1.]])
        """
        return upward("marginals").estimate_marginals(self._solved_problem("marginals"), self)

    def _solved_problem(self, wanted):
        """Return the Problem, as long as it or its source exists."""
        problem = None if self.problem is None else self.problem()
        if problem is None:
            raise InputError(
                f"{wanted} needs the Problem, which is gone: keep it in a variable (p = ...;"
                f" r = gm.gm_solve(p)) and ask r.{wanted} before the result is saved"
            )
        if problem.shape != self.shape or problem.energy(self.labels) != self.value:
            raise InputError(f"{wanted} needs the Problem as it was solved; it has changed since")
        return problem

    def summary_rows(self):
        n_matched = int(np.count_nonzero(self.labels >= 0))
        matched = f"{n_matched} of {self.shape[0]} left and {self.shape[1]} right nodes"
        rows = [("method", f"{self.method} (seed {self.seed})"), *super().summary_rows()]
        rows += [("matched", matched)]
        if n_matched and "confidence" in self.extra:
            rows.append(("weakest", self._weakest_match()))
        return rows + ([("note", self.message)] if self.message else [])

    def _weakest_match(self):
        """Return the match with the least confidence, and the median over all matches."""
        sure = self.confidence
        i, middle = int(np.nanargmin(sure)), float(np.nanmedian(sure))
        pair = f"{i} to {self.labels[i]}"
        least, median = number_below(sure[i]), number(middle, 4)
        return f"{pair}: changing it costs at least {least} (median {median})"

    @property
    def message(self):
        """A sentence if the answer needs one: nothing is matched, or a search that ended by itself
        is far from its bound.
        """
        if np.any(self.labels >= 0):
            has_room = self.status == "converged" and ROOM < self.gap < math.inf
            return f"{NO_BETTER} {gap_text(self.gap)} better." if has_room else ""
        if self.status == "optimal":
            return (
                "Nothing matched is the proven optimum: every match costs more than it saves."
                " Lower the costs of pairs, or ask for complete=True."
            )
        return (
            f"{self.method} ended with nothing matched: partial matchings are allowed and no pair"
            " it looked at paid for itself. method='auto' also proves whether one does;"
            " complete=True matches every node of the smaller side."
        )

    def to_matlab(self):
        """1-based labels (0 = unmatched) and plain arrays, as the MATLAB side wants them."""
        return {
            "labels": one_based(self.labels),
            "X": self.X,
            **self._plain_fields(),
            "sense": self.sense,
            "shape": np.array([self.shape], dtype=float),
            "scores": np.zeros((0, 0)) if self.scores is None else np.asarray(self.scores),
            "extra": {
                name: self.confidence if name == "confidence" else value
                for name, value in self.extra.items()
                if value is not None
            },
        }

    def __repr__(self):
        return f"<Result {self.method}: {self._figures()}, {self.n_iter} iterations>"
