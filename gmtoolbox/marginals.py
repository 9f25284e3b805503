"""Result.marginals: how probable each match is, by perturbing the costs and solving again.

Perturb-and-MAP (Papandreou and Yuille, ICCV 2011; Hazan and Jaakkola, ICML 2012): with independent
standard Gumbel variables g, the matchings

.. math:: x = \\underset{x}{\\text{argmin}} \\; E(x) - T \\sum_{i, s} g_{is} x_{is}

are samples of a distribution that is close to the Gibbs distribution exp(-E(x) / T), and equal to
it for a single node. The probability of a match is its share of the samples. In a partial problem
"unmatched" is an outcome with a variable of its own for each left node.

If costs are negative logarithms of probabilities, T = 1. In general their unit is unknown; then T
is TEMPERATURE times the median cost of moving a node from its label to another one.
docs/results/marginals.md compares the probabilities with the share of correct matches.
"""

import time

from gmtoolbox.core.edges import Listed
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_count, freeze
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.limits import Stop
from gmtoolbox.engine.registry import BOUNDED_METHOD, TWO_MATRICES_METHOD

SAMPLES = 200
SECONDS = 10.0  # that r.marginals may take altogether
LEAST_SECONDS = 1e-3  # of a sample
MAXITER = 100  # of fm-bca: most answers are then optimal, in milliseconds
TEMPERATURE = 0.1  # of the median cost of moving a node; see benchmarks/bench_marginals.py


def estimate_marginals(
    problem, result, *, temperature=None, samples=SAMPLES, seconds=SECONDS, seed=0
):
    """Return (n1, n2) the probability of each match under the Gibbs distribution of the costs.

    Parameters
    ----------
    problem : Problem
    result : Result
        Of this problem; its matching sets the unit of the temperature.
    temperature : float, optional
        T, in the unit of the costs; 1 if they are negative logarithms of probabilities. Default:
        TEMPERATURE times the median cost of moving a node.
    samples : int
        Perturbed problems that are solved.
    seconds : float or None
        No sample is begun later than this, and the last one is cut off; None: no limit.
    seed : int
        Of the perturbations.

    Returns
    -------
    numpy.ndarray
        Rows add up to at most 1; the rest is the probability that the node is unmatched.

    Raises
    ------
    InputError
        If samples or temperature is not positive, or a complete matching is missing.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> from gmtoolbox.marginals import estimate_marginals
    >>> p = gm.Problem((1, 2), [0, 0], [0, 1], -np.log([0.8, 0.2]), complete=True)
    >>> estimate_marginals(p, gm.gm_solve(p), temperature=1.0, samples=1000).round(1)
    array([[0.8, 0.2]])
    """
    check_count("samples", samples, "a positive number of samples")
    if temperature is not None and not 0 < temperature < np.inf:
        raise InputError(f"temperature must be positive and finite, got {temperature!r}")
    costs = problem.as_costs().without_offset().materialise()
    if costs.complete and not costs.is_complete_matching(result.labels):
        raise InputError("marginals need a complete matching, since the problem asks for one")
    if temperature is None:
        temperature = TEMPERATURE * median_move(costs, result.labels)
    end = np.inf if seconds is None else time.perf_counter() + seconds
    rng = np.random.default_rng(seed)
    count, drawn = np.zeros(costs.n_candidates), 0
    with Stop() as stop:
        while drawn < samples and not (drawn and (stop.is_set or time.perf_counter() > end)):
            perturbed = perturb(costs, temperature, rng)
            found = solve_perturbed(perturbed, result.labels, end)
            count[costs.candidates_of(found)] += 1.0
            drawn += 1
    marginals = np.zeros(problem.shape)
    marginals[costs.left, costs.right] = count / drawn
    return marginals


def solve_perturbed(problem, labels, end):
    """Return a matching of the problem, never a more expensive one than these labels: exact without
    pair costs, by fm-bca with listed ones, by faq from the labels for two matrices. `end`: of the
    time that may be used, on the clock of time.perf_counter.
    """
    remaining = max(end - time.perf_counter(), LEAST_SECONDS)
    limit = None if remaining == np.inf else remaining
    if problem.n_edges == 0:
        found = gm_solve(problem, time_limit=limit)
    elif isinstance(problem.edges, Listed):
        found = gm_solve(problem, BOUNDED_METHOD, time_limit=limit, maxiter=MAXITER)
    else:
        found = gm_solve(problem, TWO_MATRICES_METHOD, time_limit=limit, init=labels)
    return labels if problem.total_cost(labels) <= found.value else found.labels


def perturb(costs, temperature, rng):
    """Return the problem with Gumbel noise of this scale on its unary costs."""
    noise = rng.gumbel(size=costs.n_candidates)
    if not costs.complete:
        noise -= rng.gumbel(size=costs.shape[0])[costs.left]  # of the outcome "unmatched"
    return costs.changed(cost=freeze(costs.cost - temperature * noise))


def median_move(costs, labels):
    """Return the median over all candidates (i, s) outside the matching of

    .. math:: | u_{is} - u_{i x_i} |, \\quad u_{is} = c_{is} + \\sum_{j \\ne i} c_{is, j x_j},

    the change of cost if node i moves from its label to s; u is 0 for unmatched nodes.
    """
    chosen = costs.candidates_of(labels)
    x = costs.candidates.indicator(labels)
    price = costs.cost + 2.0 * costs.edges.product(x)  # product holds half of each edge
    own = np.zeros(costs.shape[0])
    own[costs.left[chosen]] = price[chosen]
    others = np.flatnonzero(x == 0)
    return float(np.median(np.abs(price[others] - own[costs.left[others]]))) if len(others) else 0.0
