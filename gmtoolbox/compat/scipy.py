"""Quadratic assignment with the signature of SciPy, proven if possible."""

from collections.abc import Mapping

from gmtoolbox.core.errors import InputError, OptionError, suggest_name
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import show
from gmtoolbox.core.values import as_numbers, check_flag
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.limits import draw_seed
from gmtoolbox.engine.registry import DEFAULT_METHOD, get_solver
from gmtoolbox.models import from_koopmans_beckmann
from gmtoolbox.models.koopmans_beckmann import check_square
from gmtoolbox.models.seeds import check_seeds

SWAPS = "2opt"  # of SciPy: swaps of two nodes while they help
SCIPY_DEFAULT = "faq"
STARTS = {"barycenter": "barycenter", "randomized": "random"}  # P0 -> start
OPTIONS = (  # of every method
    "maximize", "partial_match", "partial_guess", "P0", "rng", "shuffle_input", "time_limit",
    "progress", "seed",
)  # fmt: skip
FIXED = ("Ct", "complete", "init", "n_best", "sense", "shape")  # arguments of gm_solve, not options


def quadratic_assignment(A, B, method=DEFAULT_METHOD, options=None):
    """Permute the nodes of B so that the products with A have the smallest sum.

    .. math:: \\min_p \\sum_{i,j} A_{ij}\\, B_{p(i)\\,p(j)}

    The call is that of `scipy.optimize.quadratic_assignment`. The default method searches further
    and proves small problems; "faq" is the same idea as SciPy's "faq", and "2opt" another name of
    the default, which swaps nodes like SciPy's and goes on at local optima.

    Parameters
    ----------
    A, B : (n, n) matrices, dense or scipy.sparse
    method : str
        A name that gm_methods() lists, or "2opt".
    options : dict, optional
        maximize: maximise the sum instead (graph matching). partial_match: (m, 2) pairs of nodes
        of A and B that are matched in any case. partial_guess: (n, 2) pairs to start from, one for
        every node. P0: "barycenter" or "randomized", for a method with a `start`; or a permutation
        matrix of the nodes that partial_match leaves, to start from; other doubly stochastic
        matrices are refused. rng: int or numpy.random.Generator; without it the seed is 0.
        time_limit, progress, seed: as in gm_solve. Every other option goes to the method: maxiter
        and tol have the meaning that gm_methods() lists.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With col_ind, fun and nit as SciPy has them, and status, bound, gap, time and message as a
        Result has them: status "optimal" is a proof.

    See Also
    --------
    gm_solve : all other problems.
    models.from_koopmans_beckmann : matrices of two sizes, costs of single pairs.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> A = [[0, 80, 150, 170], [80, 0, 130, 100], [150, 130, 0, 120], [170, 100, 120, 0]]
    >>> B = [[0, 5, 2, 7], [0, 0, 3, 8], [0, 0, 0, 3], [0, 0, 0, 0]]
    >>> r = gm.quadratic_assignment(A, B)
    >>> r.col_ind.tolist(), r.fun, r.status
    ([0, 3, 2, 1], 3260.0, 'optimal')
    """
    from scipy.optimize import OptimizeResult

    method = DEFAULT_METHOD if isinstance(method, str) and method == SWAPS else method
    given = check_options(options, method)
    maximize = check_flag("maximize", given.pop("maximize", False))
    A, B = check_square("A", A), check_square("B", B)
    if A.shape != B.shape:
        raise InputError(f"A and B must have the same shape, got {A.shape} and {B.shape}")
    n = A.shape[0]
    fixed = as_pairs("partial_match", given.pop("partial_match", None), (n, n))
    problem = from_koopmans_beckmann(A, B, sense="max" if maximize else "min")
    rest = problem.fix(fixed) if len(fixed) else None
    given.update(start_of(given, method, n, fixed, rest))
    r = gm_solve(problem if rest is None else rest.problem, method, **given)
    labels = r.labels if rest is None else rest.lift(r.labels)
    return OptimizeResult(
        col_ind=np.asarray(labels, dtype=np.int64),
        fun=r.value,
        nit=r.n_iter,
        status=r.status,
        bound=r.bound,
        gap=r.gap,
        time=r.time,
        message=r.message,
    )


