"""auto on pairs of networks, beside SciPy's FAQ and a GRAMPA start with SciPy's FAQ and 2-opt.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_networks.py [--limit S]
    [--others] [--random] [--large] [--write FILE] [PAIR ...]

PAIR is like yeast-0:yeast-25. One side is permuted. Columns: edges kept, share of nodes on their
true place, status, CPU seconds. --random: correlated random graphs (degree 20, an edge stays with
probability .95), five seeds each. --large: sparse graphs of 2000 to 10000 nodes, with and without
seeds, and the peak of memory.
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
    rng = np.random.default_rng(seed)
    M = sp.random_array((n, n), density=degree / n, rng=rng, format="coo")
    i, j = M.row[M.row < M.col], M.col[M.row < M.col]
    stays, truth = rng.random(len(i)) < kept, rng.permutation(n)
    return graph(i, j, n), graph(truth[i[stays]], truth[j[stays]], n), truth


def kept_edges(A, B, labels):
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
    def row(method, labels, status, seconds):
        line = (
            f"| {name} | {A.shape[0]} | {method} | {kept_edges(A, B, labels)} |"
            f" {int(min(A.nnz, B.nnz) / 2)} | {gm.accuracy(labels, truth):.3f} | {status} |"
            f" {seconds:.1f} |"
        )
        print(line, flush=True)
        return line

    found = []
    if others:
        for method, run in (
            ("SciPy FAQ", lambda: scipy_faq(A, B)),
            ("GRAMPA + SciPy FAQ + 2-opt", lambda: polished(A, B, limit)),
        ):
            begin = time.process_time()
            labels = run()
            found.append(row(method, labels, "", time.process_time() - begin))
    begin = time.process_time()
    r = gm.gm_solve(gm.models.from_graphs(A, B), time_limit=limit)
    found.append(row(f"auto, {limit:g} s", r.labels, r.status, time.process_time() - begin))
    return found


def polished(A, B, limit):
    return two_opt(A, B, scipy_faq(A, B, grampa(A, B)), limit)


def large_rows(limit):
    """Sparse graphs: faq without and with seeds."""
    found = []
    for n, degree, seeds in ((2000, 20, 200), (5000, 20, 0), (5000, 10, 500), (10000, 10, 1000)):
        A, B, truth = correlated(n, degree, 0.95, 0)
        begin = time.process_time()
        problem = gm.models.from_graphs(A, B)
        rest = problem.fix([(i, truth[i]) for i in range(seeds)]) if seeds else None
        r = gm.gm_solve(rest.problem if rest else problem, "faq", time_limit=limit)
        labels = rest.lift(r.labels) if rest else r.labels
        seconds = time.process_time() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        found.append(
            f"| G({n}, {degree}/n), {seeds} seeds | {n} | faq | {kept_edges(A, B, labels)} |"
            f" {int(B.nnz / 2)} | {gm.accuracy(labels, truth):.3f} | {r.status}, {memory:.1f} GB |"
            f" {seconds:.1f} |"
        )
        print(found[-1], flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--write", help="also write the table to this file")
    given = parser.parse_args()
    cpu_clock.use()
    lines = [HEAD]
    print(HEAD, flush=True)
    for name in given.pairs or ([] if given.random or given.large else PAIRS):
        lines += rows_of(name, *pair(name), given.limit, given.others)
    if given.random:
        for n, limit in ((200, 2.0), (500, 5.0), (1000, 20.0)):
            for seed in range(5):
                A, B, truth = correlated(n, 20, 0.95, seed)
                lines += rows_of(f"G({n}, 20/n) seed {seed}", A, B, truth, limit, given.others)
    if given.large:
        lines += large_rows(120.0)
    if given.write:
        with open(given.write, "w") as file:
            file.write("# Networks\n\nWritten by benchmarks/bench_networks.py; CPU seconds of one")
            file.write(" core.\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
