"""Two stores side by side: results that became worse or better, on the runs of both."""

import math
from dataclasses import dataclass

from gmtoolbox.bench.evaluate.evaluation import (
    TOLERANCE,
    best_runs,
    evaluate_runs,
    hardware_warning,
)
from gmtoolbox.bench.site.pages import (
    dataset_page,
    instance_page,
    seconds,
    sortable,
    wrap_table,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import count_noun, markup, natural, number

SLOWER, SECONDS = 2.0, 0.1  # a time changed if the ratio and the difference are at least these
WORSE, BETTER = "worse", "better"


@dataclass(frozen=True)
class Change:
    """One thing that differs on one instance with one method."""

    dataset: str
    instance: str
    method: str
    verdict: str  # WORSE or BETTER
    what: str  # 'answer', 'value', 'proof', 'time'
    before: str
    now: str


@dataclass
class Comparison:
    """The differences between a store and an earlier one."""

    changes: list
    compared: dict  # (method, dataset) -> number of instances that both have
    stores: tuple  # (now, before), loaded
    others: int = 0  # instances that are different problems of one name

    def count(self, verdict):
        """Number of changes with this verdict."""
        return sum(change.verdict == verdict for change in self.changes)

    @property
    def summary(self):
        """The comparison in one sentence."""
        worse, better = self.count(WORSE), self.count(BETTER)
        return (
            f"{worse} regression{'s' * (worse != 1)} and {better} improvement{'s' * (better != 1)}"
            f" in {sum(self.compared.values())} pairs of instance and method that both stores have"
            + (
                f"; {count_noun(self.others, 'instance')} of one name not compared: different"
                " problems"
                if self.others
                else ""
            )
        )


def compare(now, before):
    """The Comparison of two loaded stores; of several trials and seeds the best run counts."""
    ours, theirs = best_runs(now), best_runs(before)
    asked = [{run.key[:3] for run in loaded.runs()} for loaded in (now, before)]
    others = different_problems(now, before)
    both = [key for key in asked[0] & asked[1] if key[:2] not in others]
    both.sort(key=lambda key: [natural(part) for part in key])
    if not both:
        raise InputError("the two stores have no instance and method in common")
    signs = {(r.dataset, r.instance): -1.0 if r.sense == "max" else 1.0 for r in now.instances()}
    times = [evaluate_runs(loaded) for loaded in (now, before)]
    changes, compared = [], {}
    for key in both:
        compared[key[2], key[0]] = compared.get((key[2], key[0]), 0) + 1
        new, old = ours.get(key), theirs.get(key)
        if (new is None) != (old is None):
            verdict = WORSE if new is None else BETTER
            said = ("failed" if run is None else number(run.value, 9) for run in (old, new))
            changes.append(Change(*key, verdict, "answer", *said))
        elif new is not None:
            clocks = [evaluation.time(*key) for evaluation in times]
            changes += answers_changed(key, new, old, signs.get(key[:2], 1.0), *clocks)
    return Comparison(changes, compared, (now, before), len(others))


def different_problems(now, before):
    """The (dataset, instance) under which two stores have different problems; one that was not
    recorded is taken for the other's.
    """
    problems = []
    for loaded in (now, before):
        found = {}
        for run in loaded.runs():
            found.setdefault(run.key[:2], set()).add(run.problem)
        problems.append(found)
    return {
        name
        for name, ours in problems[0].items()
        if (theirs := problems[1].get(name)) and "" not in ours | theirs and not ours & theirs
    }


def answers_changed(key, new, old, sign, new_time, old_time):
    """The Changes between two answered runs."""
    excess = sign * (new.value - old.value)
    if abs(excess) > TOLERANCE * max(abs(old.value), 1e-300):
        verdict = WORSE if excess > 0 else BETTER
        yield Change(*key, verdict, "value", number(old.value, 9), number(new.value, 9))
    proofs = [run.status == "optimal" for run in (old, new)]
    if proofs[0] != proofs[1]:
        yield Change(*key, WORSE if proofs[0] else BETTER, "proof", old.status, new.status)
    if math.isfinite(new_time) and math.isfinite(old_time):
        low, high = sorted((new_time, old_time))
        if high > SLOWER * low and high - low > SECONDS:
            verdict = WORSE if new_time > old_time else BETTER
            yield Change(*key, verdict, "time", seconds(old_time), seconds(new_time))


def comparison_section(found, name):
    """The Comparison with a store of this name as a part of a page."""
    runs = [run for store in found.stores for run in store.runs()]
    warning = hardware_warning(runs)
    warned = f"<p class='warning'>{markup(warning)}</p>" if warning else ""
    return f"""<h2 id='against'>Against {markup(name)}</h2>{warned}
<p><strong class='{"wrong" if found.count(WORSE) else "correct"}'>{markup(found.summary)}.</strong>
 Worse or better: an answer lost or found, a value that differs by more than 0.1 %, a proof, or a
 time to a solution that is twice as long or short and differs by 0.1 s.</p>
{change_map(found)}{change_list(found)}"""


def change_map(found):
    """Methods x datasets: regressions and improvements of each."""
    methods = sorted({method for method, _ in found.compared}, key=natural)
    datasets = sorted({dataset for _, dataset in found.compared}, key=natural)
    head = "".join(
        f"<th scope='col'><a href='{dataset_page(name)}'>{markup(name)}</a></th>"
        for name in datasets
    )
    lines = []
    for method in methods:
        cells = ""
        for dataset in datasets:
            here = [c for c in found.changes if (c.method, c.dataset) == (method, dataset)]
            worse, better = (sum(c.verdict == v for c in here) for v in (WORSE, BETTER))
            if (method, dataset) not in found.compared:
                cells += "<td></td>"
            elif not here:
                cells += "<td class='same'>=</td>"
            else:
                said = [f"{worse} worse"] * bool(worse) + [f"{better} better"] * bool(better)
                cells += f"<td class='{'loss' if worse else 'gain'}'>{', '.join(said)}</td>"
        lines.append(f"<tr><th scope='row'>{markup(method)}</th>{cells}</tr>")
    caption = "Changes of every method on every dataset"
    return wrap_table(
        f"<table class='heat'><caption>{caption}</caption><thead><tr><th scope='col'>method</th>"
        f"{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>",
        caption,
    )


def change_list(found):
    """HTML table of the changes, regressions first."""
    rows = [
        [
            (
                f"<a href='{instance_page(c.dataset, c.instance)}'>{markup(c.instance)}</a>",
                c.instance,
            ),
            (markup(c.method), c.method),
            (f"<span class='{'wrong' if c.verdict == WORSE else 'correct'}'>{c.verdict}</span>",
             c.verdict),
            (c.what, c.what),
            (markup(c.before), c.before),
            (markup(c.now), c.now),
        ]
        for c in sorted(found.changes, key=lambda c: c.verdict, reverse=True)[:500]
    ]  # fmt: skip
    headings = ["instance", "method", "verdict", "what", "before", "now"]
    return sortable("Every change", headings, rows) if rows else ""
