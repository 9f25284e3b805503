"""auto on pairs of networks, next to SciPy's FAQ and a GRAMPA start with SciPy's FAQ and 2-opt.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_networks.py [--limit S]
    [--others] [--random] [--seeded] [--douban] [--large N ...] [--write FILE] [PAIR ...]

PAIR is like yeast-0:yeast-25. One side is permuted. Columns: edges kept, share of nodes on their
true place, status, CPU seconds. --random: correlated random graphs (degree 20, an edge stays with
probability .95), five seeds each. --seeded: 2000 nodes of which a tenth is given, next to SciPy's
FAQ. --douban: two social networks, 3906 and 1118 people with classes. --large: sparse graphs of
5000 nodes without and with seeds, or 10000 with seeds, and the peak of memory.
"""

import argparse
import lzma
import resource
import time

import cpu_clock
import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment, quadratic_assignment
from study import data_folder

import gmtoolbox as gm

PAIRS = [
    *(f"highschool-100:highschool-{k}" for k in (80, 90, 95, 99)),
    *(f"yeast-0:yeast-{k}" for k in (5, 10, 15, 20, 25)),
]
HEAD = (
    "| pair | n | method | edges kept | of | accuracy | status | CPU s |\n"
    "|---|---|---|---|---|---|---|---|"
)


def network(name, n=None):
    """Adjacency matrix of an edge list."""
    text = lzma.open(data_folder() / "networks" / f"{name}.txt.xz", "rt").read()
    ends = np.array([line.split()[:2] for line in text.splitlines() if line.strip()], dtype=int)
    n = n or ends.max() + 1
    return graph(*ends[ends[:, 0] != ends[:, 1]].T, n)


def graph(i, j, n):
    """Adjacency matrix of an undirected graph with these edges."""
    M = sp.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    M = sp.csr_array(M + M.T)
    M.data[:] = 1.0
    return M


def pair(name, seed=0):
    """(A, B, truth): B permuted, truth the label of each node."""
    one, other = name.split(":")
    n = max(network(one).shape[0], network(other).shape[0])
    A, B = network(one, n), network(other, n).tocoo()
    truth = np.random.default_rng(seed).permutation(n)
    return A, graph(truth[B.row], truth[B.col], n), truth


def correlated(n, degree, kept, seed):
    """(A, B, truth) of a random graph and a permuted copy that keeps a part of its edges."""
    rng = np.random.default_rng(seed)
    M = sp.random_array((n, n), density=degree / n, rng=rng, format="coo")
    i, j = M.row[M.row < M.col], M.col[M.row < M.col]
    stays, truth = rng.random(len(i)) < kept, rng.permutation(n)
    return graph(i, j, n), graph(truth[i[stays]], truth[j[stays]], n), truth


def kept_edges(A, B, labels):
    """Number of edges of A that land on edges of B."""
    return int(A.multiply(B[labels][:, labels]).sum() / 2)


def grampa(A, B, eta=0.2):
    """Ten lines of numpy, as a user would write them."""
    spectra = []
    for M in (A.toarray(), B.toarray()):
        p, n = M.mean(), len(M)
        spectra.append(np.linalg.eigh((M - p) / np.sqrt(n * p * (1 - p))))
    (a, U), (b, V) = spectra
    S = U @ (np.outer(U.sum(0), V.sum(0)) / ((a[:, None] - b) ** 2 + eta**2)) @ V.T
    P = np.zeros(S.shape)
    P[linear_sum_assignment(S, maximize=True)] = 1.0
    return P


def scipy_faq(A, B, P0=None):
    """Labels by SciPy's FAQ, from a given start."""
    options = {"maximize": True, **({} if P0 is None else {"P0": P0})}
    return quadratic_assignment(A.toarray(), B.toarray(), method="faq", options=options).col_ind


def two_opt(A, B, labels, seconds):
    """SciPy's 2opt begins the same pass again after every gain: best pair swaps until none gains or
    time is over, on the gradient.
    """
    labels, end = np.array(labels), time.process_time() + seconds
    A, B = A.toarray(), B.toarray()
    while time.process_time() < end:
        G = A @ B[labels]  # G[i, s]: what i would keep at label s
        H = G[:, labels]
        own = np.diag(H)
        gain = H + H.T - own - own[:, None] + 2 * A * B[np.ix_(labels, labels)]
        i, j = np.unravel_index(np.argmax(gain), gain.shape)
        if gain[i, j] <= 1e-9:
            break
        labels[i], labels[j] = labels[j], labels[i]
    return labels


def rows_of(name, A, B, truth, limit, others):
    """Lines of the table: auto on a pair and, on request, the others."""
    found = []
    if others:
        for method, run in (
            ("SciPy FAQ", lambda: scipy_faq(A, B)),
            ("GRAMPA + SciPy FAQ + 2-opt", lambda: polished(A, B, limit)),
        ):
            begin = time.process_time()
            labels = run()
            seconds = time.process_time() - begin
            found.append(table_row(name, A, B, truth, method, labels, "", seconds))
    begin = time.process_time()
    r = gm.gm_solve(gm.models.from_graphs(A, B), time_limit=limit)
    seconds, method = time.process_time() - begin, f"auto, {limit:g} s"
    return [*found, table_row(name, A, B, truth, method, r.labels, r.status, seconds)]


