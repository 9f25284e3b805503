"""Gradients through a solver: learn the costs of problems from how they should be matched."""

from typing import NamedTuple

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_numbers, freeze
from gmtoolbox.many import gm_solve_many


class Gradient(NamedTuple):
    """The gradient of a loss with respect to the costs of one problem.

    Attributes
    ----------
    cost : numpy.ndarray
        (n_candidates,) with respect to problem.cost.
    edge_cost : numpy.ndarray
        (n_edges,) with respect to problem.edge_cost.
    """

    cost: object
    edge_cost: object


def blackbox_gradient(problems, results, grad_labels, lam, *, n_jobs=1, method=None, **options):
    """The gradient of a loss through the solver, by one more solve of each problem.

    A matching does not change with small changes of the costs, so that its true gradient is zero
    almost everywhere. The loss of the matching is therefore replaced by a piecewise linear function
    of the costs that meets it at the given costs [1]_. With x the matching of the costs c, g the
    gradient of the loss with respect to x, and x' the matching of the costs c + lam g, the gradient
    of that function with respect to c is (x' - x) / lam; pairs of candidates likewise, for the
    costs of edges. BB-GM [2]_ learns with it.

    Parameters
    ----------
    problems : list of Problem
    results : list of Result
        The answers of gm_solve or gm_solve_many.
    grad_labels : list of arrays
        For each problem the gradient of the loss with respect to the matching: (n1, n2), for the
        0/1 matrix result.X, or (n_candidates,), for its entries at the candidates.
    lam : float
        How far costs are moved along g; about as large as costs are. Larger ones see further and
        approximate the loss less closely.
    n_jobs : int
        Threads, as in gm_solve_many.
    method : str or function, optional
        Default: each problem's own, with the options and the seed of its result.
    **options
        Further arguments of gm_solve_many: a time_limit, or, with a method, its options.

    Returns
    -------
    list of Gradient
        With `cost` and `edge_cost`, in the order of the problem's own arrays, which are costs (of a
        maximised problem, the negatives of its affinities).

    Raises
    ------
    InputError
        If the lists differ in length, a gradient has another shape, or lam is not positive.

    References
    ----------
    .. [1] Vlastelica, Paulus, Musil, Martius and Rolinek: Differentiation of blackbox combinatorial
       solvers, ICLR 2020.
    .. [2] Rolinek, Swoboda, Zietlow, Paulus, Musil and Martius: Deep graph matching via blackbox
       differentiation of combinatorial solvers, ECCV 2020.

    Examples
    --------
    The matching should be (0, 1), and the loss counts wrong pairs:

    >>> import gmtoolbox as gm, numpy as np
    >>> left, right, cost = [0, 1, 0, 1], [0, 0, 1, 1], [0.0, -1.0, -1.0, 0.0]
    >>> p = gm.Problem((2, 2), left, right, cost, complete=True)
    >>> r = gm.gm_solve(p)
    >>> r.labels.tolist()
    [1, 0]
    >>> wrong = 1.0 - 2.0 * np.eye(2)
    >>> (g,) = gm.blackbox_gradient([p], [r], [wrong], lam=2.0)
    >>> g.cost.tolist()
    [0.5, -0.5, -0.5, 0.5]

    Costs of the right pairs go down when this gradient is followed, those of the others up.
    """
    problems, results, grad_labels = list(problems), list(results), list(grad_labels)
    if not len(problems) == len(results) == len(grad_labels):
        raise InputError(
            "problems, results and grad_labels must have one length, got"
            f" {len(problems)}, {len(results)} and {len(grad_labels)}"
        )
    if not np.isfinite(lam) or lam <= 0:
        raise InputError(f"lam must be positive and finite, got {lam!r}")
    moved = [
        perturb(k, problem, gradient, lam)
        for k, (problem, gradient) in enumerate(zip(problems, grad_labels, strict=True))
    ]
    answers = solve_alike(moved, results, method, {"n_jobs": n_jobs, **options})
    return [
        difference(problem, result.labels, labels, lam)
        for problem, result, labels in zip(problems, results, answers, strict=True)
    ]


def perturb(k, problem, gradient, lam):
    """The problem with its unary costs moved along the gradient."""
    gradient = as_numbers(f"grad_labels[{k}]", gradient)
    if gradient.shape == problem.shape:
        gradient = gradient[problem.left, problem.right]
    if gradient.shape != (problem.n_candidates,) or not np.all(np.isfinite(gradient)):
        raise InputError(
            f"grad_labels[{k}] must be finite, of shape {problem.shape} or"
            f" ({problem.n_candidates},), got shape {gradient.shape}"
        )
    return problem.changed(cost=freeze(problem.cost + lam * gradient))


def solve_alike(problems, results, method, how):
    """The labels of each problem, by one method or by the method, options and seed of its
    result.
    """
    if method is not None:
        return [result.labels for result in gm_solve_many(problems, method, **how)]
    alike, labels = {}, [None] * len(problems)
    for k, result in enumerate(results):
        key = (result.method, result.seed, tuple(sorted(result.options.items())))
        alike.setdefault(key, []).append(k)
    for (name, seed, options), members in alike.items():
        chosen = [problems[k] for k in members]
        found = gm_solve_many(chosen, name, **{"seed": seed, **dict(options), **how})
        for k, result in zip(members, found, strict=True):
            labels[k] = result.labels
    return labels


def difference(problem, before, after, lam):
    """Return the difference of two matchings, over candidates and edges, divided by lam."""
    x, y = (problem.candidates.indicator(labels) for labels in (before, after))
    a, b = problem.a, problem.b
    return Gradient((y - x) / lam, (y[a] * y[b] - x[a] * x[b]) / lam)
