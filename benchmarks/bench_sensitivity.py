"""How much each tuned number matters, in C and in Python: halved and doubled, one at a time.

    python benchmarks/bench_sensitivity.py [--family aj ... python] [--names NAME ...]
        [--seconds 0.3] [--folder FOLDER]

Every number (sensitivity_numbers.py) is halved and doubled in the calls that read it, those of
sensitivity_problems.py and sensitivity_doors.py: as many of them, in a random order that is always
the same, as take --seconds of CPU time, and at least the two shortest. Iterations are limited, not
seconds, so that answers do not depend on the machine. A call is compared with the unchanged one:

    nothing   labels, values, bounds and iterations of all calls are equal
    little    something differs, but no value or bound is worse and few iterations are added
    matters   the rest: these get a curve over four factors

If nothing changes, the calls that were left out follow until one does, up to --more CPU seconds.
With --folder the build and every finished number are kept: a run that was cut off goes on there.
"""

import argparse
import contextlib
import hashlib
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sensitivity_numbers import PYTHON, ROOT, build, open_numbers

FACTORS = (0.25, 0.5, 2.0, 4.0)
FIRST = (0.5, 2.0)
MORE = 1.1  # ratio of iterations, geometric mean of the calls
LOSS = 1e-4  # relative: a value or bound that is worse by more counts
PATIENCE = 20.0  # times the CPU seconds of the unchanged call, and at least
LEAST_PATIENCE = 5.0  # CPU seconds, after which a changed one is cut off
REFUSED, ENDLESS = "refused", "no end"
UNCHANGED = ""  # the name of the rows of unchanged numbers


# ---- calls


def measure(call):
    """Return [digest, cost, bound, iterations, CPU seconds] of a call."""
    begin = time.process_time()
    facts = call()
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:12]
    return [digest, *facts[:3], time.process_time() - begin]


def measure_changed(call, seconds):
    """Return the same of a call with a changed number, REFUSED if it raises, or ENDLESS."""

    def give_up(*_):
        raise TimeoutError

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, max(PATIENCE * seconds, LEAST_PATIENCE))
    try:
        return measure(call)
    except TimeoutError:
        return ENDLESS
    except Exception:  # any: a number that the method cannot have
        return REFUSED
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def watch_all(numbers, calls):
    """Return ({call: row}, {number: calls that read it}) of the unchanged numbers, without the
    calls that do not repeat themselves.
    """
    base, readers = {}, {name: [] for name in numbers.text}
    for key, call in calls.items():
        first, read = numbers.watch(lambda call=call: measure(call))
        base[key] = measure(call)
        if base[key][0] != first[0]:
            print(f"{key} does not repeat itself", file=sys.stderr)
            del base[key]
            continue
        for name in read:
            readers[name].append(key)
    return base, readers


def split_calls(keys, base, seconds):
    """Return (calls for every factor, those left out, the shortest first)."""
    shortest = sorted(keys, key=lambda key: base[key][-1])
    chosen, total = shortest[:2], sum(base[key][-1] for key in shortest[:2])
    for key in random.Random(1).sample(sorted(keys), len(keys)):
        if key not in chosen and total + base[key][-1] <= seconds:
            chosen.append(key)
            total += base[key][-1]
    return chosen, [key for key in shortest if key not in chosen]


def changed_value(value, factor):
    """Return a value times a factor, as a number of its kind."""
    return max(1, round(value * factor)) if isinstance(value, int) else value * factor


def try_number(numbers, name, calls, base, keys, given):
    """Return {factor: {call: row or text}} of a number."""
    chosen, others = split_calls(keys, base, given.seconds)
    value = numbers.value(name)

    def run(factor, keys):
        changed = changed_value(value, factor)
        if changed == value:
            return {key: base[key] for key in keys}
        with numbers.change(name, changed):
            return {key: measure_changed(calls[key], base[key][-1]) for key in keys}

    rows = {factor: run(factor, chosen) for factor in FIRST}
    end = time.process_time() + given.more
    for key in others:
        if is_idle(rows, base) and time.process_time() < end:
            for factor in FIRST:
                rows[factor] |= run(factor, [key])
    if judge_number(rows, base)[0] == "matters":
        rows |= {factor: run(factor, rows[FIRST[0]]) for factor in FACTORS if factor not in FIRST}
    return rows


def work(given):
    """Add the rows of the numbers of a family to its file of JSON lines, but those that it has."""
    numbers = open_numbers(given.work, given.family[0])
    from sensitivity_problems import make_calls

    done = read_rows(given.work, given.family[0])
    calls = make_calls(given.family[0])
    with file_of(given.work, given.family[0]).open("a") as file:

        def add(*row):
            file.write(json.dumps(row) + "\n")
            file.flush()

        if UNCHANGED not in done:
            add(UNCHANGED, watch_all(numbers, calls))
        base, readers = read_rows(given.work, given.family[0])[UNCHANGED]
        for name in numbers.text:
            if name not in done and (not given.names or name in given.names):
                keys = readers[name]
                rows = try_number(numbers, name, calls, base, keys, given) if keys else {}
                add(name, [numbers.text[name], rows])


