"""Every method on kinds of problem that people have: how close to the best, in what time.

    OMP_NUM_THREADS=1 python benchmarks/bench_choosing.py [--only TEXT] [--methods NAME] [--write]

--only measures the kinds whose 'family: name' contains TEXT, --methods these methods: the others
keep their figures, and one that had the best value runs again to compare. --write replaces their
figures in gmtoolbox/engine/measured.json, from which gm_methods(problem) gives its advice, and
writes all of them as a table into docs/results/choosing.md, with the features of all problems made
again. Times are CPU seconds of one run within a limit of LIMIT; ilp, which works in another
process, has as many wall seconds.
"""

import argparse
import json
import resource
from datetime import date
from pathlib import Path

import cpu_clock
import keep
import networkx as nx
import numpy as np

import gmtoolbox as gm
from gmtoolbox.core.text import gap_text, time_text
from gmtoolbox.engine.advice import LIMIT, features

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "gmtoolbox" / "engine" / "measured.json"
PAGE = ROOT / "docs" / "results" / "choosing.md"


def networks(n, degree=4, kept=0.9, seed=1):
    """Two scale-free networks: one node of the other each, a tenth of the edges lost."""
    rng = np.random.default_rng(seed)
    first = nx.barabasi_albert_graph(n, degree, seed=seed)
    at = rng.permutation(n)
    second = nx.empty_graph(n)
    second.add_edges_from((at[a], at[b]) for a, b in first.edges if rng.random() < kept)
    return gm.models.from_graphs(first, second)


def qap(n, seed=1):
    """Flows of which half are 0, and Manhattan distances of a grid, as in Nugent's QAPs."""
    rng = np.random.default_rng(seed)
    flow = np.triu(rng.integers(0, 10, (n, n)) * (rng.random((n, n)) < 0.5), 1)
    place = np.array([divmod(k, int(n**0.5)) for k in range(n)])
    distance = abs(place[:, None] - place[None]).sum(2)
    return gm.models.from_koopmans_beckmann(flow + flow.T, distance, sense="min")


