"""Whether one method is better than another, or only luckier: instances won, and Wilcoxon's
signed-rank test.

The test asks whether the differences of two methods' gaps over the instances lie around zero
(Wilcoxon 1945; differences of zero do not count). Many pairs are tested at once, so p is corrected
by Holm's method (1979): the chance of even one false finding among them stays below 5 % if
p < 0.05. Instances on which a method has no answer are its worst.
"""

import math
from dataclasses import dataclass, replace
from itertools import combinations

from gmtoolbox.bench.evaluate.gaps import gaps
from gmtoolbox.bench.evaluate.tables import limit_text
from gmtoolbox.core import text
from gmtoolbox.core.lazy import np
from gmtoolbox.core.terminal import fold

TIE = 1e-6  # of the reference: values that differ by less are equal


@dataclass(frozen=True)
class Pair:
    """Two methods: instances on which the first had the better value, the same, the worse."""

    first: str
    second: str
    won: int
    tied: int
    lost: int
    p: float


def pairs(methods, found):
    """Every Pair of methods, the one that wins more first; p after Holm's correction; found: all
    Gaps.
    """
    of = {method: {} for method in methods}
    for one in found:
        of[one.method][one.dataset, one.instance] = one.gap
    return holm([compared(a, b, of[a], of[b]) for a, b in combinations(methods, 2)])


def compared(a, b, gaps_a, gaps_b):
    """The Pair of two methods, p not yet corrected."""
    difference = [excess(gap, gaps_a[instance]) for instance, gap in gaps_b.items()]
    won, lost = sum(d > TIE for d in difference), sum(d < -TIE for d in difference)
    tied = len(difference) - won - lost
    p = signed_rank(difference)
    if won >= lost:
        return Pair(a, b, won, tied, lost, p)
    return Pair(b, a, lost, tied, won, p)


def excess(gap, other):
    """Return gap - other; no answer, inf, is worse than any and as bad as none."""
    if math.isinf(gap) or math.isinf(other):
        return 0.0 if gap == other else math.copysign(math.inf, gap - other)
    return gap - other


def signed_rank(differences):
    """Return the two-sided p of Wilcoxon's signed-rank test; 1 if nothing differs."""
    from scipy.stats import wilcoxon  # half a second

    real = np.array([d for d in differences if abs(d) > TIE])
    if not len(real):
        return 1.0
    largest = np.abs(real[np.isfinite(real)]).max(initial=1.0)
    return float(wilcoxon(np.clip(real, -2 * largest, 2 * largest)).pvalue)


def holm(found):
    """The pairs with p corrected for their number."""
    order = sorted(range(len(found)), key=lambda k: found[k].p)
    corrected, least = list(found), 0.0
    for rank, k in enumerate(order):
        least = max(least, min(1.0, (len(found) - rank) * found[k].p))
        corrected[k] = replace(found[k], p=least)
    return corrected


def significance_text(evaluation):
    """Every pair of methods as a table in plain text."""
    found = pairs(evaluation.methods, gaps(evaluation))
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