def file_of(folder, family):
    """Return the path of the rows of a family."""
    return folder / f"rows-{family}.jsonl"


def read_rows(folder, family):
    """Return {name: (value, {factor: rows})}; of UNCHANGED (rows, {name: calls that read it})."""
    path, found = file_of(folder, family), {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        name, given = json.loads(line)
        found[name] = given
    return found


# ---- comparison


def is_worse(now, before, lower):
    """Return whether a value (lower=True) or a bound is worse by more than LOSS."""
    if not (math.isfinite(now) and math.isfinite(before)):
        return now != before and (now > before) == lower
    scale = LOSS * max(abs(before), 1e-9)
    return now > before + scale if lower else now < before - scale


def judge(rows, base):
    """Return (verdict, ratio of iterations, worse calls) of a factor."""
    texts = {row for row in rows.values() if isinstance(row, str)}
    if texts:
        return "matters", 1.0, min(texts)
    if all(row[0] == base[key][0] for key, row in rows.items()):
        return "nothing", 1.0, 0
    worse = sum(
        is_worse(row[1], base[key][1], True) or is_worse(row[2], base[key][2], False)
        for key, row in rows.items()
    )
    logs = [math.log((row[3] + 1) / (base[key][3] + 1)) for key, row in rows.items()]
    ratio = math.exp(sum(logs) / len(logs))
    return ("matters" if worse or ratio > MORE else "little"), ratio, worse


VERDICTS = ("not read", "nothing", "little", "matters")


def is_idle(rows, base):
    """Return whether no factor changes a call."""
    return judge_number(rows, base)[0] == "nothing"


def judge_number(rows, base):
    """Return (verdict, number of worse calls) of {factor: rows}."""
    judged = [judge(own, base) for own in rows.values()]
    numbers = [one[2] for one in judged if not isinstance(one[2], str)]
    worse = max(numbers, default=len(rows))
    return max((one[0] for one in judged), key=VERDICTS.index, default=VERDICTS[0]), worse


# ---- tables


def describe_rows(rows, base):
    """Return a cell of a curve."""
    _, ratio, worse = judge(rows, base)
    if isinstance(worse, str):
        return worse
    return f"{ratio:.2f}" + (f", {worse} worse" if worse else "")


def head_of(family, name):
    """Return the row of the table of counts that a number belongs to."""
    if family != PYTHON:
        return f"`cext/src/{family}`"
    parts = name.split(".")
    return f"`{parts[0]}/`" if len(parts) > 2 else "other Python"


def report(folder, families, names):
    """Print the tables."""
    counts, curves = {}, []
    for family in families:
        found = read_rows(folder, family)
        base = found.pop(UNCHANGED)[0]
        for name, (value, rows) in found.items():
            if names and name not in names:
                continue
            rows = {float(factor): own for factor, own in rows.items()}
            verdict, worse = judge_number(rows, base)
            row = counts.setdefault(head_of(family, name), {key: [] for key in VERDICTS})
            row[verdict].append(name)
            if verdict == "matters":
                n_calls = len(rows[FIRST[0]])
                cells = [describe_rows(rows[factor], base) for factor in FACTORS]
                curves.append((worse / n_calls, name, value, n_calls, cells))
    print("| numbers of | all | " + " | ".join(VERDICTS) + " |\n|---|" + "---|" * 5)
    for head, row in counts.items():
        cells = [len(own) for own in row.values()]
        print("| " + " | ".join(map(str, (head, sum(cells), *cells))) + " |")
    print(
        "\n| number | value | calls | " + " | ".join(f"x {factor:g}" for factor in FACTORS) + " |"
    )
    print("|---|---|---|" + "---|" * len(FACTORS))
    for _, name, value, n_calls, cells in sorted(curves, key=lambda one: (-one[0], one[1])):
        print(f"| `{name}` | {value} | {n_calls} | " + " | ".join(cells) + " |")
    for verdict in VERDICTS[:2]:
        heads = [head for head, row in counts.items() if row[verdict]]
        print(f"\n| numbers of | {verdict} |\n|---|---|" if heads else "")
        for head in heads:
            print(f"| {head} | " + ", ".join(f"`{name}`" for name in counts[head][verdict]) + " |")


def main():
    """Build, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    families = sorted(path.parent.name for path in (ROOT / "cext" / "src").glob("*/policy.h"))
    families.append(PYTHON)
    parser.add_argument("--family", nargs="+", default=families, choices=families)
    parser.add_argument("--names", nargs="*", help="only these numbers")
    parser.add_argument("--seconds", type=float, default=0.3, help="of the calls for each factor")
    parser.add_argument("--more", type=float, default=0.5, help="for numbers that change nothing")
    parser.add_argument("--folder", type=Path, help="keep the build and the rows in this folder")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given)
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = folder.resolve()
        if not (folder / "found.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            build(folder)
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        for family in given.family:
            words = [sys.executable, __file__, "--work", str(folder), "--family", family,
                     "--seconds", str(given.seconds), "--more", str(given.more),
                     *(("--names", *given.names) if given.names else ())]  # fmt: skip
            subprocess.run(words, env=environment, check=True, timeout=24 * 3600)
        report(folder, given.family, given.names)


if __name__ == "__main__":
    main()
