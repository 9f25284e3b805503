"""Origin of figures: commands, dates, machines, seeds and versions, and whether they can be
compared; bounds, proofs and known optima that another run of the same problem refutes.

A store repeats the claims of its runs. One matching that is better than a bound shows that the
bound was false, whatever the status says: such runs are listed, and do not count as proofs.
"""

import math

from gmtoolbox._version import __version__
from gmtoolbox.core import text
from gmtoolbox.core.text import limit_text, markup

MARGIN = 1e-6  # of value and bound: less may be rounding, or the printed digits of an optimum


def find_mixed_hardware(runs):
    """Return {dataset: its processors} if runs on one instance of it used different ones."""
    seen = {}
    for run in runs:
        if run.cpu:
            seen.setdefault(run.key[:2], set()).add(run.cpu)
    found = {}
    for (dataset, _), processors in seen.items():
        if len(processors) > 1:
            found.setdefault(dataset, set()).update(processors)
    return {dataset: sorted(processors) for dataset, processors in sorted(found.items())}


def hardware_warning(runs):
    """Return a sentence if times of one comparison come from different hardware, else ''."""
    mixed = find_mixed_hardware(runs)
    if not mixed:
        return ""
    processors = sorted({one for several in mixed.values() for one in several})
    return (
        f"Times are not comparable on {', '.join(mixed)}: its runs were made on different"
        f" processors ({', '.join(processors)})."
    )


def unverified_warning(runs):
    """Return a sentence if the problem of some runs is unknown, else ''."""
    unknown = [run for run in runs if run.outcome == "ok" and not run.problem]
    if not unknown:
        return ""
    instances = len({run.key[:2] for run in unknown})
    return (
        f"{text.count_noun(len(unknown), 'run')} on {text.count_noun(instances, 'instance')}"
        " unverified: the problem that they solved was not recorded (an older version wrote them,"
        " or they were imported). They answer for no later run."
    )


def provenance(loaded, evaluation):
    """A list of definitions for the foot of the page."""
    runs = loaded.runs()
    several = lambda values: ", ".join(sorted({str(value) for value in values if value})) or "-"
    dates = sorted(run.started[:10] for run in runs if run.started)
    loads = [run.load for run in runs if run.load is not None]
    seeds = sorted({run.seed for run in runs})
    commands = [f"{c.command} ({c.started[:16]}, {c.host})" for c in loaded.commands()]
    facts = {
        "Commands": commands or ["not recorded"],
        "Date": [" to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "-"],
        "Machine": [
            f"{several(run.host for run in runs)}: {several(run.cpu for run in runs)}"
            + (f"; load {min(loads):.1f} to {max(loads):.1f}" if loads else "")
        ],
        "Seeds": [format_seeds(seeds)],
        "Time limits": [", ".join(map(limit_text, evaluation.limits))],
        "Versions": [several(f"{n} {v}" for run in runs for n, v in run.versions.items())],
        "Written by": [f"gmtoolbox {__version__}"],
    }
    items = "".join(
        f"<dt>{name}</dt>" + "".join(f"<dd>{markup(value)}</dd>" for value in values)
        for name, values in facts.items()
    )
    return f"<h2 id='provenance'>How it was made</h2><dl class='facts'>{items}</dl>"


def format_seeds(seeds):
    """'0 to 9' of consecutive seeds, else all of them."""
    if len(seeds) > 2 and seeds[-1] - seeds[0] == len(seeds) - 1:
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


# ---- claims that another run refutes


def find_refuted_claims(store):
    """Return [((dataset, instance, method or ''), text)]: claims that a value refutes."""
    runs = [run for run in store.runs() if run.outcome == "ok"]
    signs = {row.place: -1.0 if row.sense == "max" else 1.0 for row in store.instances()}
    best = {}
    for run in runs:
        place = (*run.key[:2], run.problem)
        cost = signs.get(place, 1.0) * run.value
        if place not in best or cost < best[place][0]:
            best[place] = cost, run
    found = []
    for run in runs:
        cost, better = best[*run.key[:2], run.problem]
        bound = signs.get((*run.key[:2], run.problem), 1.0) * run.bound
        if is_refuted(bound, cost):
            reached = f"the value {better.value:.10g} of {better.method}"
            found.append((run.key[:3], f"bound {run.bound:.10g} ({run.status}), but {reached}"))
    for row in store.instances():
        cost, better = best.get(row.place, (math.inf, None))
        if row.optimum is not None and is_refuted(signs[row.place] * row.optimum, cost):
            text = f"optimum {row.optimum:.10g} of the dataset, but the value {better.value:.10g}"
            found.append(((row.dataset, row.instance, better.method), text))
    return found


def is_refuted(bound, cost):
    """Return whether a matching of this cost is better than the bound, beyond rounding."""
    if not (math.isfinite(bound) and math.isfinite(cost)):
        return bound == math.inf and math.isfinite(cost)
    return bound > cost + MARGIN * max(abs(bound), abs(cost))
