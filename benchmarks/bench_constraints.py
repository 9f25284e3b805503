"""True constraints: seeds, candidate sets and cutoffs that hold for the planted matching.

    OMP_NUM_THREADS=1 python benchmarks/bench_constraints.py [--pairs N] [--each N] [--first K]
    [--limit S] [--maxiter N] [--networks FILE ...] [--only WORD ...] [--constraints WORD ...]

Every pair is two graphs of which one is a permuted, noisy copy of the other, or two point sets; of
--networks real graphs, each a text of two node numbers a line, .txt or .txt.xz. auto solves it as
it is, then with constraints, all within the same limit (CPU seconds, or iterations). A constrained
answer is worse if it costs more than the free one and more than the planted matching: a constraint
excludes cheaper matchings than the planted one at most. Each pair also has a second free solve,
with another random seed, which shows how often chance alone makes an answer worse. Prints for every
kind of pair how many answers were worse, by how much at most, and how many were better; at the end,
for each constraint, how often its answer was below the free one and above it, and the probability
of so few below if both were equally likely (sign test).
"""

import argparse
import lzma
import sys
from collections import defaultdict
from pathlib import Path

import cpu_clock
import numpy as np
import scipy.sparse as sp
from scipy.spatial import KDTree
from scipy.stats import binomtest

import gmtoolbox as gm

SIZES = 300, 3000  # nodes of some kinds

HEAD = "| pairs | constraint | runs | worse | by at most | better |\n|---|---|---:|---:|---:|---:|"


class Pair:
    """Two sets of nodes, the planted labels, and the problem with or without constraints."""

    def __init__(self, truth, make):
        self.truth, self.make = truth, make

    def problem(self, seeds=0.0, candidates=None, seed=0):
        """seeds: share of the nodes that is given; candidates: labels a node may have, the true
        one among them.
        """
        rng, truth = np.random.default_rng(seed), self.truth
        n1, n2 = len(truth), int(truth.max()) + 1
        given = allowed = None
        if seeds:
            nodes = rng.permutation(n1)[: max(1, round(seeds * n1))]
            given = [(int(i), int(truth[i])) for i in nodes]
        if candidates is not None:
            allowed = rng.random((n1, n2)) < (candidates - 1) / n2
            allowed[np.arange(n1), truth] = True
        return self.make(given, allowed)


def noisy_copy(A, kept, rng):
    """(B, truth): a graph of the kept edges and some new ones, its nodes permuted."""
    A = sp.coo_array(A)
    n, once = A.shape[0], A.row < A.col
    i, j = A.row[once], A.col[once]
    stays = rng.random(len(i)) < kept
    extra = rng.integers(0, n, (2, np.count_nonzero(~stays)))
    i, j = np.concatenate([i[stays], extra[0]]), np.concatenate([j[stays], extra[1]])
    i, j, truth = i[i != j], j[i != j], rng.permutation(n)
    return adjacency(truth[i], truth[j], n), truth


def adjacency(i, j, n):
    """Adjacency matrix of an undirected graph."""
    M = sp.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    M = sp.csr_array(M + M.T)
    M.data[:] = 1.0
    return M


def graphs(A, kept, rng, weighted=False):
    """A Pair of a graph and its noisy copy."""
    B, truth = noisy_copy(A, kept, rng)
    if weighted:
        for M in (A, B):
            M.data[:] = rng.uniform(0.5, 1.5, len(M.data))
        A, B = A + A.T, B + B.T
    A, B = (M.toarray() if M.shape[0] < 50 else M for M in (A, B))

    def make(seeds, allowed):
        if allowed is None:
            return gm.models.from_graphs(A, B, seeds=seeds)
        similarity = np.where(allowed, 0.0, -np.inf)
        return gm.models.from_graphs(A, B, seeds=seeds, similarity=similarity)

    return Pair(truth, make)


def random_graph(n, degree, rng):
    """G(n, degree / n)."""
    count = rng.poisson(degree * n / 2)
    i, j = rng.integers(0, n, (2, count))
    return adjacency(i[i != j], j[i != j], n)


