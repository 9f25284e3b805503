"""Does gm_methods(problem) list the methods in the right order? On problems that are not in its
table: every method runs, and the measured order is compared with the listed one.

    OMP_NUM_THREADS=1 python benchmarks/bench_advice.py [--limit S] [--only TEXT] [--runs FILE]

--limit are the CPU seconds of each run; --runs keeps the measurements in a file and takes those
that are there already. Instances of QAPLIB and of the study are read from GMTOOLBOX_DATA.

The columns: distance of the first method of the list from the best value of all; the same for the
best of the first three; Kendall's tau of the listed and the measured order (value, then proof, then
time; methods that are equal within the clock's accuracy tie); the methods that are listed before
auto although auto beats them.
"""

import argparse
import itertools
import json
import os
from pathlib import Path

import cpu_clock
import networkx as nx
import numpy as np
from bench_choosing import measure
from bench_lawler import points
from scipy.stats import kendalltau

import gmtoolbox as gm
from gmtoolbox.core.text import gap_text
from gmtoolbox.engine.advice import beats, rank, rank_methods

DATA = os.environ.get("GMTOOLBOX_DATA")


def graphs(first, lost, seed):
    """A graph and a copy in another order that lost a share of its edges and gained as many."""
    rng = np.random.default_rng(seed)
    n, at = len(first), rng.permutation(len(first))
    second = nx.empty_graph(n)
    second.add_edges_from((at[a], at[b]) for a, b in first.edges if rng.random() >= lost)
    while second.number_of_edges() < first.number_of_edges():
        second.add_edge(*rng.choice(n, 2, replace=False))
    return gm.models.from_graphs(first, second)


def uniform(n, n2=None, seed=107):
    """Affinities without any structure."""
    n2, rng = n2 or n, np.random.default_rng(seed)
    K = rng.random((n * n2, n * n2))
    return gm.Problem.from_matrix((K + K.T) / 2, shape=(n, n2))


def signed(n, seed=108):
    """Normal affinities, half of them negative."""
    K = np.random.default_rng(seed).standard_normal((n * n, n * n))
    return gm.Problem.from_matrix(K + K.T, shape=(n, n))


def thin(n, share=0.05, seed=109):
    """Random affinities of which most are 0."""
    rng = np.random.default_rng(seed)
    K = np.triu(rng.random((n * n, n * n)) * (rng.random((n * n, n * n)) < share))
    return gm.Problem.from_matrix(K + K.T, shape=(n, n))


def planted(n, signal, seed=110):
    """Random affinities, higher among the pairs of one matching."""
    rng = np.random.default_rng(seed)
    K = rng.random((n * n, n * n))
    true = np.arange(n) + n * rng.permutation(n)
    K[np.ix_(true, true)] += signal
    return gm.Problem.from_matrix((K + K.T) / 2, shape=(n, n))


def attributes(n, dimension, noise, seed=111):
    """Edges with vectors of attributes, compared by a Gaussian kernel."""
    rng = np.random.default_rng(seed)
    one = rng.random((n, n, dimension))
    one = one + one.transpose(1, 0, 2)
    other = one + noise * rng.standard_normal(one.shape)
    apart = one[None, :, None, :, :] - other[:, None, :, None, :]
    K = np.exp(-(apart**2).sum(-1) / 0.15).reshape(n * n, n * n)
    return gm.Problem.from_matrix((K + K.T) / 2, shape=(n, n))


def molecules(one, other):
    """The edit distance of two drugs."""
    lines = (Path(__file__).parent / "drugs.smi").read_text("utf-8").split("\n")
    texts = {line.split()[1]: line.split()[0] for line in lines if line.strip()}
    from rdkit import Chem

    return gm.models.from_molecules(*(Chem.MolFromSmiles(texts[name]) for name in (one, other)))


def labelled(n, m, seed):
    """Edit distance of two unrelated random graphs with three labels."""
    rng = np.random.default_rng(seed)
    both = [nx.gnm_random_graph(n, m, seed=seed + k) for k in (0, 1)]
    for graph in both:
        nx.set_node_attributes(graph, {v: int(rng.integers(3)) for v in graph}, "label")
    same = dict(node_match=lambda one, other: one["label"] == other["label"])
    return gm.models.from_edit_costs(*both, **same)


def stored(name):
    """An instance of GMTOOLBOX_DATA."""
    return gm.load(Path(DATA) / name)


def taillard(n, seed=12):
    """Two matrices of uniform integers, as in Taillard's QAPs."""
    rng = np.random.default_rng(seed)
    A, B = (np.triu(rng.integers(0, 100, (n, n)), 1) for _ in range(2))
    return gm.models.from_koopmans_beckmann(A + A.T, B + B.T, sense="min")


