"""What files must keep: random problems, problems of many graphs and results with everything in
them, and a comparison field by field that shares no code with ours.
"""

import math
from dataclasses import fields
from itertools import combinations

import numpy as np

import gmtoolbox as gm
from gmtoolbox.core.products import Products
from gmtoolbox.core.result import trace_dtype

ODD_COSTS = (0.0, 5e-324, -1.5e-323, 1e-310, 2.3e-308, 1e300, -1e300, 0.1, -1.0, 1 / 3, 3.0, 1e16)
LETTERS = ("a", "ä", "名", "\U0001f600", "\ud800", "\x00", "\x1b", "\n", "'", '"', "<&>", "=", "c ")
ODD_NUMBERS = (math.inf, -math.inf, math.nan, 0.0, -1.5, 1e300, 5e-324)


# ---- problems


def costs(rng, n):
    """n costs: some normal, some odd."""
    odd = rng.choice(ODD_COSTS, n) * rng.choice([1.0, -1.0], n)
    return np.where(rng.random(n) < rng.choice([0.0, 0.3, 1.0]), odd, rng.normal(size=n))


def maybe(rng, value):
    return value if rng.random() < 0.5 else None


def random_points(rng, n):
    """(n, 0 .. 3) coordinates, some unknown or infinite."""
    points = rng.normal(size=(n, rng.choice([2, 2, 2, 1, 3, 0])))
    gaps = rng.random(points.shape) < rng.choice([0.0, 0.3, 1.0])
    points[gaps] = rng.choice([np.nan, np.nan, np.inf], np.count_nonzero(gaps))
    if rng.random() < 0.3:
        points[rng.random(n) < 0.5] = np.nan  # points that are unknown altogether
    return points


def random_name(rng, k, depth=0):
    """A name that contains k, so that no two are the same."""
    kind = rng.integers(7 if depth < 2 else 5)
    if kind == 0:
        return k
    if kind == 1:
        return k + 0.25
    if kind < 5:
        return f"{''.join(rng.choice(LETTERS, 2))}{k}"
    return (random_name(rng, k, depth + 1), [None, True, 2, "x"][rng.integers(4)])


def random_names(rng, n):
    return tuple(random_name(rng, k) for k in range(n))


def random_description(rng, n1, n2):
    """Points, neighbours, truth and names, each of them or none."""
    pairs = lambda n: rng.integers(0, n, (rng.integers(0, 4), 2))
    return {
        "points1": maybe(rng, random_points(rng, n1)),
        "points2": maybe(rng, random_points(rng, n2)),
        "neighbours1": maybe(rng, pairs(n1)),
        "neighbours2": maybe(rng, pairs(n2)),
        "ground_truth": maybe(rng, rng.integers(-1, n2, n1)),
        "nodes1": maybe(rng, random_names(rng, n1)),
        "nodes2": maybe(rng, random_names(rng, n2)),
    }


def random_problem(rng, shape=None, **rest):
    """A Problem with any of its fields."""
    n1, n2 = shape or rng.integers(1, 5, 2).tolist()
    allowed = rng.random((n2, n1)) < rng.choice([0.3, 0.7, 1.0])
    allowed[rng.integers(n2), rng.integers(n1)] = True
    right, left = np.nonzero(allowed)
    N = len(left)
    a, b = np.nonzero(np.triu(rng.random((N, N)) < 0.4, 1))
    settings = {
        "sense": str(rng.choice(["min", "max"])),
        "complete": bool(rng.integers(2)),
        "offset": float(rng.choice([0.0, costs(rng, 1)[0]])),
        **random_description(rng, n1, n2),
        **rest,
    }
    return gm.Problem((n1, n2), left, right, costs(rng, N), a, b, costs(rng, len(a)), **settings)


def random_products(rng):
    """A Koopmans-Beckmann problem, as .dat files hold them."""
    n = int(rng.integers(1, 5))
    A, B = (rng.integers(-9, 9, (n, n)) * rng.choice([1.0, 0.1, 1e100, 1e-160]) for _ in range(2))
    for M in (A, B):
        np.fill_diagonal(M, 0.0)
    right, left = np.divmod(np.arange(n * n), n)
    edges = Products(A, B)
    own = {} if rng.random() < 0.7 else random_description(rng, n, n)
    return gm.Problem((n, n), left, right, None, edges=edges, complete=True, **own)


def random_multi(rng):
    """A MultiProblem with any of its fields; some pairs, or all, are empty."""
    d = int(rng.integers(2, 5))
    sizes = rng.integers(1, 4, d).tolist()
    sense, empty = str(rng.choice(["min", "max"])), rng.choice([0.0, 0.3, 1.0], p=[0.5, 0.4, 0.1])
    pairs = {
        (g, h): None
        if rng.random() < empty
        else random_problem(rng, (sizes[g], sizes[h]), sense=sense, complete=False)
        for g, h in combinations(range(d), 2)
    }
    names = maybe(rng, [f"{''.join(rng.choice(LETTERS, 2))}{g}" for g in range(d)])
    truth = [rng.permutation(4)[:n] - 1 for n in sizes]
    points = maybe(rng, [random_points(rng, n) for n in sizes])
    return gm.MultiProblem(
        pairs, sizes=sizes, sense=sense, names=names, truth=maybe(rng, truth), points=points
    )