def check_options(options, method):
    """Return a copy of the options with SciPy's rng as a seed; refuse those without a meaning."""
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"options must be a dict, got {show(options)}")
    given = dict(options or {})
    check_names(given, method)
    for name in FIXED:
        if name in given:
            raise InputError(f"options must not contain {name!r}: a permutation of B is searched")
    if check_flag("shuffle_input", given.pop("shuffle_input", False)):
        raise InputError("shuffle_input must be False: ties are not broken by the order of nodes")
    rng = given.pop("rng", None)
    if rng is not None:
        if "seed" in given:
            raise InputError("rng is given, and seed as well: only one of them can be used")
        given["seed"] = draw_seed(rng)
    return given


def check_names(given, method):
    """Refuse an option that neither SciPy nor the method has."""
    if not isinstance(method, str):
        return
    known = [*OPTIONS, *(option.name for option in get_solver(method).options)]
    for name in given:
        if name not in known and name not in FIXED:
            hint = suggest_name(str(name), known) or suggest_method(name)
            raise OptionError(f"options must not contain {name!r}{hint}")


def suggest_method(name):
    """' (it is an option of method 'faq')' for an option of SciPy's default method, or ''."""
    is_known = any(option.name == name for option in get_solver(SCIPY_DEFAULT).options)
    return f" (it is an option of method {SCIPY_DEFAULT!r})" if is_known else ""


def as_pairs(name, pairs, shape):
    """Return (m, 2) one-to-one pairs of indices below those of the shape; none for None."""
    if pairs is None or np.size(pairs) == 0:
        return np.zeros((0, 2), np.int64)
    return check_seeds(pairs, shape, name).T


def start_of(given, method, n, fixed, rest):
    """Take P0 and partial_guess out of `given`; return the arguments of gm_solve for them."""
    P0, guess = given.pop("P0", None), given.pop("partial_guess", None)
    if P0 is None and guess is None:
        return {}
    if P0 is not None and guess is not None:
        raise InputError("P0 is given, and partial_guess as well: only one of them can be used")
    if isinstance(P0, str):
        return {"start": start_named(P0, method, given)}
    if P0 is not None:
        return {"init": labels_of_permutation(P0, n - len(fixed))}
    pairs = as_pairs("partial_guess", guess, (n, n))
    if len(pairs) < n:
        raise InputError(f"partial_guess must have a pair for all {n} nodes, got {len(pairs)}")
    labels = np.empty(n, np.int64)
    labels[pairs[:, 0]] = pairs[:, 1]
    if np.any(labels[fixed[:, 0]] != fixed[:, 1]):
        raise InputError("partial_guess must contain the pairs of partial_match")
    return {"init": labels if rest is None else rest.lower(labels)}


def start_named(P0, method, given):
    """Return the option `start` for one of SciPy's names of first points."""
    if P0 not in STARTS:
        raise InputError(f"P0 must be a matrix or one of {', '.join(STARTS)}, got {P0!r}")
    choices = [option.rule for option in get_solver(method).options if option.name == "start"]
    if not choices or not choices[0].holds(STARTS[P0]):
        raise InputError(f"P0 = {P0!r} is a start of faq; method {method!r} chooses its own")
    if "start" in given:
        raise InputError("P0 is given, and start as well: only one of them can be used")
    return STARTS[P0]


def labels_of_permutation(P0, m):
    """Return the labels of an (m, m) permutation matrix."""
    P0 = as_numbers("P0", P0)
    is_binary = P0.shape == (m, m) and np.all((P0 == 0) | (P0 == 1))
    if not (is_binary and np.all(P0.sum(0) == 1) and np.all(P0.sum(1) == 1)):
        raise InputError(f"P0 must be a name or a {m} x {m} permutation matrix of 0 and 1")
    return P0.argmax(1)
