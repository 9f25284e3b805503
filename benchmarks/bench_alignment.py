"""auto on noisy, large and layered networks whose true alignment is known.

    OMP_NUM_THREADS=1 python benchmarks/bench_alignment.py [--noise] [--large] [--layers]
    [--nodes N] [--seeds S ...] [--limit SECONDS] [--others] [--until-true] [--kinds K ...]

--noise: W is a random graph of density p; its partner loses each edge with probability e and gains
others at the same rate; and a 10-regular graph of which 5 % of the edges are swapped. --large:
5 % of the edges of power-law, random, small-world and geometric graphs of N nodes are removed, and
of the power grid of GMTOOLBOX_DATA (4941 nodes) if --kinds has `power`.
--layers: two networks of three layers. One side is permuted. Columns: common edges, those of the
true alignment, share of nodes on their true place, status, CPU seconds, those after which the value
of the true alignment was reached, peak memory. --others: SciPy's FAQ, from its own
start and from GRAMPA; on large graphs GRAMPA and the method of alignment_peers.py. --until-true:
auto ends at the value of the true alignment. --kinds: only those of --large or --noise whose names
begin so.
"""

import argparse
import lzma
import resource
import time
from functools import partial

import cpu_clock
import networkx as nx
import numpy as np
import scipy.sparse as sp
from alignment_peers import fugal
from bench_networks import grampa, graph, kept_edges, scipy_faq
from study import data_folder

import gmtoolbox as gm

HEAD = (
    "| pair | n | method | common edges | true | accuracy | status | CPU s | true after | GB |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)
NOISE = (
    *((0.16, 0.2), (0.008, 0.15), (0.008, 0.2), (0.02, 0.25)),
    *((0.04, 0.25), (0.008, 0.25), (0.16, 0.25)),
)
LARGE = {
    "power grid": lambda n, seed: read_power_grid(),
    "Barabasi-Albert, m = 5": lambda n, seed: nx.barabasi_albert_graph(n, 5, seed=seed),
    "G(n, 10/n)": lambda n, seed: nx.fast_gnp_random_graph(n, 10 / n, seed=seed),
    "Watts-Strogatz, degree 10": lambda n, seed: nx.watts_strogatz_graph(n, 10, 0.1, seed=seed),
    "geometric, degree 10": lambda n, seed: nx.random_geometric_graph(
        n, np.sqrt(10 / np.pi / n), seed=seed
    ),
}

TRUE = {"cost": -np.inf}  # of the pair in hand


def read_power_grid():
    """The network inf-power of GMTOOLBOX_DATA."""
    with lzma.open(data_folder() / "networks" / "inf-power.txt.xz", "rt") as file:
        return nx.convert_node_labels_to_integers(nx.parse_edgelist(file, data=False))


def upper(rng, n, p):
    """(n, n) upper triangle of a random graph."""
    return np.triu(rng.random((n, n)) < p, 1)


def correlated(n, p, e, seed):
    """(A, B, truth): W and W (1 - N1) + (1 - W) N2, permuted."""
    rng = np.random.default_rng(seed)
    W, N1, N2 = upper(rng, n, p), upper(rng, n, e), upper(rng, n, p * e / (1 - p))
    H, truth = (W & ~N1) | (~W & N2), rng.permutation(n)
    i, j = np.nonzero(H)
    return graph(*np.nonzero(W), n), graph(truth[i], truth[j], n), truth


def regular(n, share, seed):
    """(A, B, truth) of a 10-regular graph and a copy in which a share of the edges is swapped."""
    G = nx.random_regular_graph(10, n, seed=seed)
    H, m = G.copy(), G.number_of_edges()
    nx.double_edge_swap(H, nswap=int(share * m / 2), max_tries=100 * m, seed=seed)
    truth = np.random.default_rng(seed).permutation(n)
    i, j = np.array(H.edges).T
    return graph(*np.array(G.edges).T, n), graph(truth[i], truth[j], n), truth


def thinned(make, n, removed, seed):
    """(A, B, truth) of a graph and a permuted copy without a share of its edges."""
    G, rng = make(n, seed), np.random.default_rng(seed)
    ends, n = np.array(G.edges), len(G)
    stays, truth = rng.random(len(ends)) >= removed, rng.permutation(n)
    i, j = ends[stays].T
    return graph(*ends.T, n), graph(truth[i], truth[j], n), truth


def row(name, A, B, truth, limit):
    """Print the line of auto on a pair."""
    true_value = kept_edges(A, B, truth)
    reached, begin = [], time.process_time()
    TRUE["cost"] = -2.0 * true_value

    def watch(event, *_):
        if not reached and abs(event[1]) >= 2 * true_value:
            reached.append(time.process_time() - begin)

    problem = gm.models.from_graphs(A, B)
    r = gm.gm_solve(problem, time_limit=limit, progress=watch)
    show(name, A, B, truth, f"auto, {limit:g} s", r.labels, r.status, begin, reached)


def show(name, A, B, truth, method, labels, status, begin, reached=()):
    """Print a line of the table."""
    seconds, at = time.process_time() - begin, f"{reached[0]:.1f}" if reached else "-"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"| {name} | {A.shape[0]} | {method} | {kept_edges(A, B, labels)} |"
        f" {kept_edges(A, B, truth)} | {gm.accuracy(labels, truth):.3f} | {status} |"
        f" {seconds:.1f} | {at} | {memory:.1f} |",
        flush=True,
    )


