"""Compare the answers of two states of the code digit by digit, all methods, no time limit.

    python benchmarks/compare_digits.py record FILE.json
    python benchmarks/compare_digits.py compare BEFORE.json AFTER.json

`record` runs every method with a fixed number of iterations on small problems of every kind, then
many small problems, many graphs, edit distances and common subgraphs. It stores value, bound, gap,
labels, scores, iterations, status and the last row of the trace. `compare` prints what differs. A
change that only moves code must leave all of it equal.
"""

import argparse
import json
import math
import sys
import warnings
from pathlib import Path

import networkx as nx
import numpy as np

import gmtoolbox as gm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from small import random_problem  # noqa: E402

DATA = ROOT / "gmtoolbox" / "data"
EDGES = 0.3  # of all pairs of candidates
ITERATIONS = 30
SLOW = 4  # iterations of the methods whose iterations are long
LONG_ITERATIONS = ("fgmd", "ga", "hbp")


def problems():
    """Return {name: problem or matrix}."""
    rng = np.random.default_rng(7)
    K = rng.random((16, 16))
    flows, distances = (np.round(9 * rng.random((7, 7))) for _ in range(2))
    made = {
        "car": gm.load(DATA / "car-1.dd.xz"),
        "hotel": gm.load(DATA / "hotel-1.dd.xz"),
        "partial": random_problem(rng, 6, 8, density=0.7, edges=EDGES),
        "complete": random_problem(rng, 6, 8, density=0.7, edges=EDGES, complete=True),
        "square": random_problem(rng, 6, 6, edges=EDGES, complete=True, sense="max"),
        "tall": random_problem(rng, 8, 5, density=0.8, edges=EDGES, complete=True, offset=12.5),
        "offset": random_problem(rng, 5, 7, density=0.8, edges=EDGES, offset=-1e3, sense="max"),
        "far costs": random_problem(rng, 5, 5, edges=EDGES, complete=True, offset=1e9),
        "matrix": K + K.T,
        "products": gm.models.from_koopmans_beckmann(flows + flows.T, distances + distances.T),
        "synthetic": gm.synth.hotel(seed=3, size=9),
        "worms": gm.synth.worms(seed=1, size=14),
    }
    return made


def stored(number):
    """Return a number as text that loses nothing."""
    return float(number).hex()


def digits(result):
    """Return the fields of a result that no clock decides."""
    record = {name: stored(getattr(result, name)) for name in ("value", "bound", "gap")}
    record |= {"status": result.status, "n_iter": int(result.n_iter), "seed": int(result.seed)}
    for name in ("labels", "flat", "nodes", "edges", "node_path", "edge_path"):
        given = getattr(result, name, None)
        if given is not None and not callable(given):
            record[name] = repr(given if isinstance(given, list) else given.tolist())
    # kernels look at the clock before some of the rows in between
    for name in ("value", "bound") if len(result.trace) else ():
        record[f"last {name}"] = stored(result.trace[name][-1])
    record["options"] = repr(sorted(getattr(result, "options", {}).items()))
    if getattr(result, "scores", None) is not None:
        record["scores"] = [stored(number) for number in np.ravel(result.scores)]
    return record


def limited(solver):
    """Return options that limit the iterations of a method."""
    known = {option.name: option.default for option in solver.options}
    most = SLOW if solver.name in LONG_ITERATIONS else ITERATIONS
    return {"maxiter": min(known["maxiter"] or most, most)}


def matchings(given):
    """Yield (name, function that solves) of every method on every problem."""
    for name, problem in given.items():
        for solver in gm.gm_methods():
            yield (
                f"{name}: {solver.name}",
                lambda p=problem, s=solver: gm.gm_solve(p, s.name, seed=1, **limited(s)),
            )


