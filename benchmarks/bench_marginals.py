"""r.marginals: is a match with an estimated probability of 0.8 correct in 80 of 100 cases?

    python benchmarks/keep.py docs/results/marginals.md benchmarks/bench_marginals.py
    python benchmarks/bench_marginals.py --picture docs/results/marginals.svg

The matches of the best matching are sorted by their estimated probability; the share of correct
ones is compared with it. The expected calibration error is the mean distance of the two over the
bins, weighted by their matches. TEMPERATURE of gmtoolbox.marginals was chosen on the seeds 0 to 2
of these families; the seeds here are others.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import gmtoolbox as gm
from gmtoolbox.marginals import estimate_marginals
from gmtoolbox.plot.canvas import label, picture

SEEDS = range(100, 108)
BINS = np.array([0.0, 0.3, 0.5, 0.7, 0.9, 1.0 + 1e-9])


def shuffled(rng, n):
    """Return a random permutation and its inverse."""
    truth = rng.permutation(n)
    return truth, np.argsort(truth)


def points(seed, noise, n=15):
    """Return two noisy point sets as a problem, and the truth."""
    rng = np.random.default_rng(seed)
    P = rng.uniform(0, 100, (n, 2))
    truth, order = shuffled(rng, n)
    return gm.models.from_points(P, (P + rng.normal(0, noise, (n, 2)))[order]), truth


def vectors(seed, noise, n=15):
    """Return squared distances of noisy vectors, without pair costs, and the truth."""
    rng = np.random.default_rng(seed)
    P = rng.normal(size=(n, 3))
    truth, order = shuffled(rng, n)
    Q = (P + rng.normal(0, noise, (n, 3)))[order]
    left, right = np.divmod(np.arange(n * n), n)
    cost = ((P[left] - Q[right]) ** 2).sum(axis=1)
    return gm.Problem((n, n), left, right, cost, complete=True), truth


def networks(seed, noise, n=25):
    """Return two random graphs of which some pairs differ, and the truth."""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < 0.3, 1)
    B = A ^ np.triu(rng.random((n, n)) < noise, 1)
    truth, order = shuffled(rng, n)
    B = (B | B.T)[np.ix_(order, order)]
    return gm.models.from_graphs((A | A.T).astype(float), B.astype(float)), truth


def caltech(seed, size):
    """Return an instance like those of the study's caltech, and the truth."""
    p = gm.synth.caltech_small(seed=seed, size=size)
    return p, np.asarray(p.ground_truth)


FAMILIES = {
    "points": (points, (2, 5, 8, 12)),
    "vectors": (vectors, (0.1, 0.3, 0.5, 0.8)),
    "networks": (networks, (0.05, 0.1, 0.15, 0.2)),
    "caltech-like": (caltech, (10, 14)),
}


def measure(family, levels):
    """Return (probabilities, correctness, CPU seconds per problem) of all matches of a family."""
    probability, correct, seconds = [], [], []
    for level in levels:
        for seed in SEEDS:
            problem, truth = family(seed, level)
            result = gm.gm_solve(problem, time_limit=1.0)
            begin = time.process_time()
            marginals = estimate_marginals(problem, result, seconds=None)
            seconds.append(time.process_time() - begin)
            i = np.flatnonzero((result.labels >= 0) & (truth >= 0))
            probability.extend(marginals[i, result.labels[i]])
            correct.extend(result.labels[i] == truth[i])
    return np.array(probability), np.array(correct, float), float(np.median(seconds))


def in_bins(probability, correct):
    """Yield (matches, mean probability, share of correct ones) of each bin."""
    for low, high in zip(BINS[:-1], BINS[1:], strict=True):
        inside = (probability >= low) & (probability < high)
        if inside.any():
            yield inside.sum(), probability[inside].mean(), correct[inside].mean()
        else:
            yield 0, np.nan, np.nan


def calibration_error(bins):
    """Return the mean of |probability - share| over the matches."""
    n, probability, share = (np.array(column, float) for column in zip(*bins, strict=True))
    return np.nansum(n * np.abs(probability - share)) / n.sum()


def draw(found, path):
    """Write the reliability diagram: share of correct matches over the estimated probability."""
    side, left, top = 300, 60, 20

    def at(x, y):
        return left + side * x, top + side * (1 - y)

    body = f"<rect x='{left}' y='{top}' width='{side}' height='{side}' fill='none' stroke='#888'/>"
    (x1, y1), (x2, y2) = at(0, 0), at(1, 1)
    body += f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='#888' stroke-dasharray='4 3'/>"
    for tick in (0, 0.5, 1):
        body += label(at(tick, 0)[0], top + side + 18, f"{tick:g}", "middle")
        body += label(left - 8, at(0, tick)[1] + 4, f"{tick:g}", "end")
    body += label(left + side / 2, top + side + 38, "estimated probability", "middle")
    body += label(left, top - 6, "share of correct matches")
    colours = ("#1d74cb", "#b45a1a", "#138526", "#b02a8c")
    for k, ((name, bins), colour) in enumerate(zip(found.items(), colours, strict=True)):
        spots = [at(p, s) for n, p, s in bins if n >= 10]
        steps = " L ".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        body += f"<path d='M {steps}' fill='none' stroke='{colour}' stroke-width='1.6'/>"
        for x, y in spots:
            body += f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' fill='{colour}'/>"
        height = top + 20 + 20 * k
        body += f"<circle cx='{left + side + 20}' cy='{height - 4}' r='4' fill='{colour}'/>"
        body += label(left + side + 30, height, name)
    Path(path).write_text(picture(left + side + 130, top + side + 50, "Reliability", body))


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--picture", help="also write the reliability diagram as SVG")
    given = parser.parse_args()
    heads = [f"{low:g} to {min(high, 1):g}" for low, high in zip(BINS[:-1], BINS[1:], strict=True)]
    print("| family | matches | correct |", " | ".join(heads), "| calibration error | s |")
    print("|---" * (5 + len(heads)) + "|")
    found = {}
    for name, (family, levels) in FAMILIES.items():
        probability, correct, seconds = measure(family, levels)
        bins = found[name] = list(in_bins(probability, correct))
        cells = [f"{s:.2f} ({n})" if n else "" for n, _, s in bins]
        print(f"| {name} | {len(correct)} | {correct.mean():.2f} | {' | '.join(cells)}"
              f" | {calibration_error(bins):.2f} | {seconds:.2f} |", flush=True)  # fmt: skip
    if given.picture:
        draw(found, given.picture)


if __name__ == "__main__":
    main()
