"""Instance by instance: how far each method stayed from the best, over all of its seeds."""

import csv
import io
import math
import statistics
from dataclasses import dataclass

from gmtoolbox.bench.evaluate.evaluation import solved
from gmtoolbox.core import text
from gmtoolbox.core.terminal import fit_table

HEADINGS = ("dataset", "instance", "method", "seeds", "solved", "best", "mean", "sd", "gap", "time")


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


def gaps(evaluation, limit=None):
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
                    sum(math.isfinite(v) and solved(v, reference) for v in values) / len(values),
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
            f"{one.time:.2g}s" if one.time < math.inf else "-",
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
