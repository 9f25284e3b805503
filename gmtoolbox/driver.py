"""gm_solve: any description of a problem to a Problem, the pipeline's Answer to a Result."""

import time
import weakref
from dataclasses import replace
from pathlib import Path

import gmtoolbox.engine.alternatives as alternatives
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import Result
from gmtoolbox.core.values import as_array
from gmtoolbox.engine.limits import accept_rng
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.io.formats import load_file

ONE_PROBLEM = (
    "gm_solve takes one problem and one method: make the problem of two graphs with"
    " gm.models.from_graphs(G, H), of two point sets with gm.models.from_points(P, Q), then"
    " gm_solve(problem)"
)


@accept_rng
def gm_solve(
    problem,
    method=DEFAULT_METHOD,
    *,
    time_limit=None,
    seed=0,
    init=None,
    shape=None,
    Ct=None,
    sense=None,
    complete=None,
    progress=None,
    n_best=None,
    **options,
):
    """Match two graphs. If a matrix K is given, it is an affinity and is maximised; files and
    Problems keep their own sense.

    Parameters
    ----------
    problem : Problem, path of a file, or matrix
        A matrix K, dense or scipy.sparse, is square with n1 * n2 rows; the match of left node i to
        right node s has row i + n1 * s. gm.models makes Problems of two graphs or point sets.
    method : str or function
        A name that gm_methods() lists, or a function of one's own: see gm.solver.
    time_limit : float, optional
        Wall seconds for everything after loading; the best answer so far is returned.
    seed : int
        Number that fixes the random choices of the method.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once; the result stores the drawn seed.
    init : array, optional
        Labels to start from, for methods that can use them.
    shape, Ct : (int, int) and (n1, n2) 0/1 mask of allowed pairs, optional
        For a bare K (shape also for a .mat file with just a K). Without them n1 = n2; if the
        entries speak against that, a ShapeWarning says so.
    sense : "max" or "min", optional
        For a bare K, or a .mat file that does not state it: "min" if it holds costs. Without it K
        is an affinity; if it has negative entries, a SenseWarning says so.
    complete : bool, optional
        Every node of the smaller side must be matched. Default: True for a bare K, else as the
        problem says.
    progress : True, "verbose" or function, optional
        True: a live line on the terminal or in the notebook; "verbose": a line for each
        improvement. A function is called with ((time, value, bound), labels or None, iteration) at
        every improvement. Methods that round only their last iterate report roundings on the way,
        and last the answer, which can be worse than one of these.
    n_best : int, optional
        Find this many of the best matchings, with the exact method, for small problems: the others
        are in the answer's `alternatives`, fewer if there are no more. `init` and `progress` are
        those of the first solve, which finds the best matching. Seeds of a partial problem are
        rewards, so the others may lack one of them, and its reward; problem.fix(pairs) excludes
        such matchings.
    **options
        Options of the method: gm_methods("rrwm")[0].options lists those of rrwm.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the problem, the method or an option is invalid.
    InfeasibleError
        If complete matchings are asked for and there is none.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> K = np.diag([1.0, 5.0, 5.0, 1.0])
    >>> r = gm.gm_solve(K)
    >>> r.labels.tolist(), r.value, r.status
    ([1, 0], 10.0, 'optimal')
    """
    is_name = isinstance(method, str)  # also NumPy's, which have a shape
    is_second = hasattr(method, "shape") or hasattr(method, "adj")
    if not is_name and (is_second or isinstance(method, (Problem, list))):
        raise InputError(ONE_PROBLEM)
    original = as_problem(problem, shape, Ct, sense, complete)
    if n_best is None:
        with Budget(time_limit, seed) as budget:
            answer = solve_matching(budget, original, method, init, progress, options)
        result = make_result(original, answer)
    else:
        first = {"init": init, "progress": progress}
        result = solve_n_best(original, method, n_best, time_limit, first, seed=seed, **options)
    if original is not problem:
        if not isinstance(problem, Problem):
            sense = original.sense  # a guess is not repeated
        result.problem = find_again(
            original, problem, shape=shape, Ct=Ct, sense=sense, complete=complete
        )
    return result


def find_again(original, given, **named):
    """Return a function that makes the Problem again from the input of gm_solve, or None if that
    is gone: a result keeps neither alive. A file or matrix that has changed is refused.
    """
    if isinstance(given, (str, Path)):
        path = Path(given).absolute()
        find = lambda: path if path.exists() else None
    else:
        try:
            find = weakref.ref(given)
        except TypeError:  # a list
            return None
    known = fingerprint(original)

    def make_again():
        problem = None if find() is None else as_problem(find(), **named)
        if problem is not None and fingerprint(problem) != known:
            raise InputError("the Problem is needed as it was solved; it has changed since")
        return problem

    return make_again


def solve_on_solver_clock(problem, method, *, time_limit=None, seed=0, progress=None, init=None,
                          **options):  # fmt: skip
    """Solve as gm_solve, measured as in the study: the limit, the trace and the progress count from
    the end of the transforms. Result.time is still the time that the caller waited.
    """
    problem = as_problem(problem)
    with Budget(time_limit, seed) as budget:
        answer = solve_matching(budget, problem, method, init, progress, options, True)
    return make_result(problem, answer)


def make_result(problem, answer):
    """Return the Result of an Answer about a Problem."""
    return answer.result(
        Result,
        shape=problem.shape,
        nodes1=problem.nodes1,
        nodes2=problem.nodes2,
        problem=weakref.ref(problem),
    )


def solve_n_best(problem, method, k, time_limit, first, **settings):
    """Return the best of the k best matchings; it holds the others. See engine.alternatives."""
    if not isinstance(method, str) or method != DEFAULT_METHOD:
        raise InputError(f"n_best goes with method {DEFAULT_METHOD!r}, not with {method!r}")
    begin = time.perf_counter()
    found = alternatives.find_n_best(gm_solve, problem, k, time_limit, first, **settings)
    (labels, best, _), rest = found[0], found[1:]
    others = [
        {"labels": other.tolist(), "value": problem.energy(other), "status": status}
        for other, _, status in rest
    ]
    return replace(
        best,
        labels=labels,
        time=time.perf_counter() - begin,
        extra={**best.extra, "n_best": others},
        problem=weakref.ref(problem),
    )


def as_problem(problem, shape=None, Ct=None, sense=None, complete=None):
    """Return whatever gm_solve takes as a Problem."""
    if isinstance(problem, (str, Path)):
        if Ct is not None:
            raise InputError("Ct goes with a matrix K only, not with a file")
        return load_file(problem, complete=complete, sense=sense, shape=shape)
    if hasattr(problem, "adj") and hasattr(problem, "nodes"):
        raise InputError(ONE_PROBLEM)
    if isinstance(problem, MultiProblem):
        raise InputError("gm_solve takes a problem of two graphs: gm_solve_multi(m) takes many")
    if isinstance(problem, Problem):
        for name, value in (("shape", shape), ("Ct", Ct), ("sense", sense)):
            if value is not None:
                raise InputError(f"{name} goes with a matrix K or a file, not with a Problem")
        return problem if complete is None else replace(problem, complete=complete)
    if not hasattr(problem, "dtype") and as_array("K", problem).dtype.kind in "OSU":
        many = "; gm_solve_many takes a list of them" if isinstance(problem, (list, tuple)) else ""
        raise InputError(
            "gm_solve takes a Problem, the path of a file, or a square matrix K of numbers, got"
            f" {type(problem).__name__}{many}"
        )
    return Problem.from_matrix(
        problem,
        shape=shape,
        Ct=Ct,
        sense=sense,
        complete=True if complete is None else complete,
    )
