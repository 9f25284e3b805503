"""Small problems of every kind, and their optimum by exhaustive search: the ground of the contract
suite.
"""

from functools import cache

import numpy as np
from scipy import sparse

from gmtoolbox.core.claims import STATUSES
from gmtoolbox.core.factors import from_factors
from gmtoolbox.core.problem import Problem
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine import kernels
from gmtoolbox.models import from_graphs, from_koopmans_beckmann

FORMS = ("listed", "dense products", "sparse products", "mixed products", "factors")


def random_problem(
    rng,
    n1,
    n2,
    *,
    density=1.0,
    edges=0.5,
    signs="any",
    complete=False,
    integer=False,
    scale=1.0,
    **rest,
):
    """A random problem; signs is 'any', 'nonpositive' or 'positive'. A complete one always has a
    complete matching.
    """
    allowed = rng.random((n1, n2)) < density
    if complete:
        allowed[np.arange(min(n1, n2)), rng.permutation(min(n1, n2))] = True
    if not allowed.any():
        allowed[0, 0] = True
    right, left = np.nonzero(allowed.T)
    N = len(left)
    a, b = np.nonzero(np.triu(rng.random((N, N)) < edges, 1))
    compatible = (left[a] != left[b]) & (right[a] != right[b])
    a, b = a[compatible], b[compatible]

    def draw(size):
        values = rng.integers(-3, 4, size).astype(float) if integer else rng.normal(size=size)
        values = {"any": values, "nonpositive": -np.abs(values), "positive": np.abs(values)}[signs]
        return scale * values

    return Problem((n1, n2), left, right, draw(N), a, b, draw(len(a)), complete=complete, **rest)


def problem_with(form, rng, n1=3, n2=4, density=0.8, **rest):
    """A problem whose edges have the given form."""
    if form == "listed":
        return random_problem(rng, n1, n2, density=density, **rest)
    Ct = (rng.random((n1, n2)) < density).astype(float)
    Ct[rng.permutation(n1)[: min(n1, n2)], rng.permutation(n2)[: min(n1, n2)]] = 1
    if form == "factors":
        graphs = []
        for n in (n1, n2):
            start, end = np.nonzero(rng.random((n, n)) < 0.6)
            incidence = np.zeros((2, n, len(start)))
            incidence[0, start, np.arange(len(start))] = 1
            incidence[1, end, np.arange(len(end))] = 1
            graphs.append({"G": incidence[0], "H": incidence[1]})
        KQ = rng.normal(size=[graph["G"].shape[1] for graph in graphs])
        KP = rng.normal(size=(n1, n2))
        return from_factors(KP, KQ, *graphs, Ct, sense="min", **rest)
    A, B = (rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.6) for n in (n1, n2))
    A = sparse.csr_array(A) if form == "sparse products" else A
    B = sparse.coo_array(B) if form != "dense products" else B
    C = np.where(Ct == 1, rng.normal(size=(n1, n2)), np.inf)
    return from_koopmans_beckmann(A, B, C, **rest)


def matchings(problem):
    """Every matching of a problem (complete ones only, where it asks for them) as label tuples."""
    n1, n2 = problem.shape
    options = [[-1] for _ in range(n1)]
    for i, s in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        options[i].append(s)
    spare = n1 - min(n1, n2) if problem.complete else n1  # nodes that may stay unmatched

    def extend(labels, free):
        if len(labels) == n1:
            yield labels
            return
        for s in options[len(labels)]:
            if s < 0 < free or s >= 0 and s not in labels:
                yield from extend((*labels, s), free - (s < 0))

    return extend((), spare)


def brute_force(problem):
    """Smallest cost over all matchings (always minimised, offset included).

    All are evaluated at once by a matrix of the candidates; those that come close to the least are
    evaluated again, one by one, to the last digit.
    """
    labels = np.array(list(matchings(problem)), dtype=int).reshape(-1, problem.shape[0])
    place = np.full((problem.shape[0], problem.shape[1] + 1), problem.n_candidates)
    place[problem.left, problem.right] = np.arange(problem.n_candidates)
    chosen = np.zeros((len(labels), problem.n_candidates + 1))
    chosen[np.arange(len(labels))[:, None], place[np.arange(problem.shape[0]), labels]] = 1
    chosen = chosen[:, :-1]
    pairs = np.zeros((problem.n_candidates, problem.n_candidates))
    np.add.at(pairs, (problem.a, problem.b), problem.edge_cost)
    with np.errstate(all="ignore"):
        costs = chosen @ problem.cost + ((chosen @ pairs) * chosen).sum(axis=1)
        size = np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum()
        close = ~(costs > costs.min() + 1e-9 * size)  # all of them if there is no order
    return min(problem.total_cost(one) for one in labels[close])


