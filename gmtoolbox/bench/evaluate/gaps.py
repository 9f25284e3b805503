"""Instance by instance: how far each method stayed from the best, over all of its seeds, and
whether one method is better than another, or only luckier.

Wilcoxon's signed-rank test asks whether the differences of two methods' gaps over the instances
lie around zero (Wilcoxon 1945; differences of zero do not count). Many pairs are tested at once,
so p is corrected by Holm's method (1979): the chance of even one false finding among them stays
below 5 % if p < 0.05. Instances on which a method has no answer are its worst.
"""

import csv
import io
import math
import statistics
from dataclasses import dataclass, replace
from itertools import combinations

from gmtoolbox.bench.evaluate.evaluation import is_solved
from gmtoolbox.core import text
from gmtoolbox.core.lazy import np
from gmtoolbox.core.terminal import fit_table, fold
from gmtoolbox.core.text import limit_text

HEADINGS = ("dataset", "instance", "method", "seeds", "solved", "best", "mean", "sd", "gap", "time")
TIE = 1e-6  # of the reference: values that differ by less are equal
EXACT = 200  # differences up to which p is exact


@dataclass(frozen=True)
class Gap:
    """One method on one instance; values in the instance's own sense, None without an answer."""

    dataset: str
    instance: str
    method: str
    seeds: int
    solved: float  # fraction of the seeds whose value is within 0.1 % of the reference
    best: float
    mean: float
    sd: float
    gap: float  # of the mean to the reference, relative
    time: float  # median seconds until solved, inf
    proven: bool  # whether the reference is an optimum, not just the best value seen


def find_gaps(evaluation, limit=None):
    """A Gap for every instance and method at a time limit, by default the largest."""
    limit = evaluation.limits[-1] if limit is None else limit
    found = []
    for dataset, problem in evaluation.keys():
        of = {m: evaluation.cells_of(limit, dataset, problem, m) for m in evaluation.methods}
        seen = [cell.value for cells in of.values() for cell in cells]
        reference = min(seen, default=math.inf) if problem.optimum is None else problem.optimum
        for method, cells in of.items():
            values = [cell.value for cell in cells]
            answered = all(map(math.isfinite, values))
            mean = statistics.fmean(values) if answered else None
            found.append(
                Gap(
                    dataset,
                    problem.name,
                    method,
                    len(cells),
                    sum(math.isfinite(v) and is_solved(v, reference) for v in values) / len(values),
                    problem.sign * min(values) if answered else None,
                    problem.sign * mean if answered else None,
                    statistics.stdev(values) if answered and len(values) > 1 else None,
                    relative(mean, reference) if answered else math.inf,
                    evaluation.time(dataset, problem.name, method),
                    problem.optimum is not None,
                )
            )
    return found


def relative(value, reference):
    """How much a cost exceeds a reference, relative to it; of a reference 0: the excess itself."""
    excess = value - reference
    if abs(excess) <= text.ROUNDING * abs(reference):
        return 0.0
    return excess / abs(reference) if reference else excess


def gaps_text(found):
    """Return gaps in aligned columns; ~ marks gaps to the best value, if no optimum is known."""
    rows = [
        (
            one.dataset,
            one.instance,
            one.method,
            one.seeds,
            text.percent(one.solved),
            text.number(one.best, 8),
            text.number(one.mean, 8),
            text.number(one.sd, 2),
            ("" if one.proven else "~") + text.gap_text(one.gap),
            text.seconds_text(one.time),
        )
        for one in found
    ]
    return fit_table(HEADINGS, rows, texts=3)