def heavy_tailed(n, rng):
    """A graph with a few hubs and many leaves: degrees of a Pareto law."""
    degrees = np.minimum(np.floor(rng.pareto(1.3, n) + 1), n // 20).astype(int)
    ends = np.repeat(np.arange(n), degrees)
    ends = rng.permutation(ends)[: len(ends) // 2 * 2].reshape(2, -1)
    return adjacency(*ends[:, ends[0] != ends[1]], n)


def tree_of_hubs(n, rng):
    """A tree in which hubs attract leaves, with few more edges, as graphs of co-authors have."""
    ends = [0, 1]
    for i in range(2, n):
        ends += [i, ends[rng.integers(len(ends))]]
    more = rng.choice(ends, (2, n // 3))
    i, j = np.concatenate([np.reshape(ends, (-1, 2)).T, more], axis=1)
    return adjacency(i[i != j], j[i != j], n)


def clustered(n, size, rng):
    """Dense groups with few links between them."""
    group = np.arange(n) // size
    i, j = rng.integers(0, n, (2, 12 * n))
    j = np.where(rng.random(len(i)) < 0.95, group[i] * size + rng.integers(0, size, len(i)), j)
    i, j = i[j < n], j[j < n]
    return adjacency(i[i != j], j[i != j], n)


def power_law(n, rng):
    """Barabasi-Albert: each new node is linked to 2 to 5 others, by their degrees."""
    m, ends = int(rng.integers(2, 6)), []
    links = [(i, j) for i in range(m + 1) for j in range(i)]
    ends = [node for link in links for node in link]
    for i in range(m + 1, n):
        chosen = {ends[rng.integers(len(ends))] for _ in range(m)}
        links += [(i, j) for j in chosen]
        ends += [node for j in chosen for node in (i, j)]
    return adjacency(*np.array(links).T, n)


def small_world(n, rng):
    """Watts-Strogatz: a ring with links to 3 to 5 next nodes, a tenth of them rewired."""
    k = int(rng.integers(3, 6))
    i = np.repeat(np.arange(n), k)
    j = (i + np.tile(np.arange(1, k + 1), n)) % n
    j = np.where(rng.random(len(j)) < 0.1, rng.integers(0, n, len(j)), j)
    return adjacency(i[i != j], j[i != j], n)


def geometric(n, rng):
    """Points in a square, linked to those near by: 3 to 8 in the mean."""
    tree = KDTree(rng.random((n, 2)))
    pairs = tree.query_pairs(np.sqrt(rng.uniform(3, 8) / (np.pi * n)), output_type="ndarray")
    return adjacency(*pairs.T, n)


def points(n, rng):
    """A Pair of point sets, matched by the lengths of their edges."""
    P, truth = rng.random((n, 2)), rng.permutation(n)
    Q = np.empty((n, 2))
    Q[truth] = P + rng.normal(0, 0.01, P.shape)

    def make(seeds, allowed):
        candidates = None if allowed is None else np.argwhere(allowed)
        return gm.models.from_points(P, Q, seeds=seeds, candidates=candidates, complete=True)

    return Pair(truth, make)


# Name: pairs of every hundred, CPU seconds of a solve, function that draws a Pair
KINDS = {
    "random, 6 to 12 nodes": (
        9, 0.5, lambda rng: graphs(random_graph(rng.integers(6, 13), 3, rng), 1, rng)
    ),
    "noisy, 12 to 30": (
        9, 0.5, lambda rng: graphs(random_graph(rng.integers(12, 31), 4, rng), 0.85, rng)
    ),
    "weighted, 8 to 30": (
        9, 0.5, lambda rng: graphs(random_graph(rng.integers(8, 31), 5, rng), 0.9, rng, True)
    ),
    "points, 10 to 40": (9, 0.5, lambda rng: points(int(rng.integers(10, 41)), rng)),
    "sparse, 60 to 150": (
        11, 0.5, lambda rng: graphs(random_graph(rng.integers(60, 151), 4, rng), 0.9, rng)
    ),
    "dense, 40 to 80": (
        11, 0.5, lambda rng: graphs(random_graph(rng.integers(40, 81), 20, rng), 0.9, rng)
    ),
    "heavy-tailed, 200 to 600": (
        13, 1.0, lambda rng: graphs(heavy_tailed(int(rng.integers(200, 601)), rng), 0.95, rng)
    ),
    "clustered, 200 to 600": (
        13, 1.0, lambda rng: graphs(clustered(int(rng.integers(200, 601)), 20, rng), 0.9, rng)
    ),
    "power-law, 300 to 3000": (
        3, 1.5, lambda rng: graphs(power_law(size(rng), rng), 0.95, rng)
    ),
    "small world, 300 to 3000": (
        3, 1.5, lambda rng: graphs(small_world(size(rng), rng), 0.95, rng)
    ),
    "geometric, 300 to 3000": (3, 1.5, lambda rng: graphs(geometric(size(rng), rng), 0.95, rng)),
    "groups of 20, 300 to 3000": (
        3, 1.5, lambda rng: graphs(clustered(size(rng), 20, rng), 0.95, rng)
    ),
    "tree of hubs, 5000": (1, 4.0, lambda rng: graphs(tree_of_hubs(5000, rng), 0.95, rng)),
    "social groups, 2000 to 4000": (
        1, 4.0, lambda rng: graphs(clustered(int(rng.integers(2000, 4001)), 100, rng), 0.95, rng)
    ),
    "heavy-tailed, 2000 to 5500": (
        1, 4.0, lambda rng: graphs(heavy_tailed(int(rng.integers(2000, 5501)), rng), 0.95, rng)
    ),
    "random, 2000 to 5500": (
        1, 4.0, lambda rng: graphs(random_graph(int(rng.integers(2000, 5501)), 6, rng), 0.9, rng)
    ),
}  # fmt: skip


def size(rng):
    """A number of nodes, small ones as likely as large ones on a logarithmic scale."""
    return int(np.exp(rng.uniform(*np.log(SIZES))))


def real_network(path):
    """(name, function that draws a Pair) of the graph in a file."""
    text = (lzma.open if path.suffix == ".xz" else open)(path, "rt").read()
    lines = [line.split()[:2] for line in text.splitlines() if line[:1].isdigit()]
    nodes, ends = np.unique(np.array(lines, int), return_inverse=True)
    i, j = ends.reshape(-1, 2).T
    A = adjacency(i[i != j], j[i != j], len(nodes))
    return f"{path.name.split('.')[0]}, {len(nodes)}", (1, 4.0, lambda rng: graphs(A, 0.95, rng))


CONSTRAINTS = {
    "1 % seeds": {"seeds": 0.01},
    "10 % seeds": {"seeds": 0.1},
    "half of the nodes": {"seeds": 0.5},
    "90 % seeds": {"seeds": 0.9},
    "3 candidates": {"candidates": 3},
    "10 candidates": {"candidates": 10},
    "10 candidates, 5 % seeds": {"candidates": 10, "seeds": 0.05},
    "cutoff": {"cutoff": True},
    "none, another random seed": {"seed": 1},
}
ALWAYS, OTHERS = ("1 % seeds", "none, another random seed"), "others, alternately"


def compare(pair, constraint, free, limits, seed):
    """(how much worse, sign of the difference, result) of a constraint, in costs."""
    asked = {name: value for name, value in constraint.items() if name in ("seeds", "candidates")}
    problem = pair.problem(**asked, seed=seed)
    sign = 1.0 if problem.sense == "min" else -1.0
    planted = sign * problem.energy(pair.truth)
    options = {"cutoff": planted} if "cutoff" in constraint else {}
    r = gm.gm_solve(problem, seed=constraint.get("seed", 0), **limits, **options)
    excess = sign * r.value - max(sign * free.value, planted)
    small = 1e-9 * max(abs(planted), 1.0)
    change = sign * (r.value - free.value)
    return excess if excess > small else 0.0, np.sign(change) * (abs(change) > small), r


def sign_test(signs):
    """How often a constrained answer is below the free one, and the probability of that."""
    below, above = signs.count(1), signs.count(-1)
    p = binomtest(below, below + above, alternative="less").pvalue if below + above else 1.0
    return f"below the free value {below}, above {above}, equal {signs.count(0)}; p = {p:.2g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=200, help="of all kinds")
    parser.add_argument("--each", type=int, help="pairs of every kind instead")
    parser.add_argument("--first", type=int, default=0, help="random seed of the first pair")
    parser.add_argument("--limit", type=float, help="CPU seconds of a solve; default: by the kind")
    parser.add_argument("--maxiter", type=int, help="iterations instead")
    parser.add_argument("--networks", nargs="*", type=Path, help="files of real networks")
    parser.add_argument("--only", nargs="*", help="words in the names of kinds")
    parser.add_argument("--constraints", nargs="*", help="words in the names of constraints")
    given = parser.parse_args()
    gm.gm_solve(np.eye(4))  # imports are not measured
    cpu_clock.use()
    kinds, worst = KINDS, []
    if given.networks:
        kinds = dict(map(real_network, given.networks))
    signs = defaultdict(list)
    print(HEAD, flush=True)
    for place, (kind, (share, seconds, draw)) in enumerate(kinds.items()):
        if not wanted(kind, given.only):
            continue
        limits = {"maxiter": given.maxiter} if given.maxiter else {}
        limits = limits or {"time_limit": given.limit or seconds}
        rows = defaultdict(list)
        for k in range(given.first, given.first + (given.each or given.pairs * share // 100)):
            pair = draw(np.random.default_rng(k))
            free = gm.gm_solve(pair.problem(), **limits)
            for name, constraint in chosen_constraints(given.constraints, place + k):
                excess, sign, r = compare(pair, constraint, free, limits, k)
                rows[name if name in ALWAYS else OTHERS].append((excess, sign < 0))
                signs[name].append(sign)
                if excess:
                    worst.append((kind, name, k, free.value, r.value, r.status, round(r.time, 2)))
                    print("worse:", *worst[-1], file=sys.stderr, flush=True)
        for name, found in rows.items():
            excess, better = zip(*found, strict=True)
            print(
                f"| {kind} | {name} | {len(found)} | {np.count_nonzero(excess)} |"
                f" {max(excess):.3g} | {sum(better)} |", flush=True,
            )  # fmt: skip
    print()
    for name, of_this in signs.items():
        print(f"{name}: {sign_test(of_this)}")
    for row in worst:
        print("worse:", *row)


def wanted(name, words):
    """Whether one of the words is in the name; also if no words are given."""
    return not words or any(word in name for word in words)


def chosen_constraints(words, n):
    """(name, constraint) of those with the words; by default those of ALWAYS and another one, which
    changes from pair to pair.
    """
    if words:
        return [(name, CONSTRAINTS[name]) for name in CONSTRAINTS if wanted(name, words)]
    others = [name for name in CONSTRAINTS if name not in ALWAYS]
    return [(name, CONSTRAINTS[name]) for name in (*ALWAYS, others[n % len(others)])]


if __name__ == "__main__":
    main()