def others(given):
    """Yield (name, function that solves) of the other kinds of solve."""
    small = [given[name] for name in ("partial", "complete", "square", "offset", "tall")]
    for solver in gm.gm_methods():
        if solver.kernel or solver.name in ("auto", "mp"):  # in C, or one by one
            yield (
                f"many: {solver.name}",
                lambda s=solver: gm.gm_solve_many(small, s.name, **limited(s)),
            )
    yield "many, restarts", lambda: gm.gm_solve_many(small, "fm", restarts=3, maxiter=20)
    rng = np.random.default_rng(3)
    pairs = {
        (g, h): random_problem(rng, 4, 4, edges=0.4, offset=float(g))
        for g in range(4)
        for h in range(g + 1, 4)
    }
    graphs = gm.MultiProblem(pairs)
    for method in ("mgm", "sync"):
        yield f"graphs: {method}", lambda m=method: gm.gm_solve_multi(graphs, method=m, maxiter=200)
    yield "graphs: no bound", lambda: gm.gm_solve_multi(graphs, bound="none", maxiter=50)
    given = {(0, 1): [0, 1, 2], (0, 2): [1, 0, 2], (1, 2): [0, 1, 2]}
    yield "synchronise", lambda: gm.synchronise(given, (3, 3, 3))
    yield (
        "synchronise: spectral",
        lambda: gm.synchronise(given, (3, 3, 3), method="spectral"),
    )
    G, H = nx.cycle_graph(6), nx.wheel_graph(7)
    R, S = (nx.gnp_random_graph(7, 0.4, seed=k) for k in (1, 2))
    far = dict(node_del_cost=lambda data: 1e6, node_ins_cost=lambda data: 1e-3)
    yield "distance", lambda: gm.graph_edit_distance(G, H)
    yield "distance: random", lambda: gm.graph_edit_distance(R, S)
    yield "distance: isomorphic", lambda: gm.graph_edit_distance(G, nx.cycle_graph(6))
    yield "distance: limited", lambda: gm.graph_edit_distance(R, S, upper_bound=2)
    yield "distance: wide", lambda: gm.graph_edit_distance(R, S, **far)
    yield "distance: fm", lambda: gm.graph_edit_distance(R, S, method="fm", maxiter=20)
    for kind in ("edge", "induced"):
        for method in ("auto", "partition"):
            yield (
                f"common: {kind} {method}",
                lambda k=kind, m=method: gm.maximum_common_subgraph(R, S, k, method=m),
            )
    yield (
        "common: weights",
        lambda: gm.maximum_common_subgraph(R, S, "induced", node_weight=lambda one, other: 1.25),
    )
    yield "common: fm", lambda: gm.maximum_common_subgraph(R, S, method="fm", maxiter=20)
    yield "pattern", lambda: gm.find_subgraph(nx.cycle_graph(5), nx.grid_2d_graph(3, 3))
    yield "pattern: two", lambda: gm.find_subgraph(nx.complete_graph(4), nx.grid_2d_graph(3, 3))
    yield "best three", lambda: gm.gm_solve(small[0], n_best=3)


def record(path):
    """Write the digits of all solves."""
    kept, given = {}, problems()
    for name, solve in [*matchings(given), *others(given)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                made = solve()
            except gm.GMError as error:
                kept[name] = {"error": f"{type(error).__name__}: {error}"}
                continue
        for k, result in enumerate(made if isinstance(made, list) else [made]):
            kept[f"{name} [{k}]" if isinstance(made, list) else name] = digits(result)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(kept, file)
    print(f"{len(kept)} answers in {path}")


def readable(value):
    """Return a stored value for people."""
    if isinstance(value, str) and value.lstrip("-").startswith(("0x", "inf", "nan")):
        return f"{float.fromhex(value):.17g}"
    return str(value)[:60]


def distance(before, after):
    """Return the relative difference of two stored numbers, or None of other values."""
    try:
        one, two = float.fromhex(before), float.fromhex(after)
    except (TypeError, ValueError):
        return None
    return abs(one - two) / max(abs(one), abs(two)) if math.isfinite(one - two) else math.inf


def compare(paths):
    """Print what differs; return the number of answers that do."""
    first, second = (json.load(open(path, encoding="utf-8")) for path in paths)
    count = 0
    for name in sorted(first.keys() | second.keys()):
        one, two = first.get(name, {}), second.get(name, {})
        fields = [key for key in sorted(one.keys() | two.keys()) if one.get(key) != two.get(key)]
        count += bool(fields)
        for key in fields:
            before, after = one.get(key), two.get(key)
            apart = distance(before, after)
            note = "" if apart is None else f" ({apart:.1e})"
            print(f"{name}: {key}: {readable(before)} -> {readable(after)}{note}")
    print(f"{count} of {len(first.keys() | second.keys())} answers differ")
    return count


def main():
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=("record", "compare"))
    parser.add_argument("paths", nargs="+")
    given = parser.parse_args()
    if given.verb == "record":
        record(given.paths[0])
    else:
        sys.exit(compare(given.paths) > 0)


if __name__ == "__main__":
    main()