def gaps_csv(found):
    """Gaps as CSV: a line per instance and method, unrounded; optimum: whether the gap is to a
    known one.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*HEADINGS, "optimum"])
    for one in found:
        numbers = (one.solved, one.best, one.mean, one.sd, one.gap, one.time)
        cells = ["" if x is None or not math.isfinite(x) else repr(float(x)) for x in numbers]
        names = map(text.spreadsheet, (one.dataset, one.instance, one.method))
        writer.writerow([*names, one.seeds, *cells, str(one.proven).lower()])
    return out.getvalue()


# ---- pairs of methods


@dataclass(frozen=True)
class Pair:
    """Two methods: instances on which the first had the better value, the same, the worse."""

    first: str
    second: str
    won: int
    tied: int
    lost: int
    p: float


def compare_methods(methods, found):
    """Every Pair of methods, the one that wins more first; p after Holm's correction; found: all
    Gaps.
    """
    of = {method: {} for method in methods}
    for one in found:
        of[one.method][one.dataset, one.instance] = one.gap
    return correct_by_holm([compare_pair(a, b, of[a], of[b]) for a, b in combinations(methods, 2)])


def compare_pair(a, b, gaps_a, gaps_b):
    """The Pair of two methods, p not yet corrected."""
    difference = [find_excess(gap, gaps_a[instance]) for instance, gap in gaps_b.items()]
    won, lost = sum(d > TIE for d in difference), sum(d < -TIE for d in difference)
    tied = len(difference) - won - lost
    p = find_wilcoxon_p(difference)
    if won >= lost:
        return Pair(a, b, won, tied, lost, p)
    return Pair(b, a, lost, tied, won, p)


def find_excess(gap, other):
    """Return gap - other; no answer, inf, is worse than any and as bad as none."""
    if math.isinf(gap) or math.isinf(other):
        return 0.0 if gap == other else math.copysign(math.inf, gap - other)
    return gap - other


def find_wilcoxon_p(differences):
    """Return the two-sided p of Wilcoxon's signed-rank test; 1 if nothing differs.

    Under the hypothesis each rank r has either sign with the same chance. The distribution of the
    sum W of the positive ranks is exact up to EXACT differences, also with equal ones:
    P(W = w) after rank r is (P(W = w) + P(W = w - r)) / 2. Beyond, W is normal with the variance
    sum r^2 / 4.
    """
    real = np.array([d for d in differences if abs(d) > TIE])
    if not len(real):
        return 1.0
    _, place, count = np.unique(np.abs(real), return_inverse=True, return_counts=True)
    ranks = (2 * np.cumsum(count) - count + 1)[place.ravel()]  # twice the mean rank: an integer
    total, positive = int(ranks.sum()), int(ranks[real > 0].sum())
    least = min(positive, total - positive)
    if len(real) > EXACT:
        return math.erfc((total / 2 - least) / math.sqrt((ranks.astype(float) ** 2).sum() / 2))
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for rank in ranks.tolist():
        moved = chance[:-rank].copy()
        chance *= 0.5
        chance[rank:] += 0.5 * moved
    return min(1.0, 2 * float(chance[: least + 1].sum()))


def correct_by_holm(found):
    """The pairs with p corrected for their number."""
    order = sorted(range(len(found)), key=lambda k: found[k].p)
    corrected, least = list(found), 0.0
    for rank, k in enumerate(order):
        least = max(least, min(1.0, (len(found) - rank) * found[k].p))
        corrected[k] = replace(found[k], p=least)
    return corrected


def significance_text(evaluation):
    """Every pair of methods as a table in plain text."""
    found = compare_methods(evaluation.methods, find_gaps(evaluation))
    rows = [
        (pair.first, pair.second, pair.won, pair.tied, pair.lost, f"{pair.p:.2g}", star(pair.p))
        for pair in sorted(found, key=lambda pair: (pair.p, -pair.won))
    ]
    table = text.table(("method", "against", "won", "tied", "lost", "p", ""), rows, texts=2)
    legend = (
        f"instances on which the value at {limit_text(evaluation.limits[-1])} was better"
        " (won), equal, worse; p of Wilcoxon's signed-rank test on the gaps,"
        f" corrected for {len(found)} pairs (Holm); *: p < 0.05"
    )
    return f"{table}\n\n{fold(legend)}"


def star(p):
    """Return '*' if a difference is significant."""
    return "*" if p < 0.05 else ""