UNSEEN = {
    "networks": {
        "Erdős-Rényi, 150 nodes, 10 %": lambda: graphs(nx.gnp_random_graph(150, 0.1, 3), 0.1, 3),
        "Erdős-Rényi, 300 nodes, 20 %": lambda: graphs(nx.gnp_random_graph(300, 0.04, 4), 0.2, 4),
        "power law, 600 nodes, 5 %": lambda: graphs(nx.barabasi_albert_graph(600, 3, 5), 0.05, 5),
        "small world, 300 nodes, 5 %": lambda: graphs(
            nx.watts_strogatz_graph(300, 6, 0.3, 6), 0.05, 6
        ),
        "Erdős-Rényi, 1000 nodes, 5 %": lambda: graphs(nx.gnp_random_graph(1000, 0.01, 7), 0.05, 7),
        "trees of 30 nodes": lambda: graphs(nx.random_labeled_tree(30, seed=8), 0.1, 8),
    },
    "QAP": {
        "uniform, 9 nodes": lambda: taillard(9),
        "uniform, 35 nodes": lambda: taillard(35),
        **{
            f"{name} of QAPLIB": lambda name=name: stored(f"qaplib-dat/{name}.dat")
            for name in (
                "nug17",
                "chr22a",
                "bur26a",
                "esc32a",
                "tai30b",
                "kra32",
                "sko56",
                "tai80a",
            )
            if DATA
        },
    },
    "dense": {
        "uniform, 10 nodes": lambda: uniform(10),
        "uniform, 25 nodes": lambda: uniform(25),
        "uniform, 40 nodes": lambda: uniform(40),
        "uniform, 12 x 20 nodes": lambda: uniform(12, 20),
        "normal, 15 nodes": lambda: signed(15),
        "normal, 30 nodes": lambda: signed(30),
        "5 % of the entries, 20 nodes": lambda: thin(20),
        "1 % of the entries, 40 nodes": lambda: thin(40, 0.01),
        "planted, 15 nodes, strong": lambda: planted(15, 1.0),
        "planted, 30 nodes, weak": lambda: planted(30, 0.3),
        "edge attributes, 12 nodes": lambda: attributes(12, 3, 0.1),
        "edge attributes, 30 nodes": lambda: attributes(30, 1, 0.1),
    },
    "keypoints": {
        "hotel": lambda: gm.synth.hotel(seed=21),
        "motor": lambda: gm.synth.motor(seed=22),
        "photographs, 30 points": lambda: gm.synth.caltech_small(seed=23),
        "flow of 60 points, partial": lambda: gm.synth.flow(seed=24, size=60),
        "opengm": lambda: gm.synth.opengm(seed=25),
        **(
            {
                "car4 of the study": lambda: stored("car/car4.dd.xz"),
                "caltech-small5 of the study": lambda: stored("caltech-small/caltech-small5.dd.xz"),
            }
            if DATA
            else {}
        ),
    },
    "large sparse": {
        "1000 points, 10 candidates": lambda: points(1000, 10, seed=26)[0],
        "3000 points, 8 candidates": lambda: points(3000, 8, seed=27)[0],
        "nuclei of worms, 300 nodes": lambda: gm.synth.worms(seed=28, size=300),
    },
    "edit distance": {
        "labelled graphs of 12 nodes": lambda: labelled(12, 18, 29),
        "labelled graphs of 35 nodes": lambda: labelled(35, 60, 30),
        "aspirin and paracetamol": lambda: molecules("aspirin", "paracetamol"),
    },
    "tiny": {
        "uniform, 3 nodes": lambda: uniform(3),
        "networks of 5 nodes": lambda: graphs(nx.cycle_graph(5), 0.2, 31),
        "car of 4 points": lambda: gm.synth.car(seed=32, size=4),
    },
}


def score(problem, record):
    """Return the four columns of a problem."""
    found = {name: one for name, one in record["methods"].items() if one}
    order = [method.name for method, _ in rank_methods(gm.gm_methods(), problem)[0]]
    order = [name for name in order if name in found]
    places = {key: place for place, key in enumerate(sorted({rank(one) for one in found.values()}))}
    tau = kendalltau(range(len(order)), [places[rank(found[name])] for name in order]).statistic
    ahead = itertools.takewhile(lambda name: name != "auto", order)
    wrong = [name for name in ahead if beats(found["auto"], found[name])]
    first, three = found[order[0]]["gap"], min(found[name]["gap"] for name in order[:3])
    return order[0], first, three, 1.0 if np.isnan(tau) else tau, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=Path)
    given = parser.parse_args()
    cpu_clock.use()
    gm.gm_solve(gm.synth.car(seed=0, size=4), "ilp")  # imports
    done = json.loads(given.runs.read_text("utf-8")) if given.runs and given.runs.exists() else {}
    rows = []
    for family, kinds in UNSEEN.items():
        for name, make in kinds.items():
            if given.only not in f"{family}: {name}":
                continue
            problem = make()
            if name not in done:
                done[name] = measure(family, name, problem, given.limit)
                if given.runs:
                    given.runs.write_text(json.dumps(done))
            rows.append((family, name, *score(problem, done[name])))
    print("| family | problem | first | from the best | best of three | tau | wrong before auto |")
    print("|---|---|---|---|---|---|---|")
    for family, name, first, gap, three, tau, wrong in rows:
        print(
            f"| {family} | {name} | {first} | {gap_text(gap)} | {gap_text(three)} | {tau:.2f} |"
            f" {', '.join(wrong) or '-'} |"
        )
    regrets, taus = [row[3] for row in rows], [row[5] for row in rows]
    print(
        f"| all | {len(rows)} problems | | mean {gap_text(np.mean(regrets))},"
        f" best value on {sum(regret <= 1e-4 for regret in regrets)} |"
        f" mean {gap_text(np.mean([row[4] for row in rows]))} |"
        f" median {np.median(taus):.2f}, least {min(taus):.2f} |"
        f" {sum(len(row[6]) for row in rows)} |"
    )


if __name__ == "__main__":
    main()
