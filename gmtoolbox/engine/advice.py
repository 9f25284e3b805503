"""Which methods suit a problem, from what benchmarks/bench_choosing.py measured."""

import json
import math
from pathlib import Path

MEASURED = Path(__file__).with_name("measured.json")
WRITABLE_EDGES = 30_000_000  # beyond, edges that are products cannot be listed
SAME = 1e-4  # gaps that differ by less are alike: the faster one comes first


def suited(methods, problem):
    """(method, note) of those that can take the problem, best first, as measured on the most
    similar kind; those that were not measured come last.
    """
    n_edges = max(int(problem.n_edges), 1)
    kind = closest(json.loads(MEASURED.read_text(encoding="utf-8")), problem.complete, n_edges)
    factor = n_edges / max(kind["n_edges"], 1)
    rows = []
    for method in methods:
        if n_edges > WRITABLE_EDGES and not method.matrix_free:
            continue
        one = kind["methods"].get(method.name)
        if one is None:
            rows.append(((math.inf, math.inf), method, "not measured"))
            continue
        seconds = one["seconds"] * (1.0 if one["seconds"] >= 0.9 else max(factor, 0.1))
        proof = ", proven" if one["proven"] else ""
        note = f"{100 * one['gap']:.2g} % from the best in about {seconds:.1g} s{proof}"
        rows.append(((round(one["gap"] / SAME), seconds), method, f"{note} (like {kind['kind']})"))
    rows.sort(key=lambda row: row[0])
    return [(method, note) for _, method, note in rows]


def closest(records, complete, n_edges):
    """The measured kind with the same rule of completeness and the most similar size."""
    same = [record for record in records if record["complete"] == complete] or records
    return min(same, key=lambda record: abs(math.log(max(record["n_edges"], 1) / n_edges)))