def other_rows(name, A, B, truth):
    """Print the lines of SciPy's FAQ."""
    for method, first in (("SciPy FAQ", None), ("GRAMPA + SciPy FAQ", grampa)):
        begin = time.process_time()
        labels = scipy_faq(A, B, None if first is None else first(A, B))
        show(name, A, B, truth, method, labels, "", begin)


def peer_rows(name, A, B, truth):
    """Print the lines of the methods that large sparse graphs allow."""
    for method, run in (
        ("GRAMPA", lambda: grampa(A, B).argmax(axis=1)),
        ("after FUGAL", lambda: fugal(A, B)),
    ):
        begin = time.process_time()
        show(name, A, B, truth, method, run(), "", begin)


def noise_rows(n, seeds, limit, others, wanted):
    """Print the rows of noisy graphs."""
    kinds = {f"p {p}, e {e}": partial(correlated, n, p, e) for p, e in NOISE}
    kinds["10-regular, 5 % swapped"] = partial(regular, n, 0.05)
    for seed in seeds:
        for kind in filter(wanted, kinds):
            name, pair = f"{kind}, seed {seed}", kinds[kind](seed)
            if others:
                other_rows(name, *pair)
            row(name, *pair, limit)


def large_rows(n, seeds, limit, others, wanted):
    """Print the rows of large sparse graphs."""
    for seed in seeds:
        for kind in filter(wanted, LARGE):
            name, pair = f"{kind}, seed {seed}", thinned(LARGE[kind], n, 0.05, seed)
            row(name, *pair, limit)
            if others:
                peer_rows(name, *pair)


def layer_rows(n, seeds, limit):
    """Print the rows of three sparse layers: together, and their sum as one graph."""
    for seed in seeds:
        pairs = [correlated(n, 4 / n, 0.2, 10 * seed + k) for k in range(3)]
        truth = pairs[0][2]
        sides = [[], []]
        for A, B, own in pairs:  # all layers with one permutation
            back = np.empty(n, dtype=int)
            back[own] = truth
            i, j = sp.coo_array(B).coords
            sides[0].append(A)
            sides[1].append(graph(back[i], back[j], n))
        union = [sum(side) for side in sides]
        for name, problem in (
            ("3 layers", gm.models.from_layers(*sides)),
            ("their sum as one graph", gm.models.from_graphs(*union)),
        ):
            begin = time.process_time()
            r = gm.gm_solve(problem, time_limit=limit)
            kept = sum(kept_edges(A, B, r.labels) for A, B in zip(*sides, strict=True))
            best = sum(kept_edges(A, B, truth) for A, B in zip(*sides, strict=True))
            print(
                f"| {name}, seed {seed} | {n} | auto, {limit:g} s | {kept} | {best} |"
                f" {gm.accuracy(r.labels, truth):.3f} | {r.status} |"
                f" {time.process_time() - begin:.1f} | - | - |",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--layers", action="store_true")
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--until-true", action="store_true")
    parser.add_argument("--kinds", nargs="+")
    given = parser.parse_args()
    cpu_clock.use((lambda cost: cost <= TRUE["cost"]) if given.until_true else None)
    print(HEAD, flush=True)
    wanted = lambda kind: given.kinds is None or kind.startswith(tuple(given.kinds))
    if given.noise:
        noise_rows(given.nodes, given.seeds, given.limit, given.others, wanted)
    if given.large:
        large_rows(given.nodes, given.seeds, given.limit, given.others, wanted)
    if given.layers:
        layer_rows(given.nodes, given.seeds, given.limit)


if __name__ == "__main__":
    main()