# ---- results


def odd_number(rng, p=0.3):
    return float(rng.choice(ODD_NUMBERS)) if rng.random() < p else float(rng.normal())


def answer(rng):
    """Keywords of every result."""
    rows = [tuple(odd_number(rng) for _ in range(3)) for _ in range(rng.integers(0, 4))]
    return {
        "value": odd_number(rng), "bound": odd_number(rng), "gap": odd_number(rng),
        "status": "converged", "time": abs(float(rng.normal())), "seed": int(rng.integers(9)),
        "sense": str(rng.choice(["min", "max"])), "trace": np.array(rows, trace_dtype()),
        "method": f"fm{rng.choice(LETTERS[:5])}", "n_iter": int(rng.integers(9)),
        "options": {"tol": odd_number(rng), "kind": str(rng.choice(LETTERS)), "none": None},
    }  # fmt: skip


def random_result(rng):
    n1, n2 = rng.integers(1, 5, 2).tolist()
    scores = rng.normal(size=(n1, n2))
    scores[rng.random((n1, n2)) < 0.2] = rng.choice([np.inf, -np.inf, np.nan])
    labels = rng.permutation(max(n1, n2))[:n1]
    labels[labels >= n2] = -1
    extra = {"numbers": [odd_number(rng) for _ in range(3)], "deep": {"x": odd_number(rng)}}
    if rng.random() < 0.3:
        extra["confidence"] = [odd_number(rng) if s >= 0 else None for s in labels]
    return gm.Result(
        labels=labels.astype(np.int32), shape=(n1, n2), scores=maybe(rng, scores),
        solver_time=0.5, nodes1=maybe(rng, random_names(rng, n1)),
        nodes2=maybe(rng, random_names(rng, n2)), extra=extra, **answer(rng),
    )  # fmt: skip


def random_multi_result(rng):
    sizes = rng.integers(1, 4, rng.integers(2, 4)).tolist()
    flat = np.concatenate([rng.permutation(4)[:n] for n in sizes]).astype(np.int32)
    return gm.MultiResult(flat=flat, sizes=tuple(sizes), **answer(rng))


def random_edit_result(rng):
    path = lambda n: [
        (random_name(rng, k), None if rng.random() < 0.3 else random_name(rng, k)) for k in range(n)
    ]
    bound = maybe(rng, odd_number(rng))
    return gm.EditResult(node_path=path(3), edge_path=path(2), upper_bound=bound, **answer(rng))


def random_subgraph(rng):
    pairs = lambda n: [(random_name(rng, k), random_name(rng, k)) for k in range(n)]
    return gm.CommonSubgraph(nodes=pairs(3), edges=pairs(2), induced=True, **answer(rng))


MAKERS = {  # kind of file -> what is tried
    "problem": (random_problem, random_products),
    "problem of many graphs": (random_multi,),
    "result": (random_result, random_multi_result, random_edit_result, random_subgraph),
}


def cases(holds, seed, count):
    """count things of a kind, the kinds of them by turns."""
    makers = MAKERS[holds]
    for k in range(count):
        yield makers[k % len(makers)](np.random.default_rng([seed, k]))


# ---- comparison


def same(x, y):
    """Whether two values are the same in every digit and type; NaN is NaN, 0.0 is -0.0."""
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        if not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray)):
            return False
        if x.dtype != y.dtype or x.shape != y.shape:
            return False
        return same(x.tolist(), y.tolist())
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        return type(x) is type(y) and len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(same(x[key], y[key]) for key in x)
    if isinstance(x, float) and isinstance(y, float):
        return x == y or (math.isnan(x) and math.isnan(y))
    return type(x) is type(y) and x == y


PROBLEM_FIELDS = (
    "shape", "left", "right", "cost", "a", "b", "edge_cost", "sense", "complete", "offset",
    "points1", "points2", "neighbours1", "neighbours2", "ground_truth", "nodes1", "nodes2",
)  # fmt: skip


def differences(x, y):
    """The names of the fields in which two things of one kind differ."""
    if type(x) is not type(y):
        return ["type"]
    if isinstance(x, gm.Problem):
        return [name for name in PROBLEM_FIELDS if not same(getattr(x, name), getattr(y, name))]
    if isinstance(x, gm.MultiProblem):
        own = ("sizes", "sense", "names", "truth", "points")
        found = [name for name in own if not same(getattr(x, name), getattr(y, name))]
        for pair, problem in x.pairs.items():
            other = y.pairs.get(pair)
            found += ["pairs"] if (problem is None) != (other is None) else []
            found += differences(problem, other) if problem is not None and other else []
        return sorted(set(found))
    names = [f.name for f in fields(x) if f.name != "problem"]
    return [name for name in names if not same(getattr(x, name), getattr(y, name))]