@cache
def gallery():
    """name -> (problem, optimal cost): the small problems that every method must get through."""
    rng = np.random.default_rng(2022)
    problems = {
        "partial 4x4": random_problem(rng, 4, 4),
        "partial 3x5, forbidden pairs": random_problem(rng, 3, 5, density=0.6),
        "partial 5x3, forbidden pairs": random_problem(rng, 5, 3, density=0.6),
        "complete 4x4": random_problem(rng, 4, 4, complete=True),
        "complete 4x4, forbidden pairs": random_problem(rng, 4, 4, density=0.5, complete=True),
        "complete 3x5": random_problem(rng, 3, 5, density=0.8, complete=True),
        "complete 5x3": random_problem(rng, 5, 3, density=0.8, complete=True),
        "nonpositive": random_problem(rng, 4, 5, signs="nonpositive"),
        "positive, complete": random_problem(rng, 4, 4, signs="positive", complete=True),
        "positive, partial": random_problem(rng, 4, 4, signs="positive"),
        "ties": random_problem(rng, 4, 4, integer=True),
        "no edges": random_problem(rng, 4, 4, edges=0.0),
        "zero unaries": zero_unaries(random_problem(rng, 4, 4, signs="nonpositive")),
        "all zero": random_problem(rng, 3, 3, scale=0.0),
        "one pair": random_problem(rng, 1, 1),
        "one node": random_problem(rng, 1, 4),
        "offset": random_problem(rng, 4, 4, offset=12.5),
        "tiny costs": random_problem(rng, 4, 4, scale=1e-9),
        "huge costs": random_problem(rng, 4, 4, scale=1e9),
        "conflicting edges": with_conflicts(rng, random_problem(rng, 4, 4, complete=True)),
        "node without candidates": node_without_candidates(rng),
        "maximised": random_problem(rng, 4, 4, complete=True, sense="max"),
        "6x6": random_problem(rng, 6, 6, edges=0.3, complete=True),
        "overlaps 4x5": random_overlaps(rng, 4, 5),
        "overlaps 5x4, partial": random_overlaps(rng, 5, 4, complete=False),
    }
    return {name: (problem, brute_force(problem)) for name, problem in problems.items()}


def random_overlaps(rng, n1, n2, **rest):
    """The common weight of two directed graphs, and random similarities."""
    A, B = (rng.integers(0, 4, (n, n)) * 0.37 for n in (n1, n2))
    worth = rng.normal(size=(n1, n2))
    return from_graphs(A, B, overlap="min", similarity=worth, **rest)


def zero_unaries(problem):
    """The problem without unary costs."""
    return Problem(
        problem.shape,
        problem.left,
        problem.right,
        0 * problem.cost,
        problem.a,
        problem.b,
        problem.edge_cost,
    )


def with_conflicts(rng, problem):
    """Edges between candidates of one node or one label: never both chosen, but stored."""
    a, b = np.triu_indices(problem.n_candidates, 1)
    left, right = problem.left, problem.right
    conflict = ((left[a] == left[b]) | (right[a] == right[b])) & (rng.random(len(a)) < 0.5)
    a, b = np.concatenate([problem.a, a[conflict]]), np.concatenate([problem.b, b[conflict]])
    cost = np.concatenate([problem.edge_cost, rng.normal(size=np.count_nonzero(conflict))])
    return Problem(problem.shape, left, right, problem.cost, a, b, cost, complete=problem.complete)


def node_without_candidates(rng):
    """A problem whose first and last nodes have no candidates."""
    problem = random_problem(rng, 3, 4)
    return Problem(
        (5, 6),
        problem.left + 1,
        problem.right + 1,
        problem.cost,
        problem.a,
        problem.b,
        problem.edge_cost,
    )


def check_claims(problem, r, optimum, slack):
    """Assert what every answer claims: a bound below its value and the optimum, and the status that
    goes with its gap; (cost, bound), minimised.
    """
    cost, bound = problem.signed(r.value), problem.signed(r.bound)
    assert bound <= cost, "the bound is above the value"
    assert bound <= optimum + slack, "the bound is above the optimum"
    assert cost >= optimum - slack
    assert r.status in STATUSES
    assert r.status != "optimal" or r.gap <= 1e-9
    return cost, bound


def same_in_slices(monkeypatch, answer):
    """[answer(), ...] with a kernel's time cut into slices of no, a short and a long time, asserted
    to have the same labels and iterations, whatever else they hold.
    """
    found = []
    for seconds in (0.0, 1e-6, 1.0):
        monkeypatch.setattr(kernels, "SLICE", seconds)
        found.append(answer())
        assert found[-1].labels.tolist() == found[0].labels.tolist()
        assert found[-1].n_iter == found[0].n_iter
    return found


def in_slices(monkeypatch, problem, method, maxiter, **options):
    """(labels, bound, iterations) of a method, asserted to be the same however its kernel's time
    is cut into slices.
    """
    solve = lambda: gm_solve(problem, method, maxiter=maxiter, **options)
    found = same_in_slices(monkeypatch, solve)
    assert len({r.bound for r in found}) == 1
    return found[0].labels.tolist(), found[0].bound, found[0].n_iter
