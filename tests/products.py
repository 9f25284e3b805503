"""Small Koopmans-Beckmann problems of every kind, and their optimum by exhaustive search."""

from functools import cache

import numpy as np
import scipy.sparse as sp
from small import brute_force

from gmtoolbox.models import from_koopmans_beckmann

KINDS = ("cost", "affinity", "mixed")


def random_products(rng, n1, n2, kind="cost", *, symmetric=True, density=1.0, sparse=False, **rest):
    """Random integer matrices; kind: both non-negative and minimised, both non-negative and
    maximised, or any signs. rest: unary (whether there are unary costs), forbidden (share of
    pairs) and what from_koopmans_beckmann takes.
    """
    unary, forbidden = rest.pop("unary", False), rest.pop("forbidden", 0.0)

    def matrix(n):
        M = rng.integers(-4 if kind == "mixed" else 0, 6, (n, n)) * (rng.random((n, n)) < density)
        M = M.astype(float)
        M = np.triu(M, 1) + np.triu(M, 1).T if symmetric else M
        return sp.csr_array(M) if sparse else M

    C = rng.integers(-5, 6, (n1, n2)).astype(float) if unary else np.zeros((n1, n2))
    sense = "max" if kind == "affinity" else "min"
    if forbidden:
        away = rng.random((n1, n2)) < forbidden
        away[np.arange(min(n1, n2)), rng.permutation(n2)[: min(n1, n2)] % n2] = False
        if n1 <= n2:
            away[np.arange(n1), rng.permutation(n2)[:n1]] = False
        C[away] = -np.inf if sense == "max" else np.inf
    return from_koopmans_beckmann(matrix(n1), matrix(n2), C, sense=sense, **rest)


@cache
def gallery():
    """name -> (problem, least cost)"""
    rng = np.random.default_rng(17)
    problems = {
        "cost 5x5": random_products(rng, 5, 5),
        "cost 5x5, not symmetric": random_products(rng, 5, 5, symmetric=False),
        "cost 4x6, unary": random_products(rng, 4, 6, unary=True),
        "cost 6x4": random_products(rng, 6, 4),
        "affinity 6x6, sparse": random_products(rng, 6, 6, "affinity", density=0.5, sparse=True),
        "affinity 4x5, not symmetric": random_products(
            rng, 4, 5, "affinity", symmetric=False, unary=True
        ),
        "mixed 5x5, forbidden": random_products(rng, 5, 5, "mixed", unary=True, forbidden=0.3),
        "mixed 4x4, partial": random_products(rng, 4, 4, "mixed", unary=True, complete=False),
        "affinity 3x5, partial, forbidden": random_products(
            rng, 3, 5, "affinity", unary=True, forbidden=0.3, complete=False
        ),
        "cost 4x4, offset": random_products(rng, 4, 4, offset=100.0),
        "no edges": random_products(rng, 4, 4, density=0.0, unary=True),
        "one node": random_products(rng, 1, 3, unary=True),
    }
    return {name: (problem, brute_force(problem)) for name, problem in problems.items()}