def polished(A, B, limit):
    """Labels by GRAMPA, then FAQ, then 2-opt."""
    return two_opt(A, B, scipy_faq(A, B, grampa(A, B)), limit)


def table_row(name, A, B, truth, method, labels, status, seconds):
    """A line of the table, printed."""
    kept, most = kept_edges(A, B, labels), int(min(A.nnz, B.nnz) / 2)
    line = (
        f"| {name} | {A.shape[0]} | {method} | {kept} | {most} | {gm.accuracy(labels, truth):.3f} |"
        f" {status} | {seconds:.1f} |"
    )
    print(line, flush=True)
    return line


def seeded_rows():
    """A tenth of 2000 nodes given: ours with from_graphs(seeds=), SciPy's with partial_match."""
    A, B, truth = correlated(2000, 20, 0.95, 0)
    seeds = [(i, int(truth[i])) for i in range(200)]
    name, found = "G(2000, 20/n), 200 seeds", []
    begin = time.process_time()
    r = gm.gm_solve(gm.models.from_graphs(A, B, seeds=seeds), "faq", time_limit=60)
    seconds = time.process_time() - begin
    found.append(table_row(name, A, B, truth, "faq", r.labels, r.status, seconds))
    dense = A.toarray(), B.toarray()
    options = {"maximize": True, "partial_match": np.array(seeds)}
    begin = time.process_time()
    labels = quadratic_assignment(*dense, method="faq", options=options).col_ind
    seconds = time.process_time() - begin
    return [*found, table_row(name, A, B, truth, "SciPy FAQ", labels, "", seconds)]


def douban_rows(limit):
    """The smaller network into the larger one. Classes as a similarity of 1, and as what may be
    matched at all.
    """

    def numbers(name):
        text = lzma.open(data_folder() / "networks" / f"douban-{name}.txt.xz", "rt").read()
        return np.array([line.split() for line in text.splitlines()], dtype=int)

    sides, classes = [], []
    for side in ("right", "left"):
        ends, nodes = numbers(f"{side}-edge") - 1, numbers(f"{side}-node")
        sides.append(graph(ends[:, 0], ends[:, 1], len(nodes)))
        classes.append(nodes[np.argsort(nodes[:, 0]), 1])
    small, large = sides
    truth = np.empty(small.shape[0], dtype=int)
    left, right = numbers("true-matching").T - 1
    truth[right] = left
    same = classes[0][:, None] == classes[1]
    found = []
    for name, similarity in (
        ("douban, classes count 1", same.astype(float)),
        ("douban, classes must agree", np.where(same, 0.0, -np.inf)),
    ):
        problem = gm.models.from_graphs(
            small, large, similarity=similarity, complete=bool(np.isfinite(similarity).all())
        )
        for method in ("faq", "auto"):
            begin = time.process_time()
            r = gm.gm_solve(problem, method, time_limit=limit)
            seconds = time.process_time() - begin
            matched = r.labels >= 0
            kept = kept_edges(small[matched][:, matched], large, r.labels[matched])
            shown = "GRAMPA + FAQ (`faq`)" if method == "faq" else f"auto, {limit:g} s"
            found.append(
                f"| {name} | 1118 x 3906 | {shown} | {kept} | {int(small.nnz / 2)} |"
                f" {gm.accuracy(r.labels, truth):.3f} | {r.status} | {seconds:.1f} |"
            )
            print(found[-1], flush=True)
    return found


LARGE = {5000: ((20, 0), (10, 500)), 10000: ((10, 1000),)}  # (degree, seeds)


def large_rows(n, limit):
    """Sparse graphs without and with seeds; the seconds include making the problem. The peak of
    memory is that of all runs so far.
    """
    found = []
    for degree, seeds in LARGE[n]:
        A, B, truth = correlated(n, degree, 0.95, 0)
        given = [(i, int(truth[i])) for i in range(seeds)] or None
        for method in ("faq", "auto"):
            begin = time.process_time()
            r = gm.gm_solve(gm.models.from_graphs(A, B, seeds=given), method, time_limit=limit)
            seconds = time.process_time() - begin
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            name, status = f"G({n}, {degree}/n), {seeds} seeds", f"{r.status}, {memory:.1f} GB"
            found.append(table_row(name, A, B, truth, method, r.labels, status, seconds))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--seeded", action="store_true")
    parser.add_argument("--douban", action="store_true")
    parser.add_argument("--large", nargs="*", type=int, choices=sorted(LARGE), default=[])
    parser.add_argument("--write", help="also write the table to this file")
    given = parser.parse_args()
    cpu_clock.use()
    lines = [HEAD]
    print(HEAD, flush=True)
    chosen = given.random or given.seeded or given.douban or given.large
    for name in given.pairs or ([] if chosen else PAIRS):
        lines += rows_of(name, *pair(name), given.limit, given.others)
    if given.random:
        for n, limit in ((200, 2.0), (500, 5.0), (1000, 20.0)):
            for seed in range(5):
                A, B, truth = correlated(n, 20, 0.95, seed)
                lines += rows_of(f"G({n}, 20/n) seed {seed}", A, B, truth, limit, given.others)
    if given.seeded:
        lines += seeded_rows()
    if given.douban:
        lines += douban_rows(given.limit)
    for n in given.large:
        lines += large_rows(n, 120.0)
    if given.write:
        with open(given.write, "w") as file:
            file.write("# Networks\n\nWritten by benchmarks/bench_networks.py; CPU seconds of one")
            file.write(" core.\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