def edit(n, seed=1):
    """Edit distance of two random graphs with four labels, changed in a tenth of their edges."""
    rng = np.random.default_rng(seed)
    first = nx.gnm_random_graph(n, int(1.2 * n), seed=seed)
    nx.set_node_attributes(first, {v: int(rng.integers(4)) for v in first}, "label")
    second = first.copy()
    second.remove_edges_from([edge for edge in first.edges if rng.random() < 0.1])
    second.add_edges_from(rng.choice(n, 2, replace=False).tolist() for _ in range(n // 10 + 1))
    second.remove_node(n - 1)
    same = dict(node_match=lambda one, other: one["label"] == other["label"])
    return gm.models.from_edit_costs(first, second, **same)


def dense(n, seed=1):
    """A full affinity matrix: distances of n points compared with those of n others."""
    rng = np.random.default_rng(seed)
    points = rng.random((n, 2))
    moved = points + 0.05 * rng.standard_normal((n, 2))
    one, other = (np.linalg.norm(p[:, None] - p[None], axis=2) for p in (points, moved))
    # row left + n * right: K[(i, s), (j, t)] compares the distance ij with the distance st
    K = np.exp(-((one[None, :, None, :] - other[:, None, :, None]) ** 2) / 0.02)
    return gm.Problem.from_matrix(K.reshape(n * n, n * n), shape=(n, n))


def noise(n, seed=1):
    """A full affinity matrix without structure: uniform random numbers."""
    return symmetric(np.random.default_rng(seed).random((n * n, n * n)), n)


def signed_noise(n, seed=1):
    """Normal affinities, half of them negative."""
    return symmetric(np.random.default_rng(seed).standard_normal((n * n, n * n)), n)


def sparse_noise(n, share=0.04, seed=1):
    """Random affinities of which most are 0."""
    rng = np.random.default_rng(seed)
    return symmetric(rng.random((n * n, n * n)) * (rng.random((n * n, n * n)) < share), n)


def planted(n, signal=0.6, seed=1):
    """Random affinities, higher among the pairs of one matching."""
    rng = np.random.default_rng(seed)
    K, true = rng.random((n * n, n * n)), np.arange(n) + n * rng.permutation(n)
    K[np.ix_(true, true)] += signal
    return symmetric(K, n)


def symmetric(K, n):
    """The problem of the symmetric part of an affinity matrix."""
    return gm.Problem.from_matrix((K + K.T) / 2, shape=(n, n))


# family: {kind: problem}; sizes of one family are compared with each other
KINDS = {
    "keypoints": {
        "keypoints of a car, 20 nodes": lambda: gm.synth.car(seed=1, size=20),
        "keypoints of a house, 30 nodes": lambda: gm.synth.house_dense(seed=1),
        "flow of 50 points": lambda: gm.synth.flow(seed=1, size=50),
        "nuclei of worms, 60 nodes": lambda: gm.synth.worms(seed=1, size=60),
        "features of photographs, 100 nodes": lambda: gm.synth.caltech_large(seed=1, size=100),
    },
    "networks": {f"networks of {n} nodes": lambda n=n: networks(n) for n in (40, 150, 600, 2000)},
    "QAP": {f"QAP of {n} nodes": lambda n=n: qap(n) for n in (12, 25, 60, 150)},
    "edit distance": {
        f"edit distance of graphs with {n} nodes": lambda n=n: edit(n) for n in (10, 25, 60)
    },
    "large sparse": {
        "sparse problem of 500 nodes": lambda: gm.synth.sparse(seed=1, size=500),
        "sparse problem of 4000 nodes": lambda: gm.synth.sparse(seed=1, size=4000),
        "nuclei of worms, 558 nodes": lambda: gm.synth.worms(seed=1),
    },
    "dense affinity": {f"dense affinity of {n} nodes": lambda n=n: dense(n) for n in (8, 20, 50)},
    "random affinity": {
        **{f"random affinity of {n} nodes": lambda n=n: noise(n) for n in (8, 20, 45)},
        "random affinity of both signs, 20 nodes": lambda: signed_noise(20),
        "sparse random affinity of 30 nodes": lambda: sparse_noise(30),
        "matching hidden in noise, 20 nodes": lambda: planted(20),
    },
}


def measure(family, name, problem, methods, stored, limit=LIMIT):
    """Return the record of a problem: the methods are measured, others keep their stored figures.

    Each has its gap to the best, its seconds and whether it proves; None: it cannot take it.
    """
    found = {method: run(problem, method, limit) for method in methods}
    kept = {method: one for method, one in stored.items() if method not in found}
    costs = {method: one[0] for method, one in found.items() if one}
    if any(kept.values()):  # their gaps are to the value of the quickest that has none
        exact = [method for method, one in stored.items() if one and one["gap"] == 0]
        quickest = min(exact, key=lambda method: stored[method]["seconds"])
        best, *_ = found.get(quickest) or run(problem, quickest, limit)
        costs |= {
            method: best + one["gap"] * max(abs(best), 1e-12) for method, one in kept.items() if one
        }
    best = min(costs.values())
    figures = kept | {
        method: one
        and {
            "seconds": round(one[1], 4),
            "proven": one[2] == "optimal",
            "cut": one[2] == "time_limit",
        }
        for method, one in found.items()
    }
    gap = lambda method: round((costs[method] - best) / max(abs(best), 1e-12), 9)
    return {
        "kind": name,
        "family": family,
        **features(problem),
        "methods": {
            method: one and {"gap": gap(method), **{k: v for k, v in one.items() if k != "gap"}}
            for method, one in sorted(figures.items())
        },
    }


def run(problem, method, limit):
    """Return cost, CPU seconds and status of a method on a problem; None: it cannot take it."""
    begin = cpu_seconds()
    try:
        result = gm.gm_solve(problem, method, time_limit=limit)
    except (gm.GMError, MemoryError):
        return None
    return problem.signed(result.value), cpu_seconds() - begin, result.status


def cpu_seconds():
    """CPU seconds of this process and of those it has waited for, as the one of ilp."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def cell(one):
    """Return the cell of a method and a kind of problem."""
    if one is None:
        return "-"
    seconds = f"> {time_text(LIMIT)}" if one["cut"] else time_text(one["seconds"])
    return f"{gap_text(one['gap'])}, {seconds}" + ", proven" * one["proven"]


def table(records):
    """The records as tables of Markdown, one per family."""
    parts = []
    for family in dict.fromkeys(record["family"] for record in records):
        own = [record for record in records if record["family"] == family]
        parts.append(f"| {family} | " + " | ".join(record["kind"] for record in own) + " |")
        parts.append("|---" * (1 + len(own)) + "|")
        for method in sorted(own[0]["methods"]):
            cells = [cell(record["methods"].get(method)) for record in own]
            parts.append(f"| {method} | " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    everything = [method.name for method in gm.gm_methods()]
    parser.add_argument("--only", default="")
    parser.add_argument("--methods", nargs="+", metavar="NAME", choices=everything)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    cpu_clock.use()
    gm.gm_solve(gm.synth.car(seed=0, size=4), "ilp")  # imports
    chosen = {
        name: (family, make)
        for family, kinds in KINDS.items()
        for name, make in kinds.items()
        if given.only in family + ": " + name
    }
    stored = {record["kind"]: record for record in json.loads(TARGET.read_text("utf-8"))}
    fresh = {}
    for name, (family, make) in chosen.items():
        known = stored[name]["methods"] if given.methods and name in stored else {}
        fresh[name] = measure(family, name, make(), given.methods or everything, known)
    print(table(list(fresh.values())))
    if given.write:
        all_of = stored | fresh
        made = {name: make for kinds in KINDS.values() for name, make in kinds.items()}
        all_of = {name: {**record, **features(made[name]())} for name, record in all_of.items()}
        records = [all_of[name] for kinds in KINDS.values() for name in kinds if name in all_of]
        TARGET.write_text(json.dumps(records, separators=(",", ":")).replace('{"kind', '\n{"kind'))
        command, day = "benchmarks/bench_choosing.py", date.today().isoformat()
        PAGE.write_text(keep.kept(PAGE.read_text("utf-8"), command, table(records), day))


if __name__ == "__main__":
    main()
