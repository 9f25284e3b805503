"""How much each tuned number of cext/src/*/policy.h matters: doubled and halved, one at a time.

    python benchmarks/bench_sensitivity.py [--family aj ...] [--curves 12] [--folder FOLDER]
    python benchmarks/bench_sensitivity.py --screen [--family aj ...] [--names NAME ...]
    python benchmarks/bench_sensitivity.py --names NAME ...

A copy of the sources is compiled once, in which every number of the policy headers is a variable
(those that C needs at compile time stay as they are). Then every number is doubled and halved while
its methods solve the problems of sensitivity_problems.py. Iterations are limited, not seconds, so
that answers do not depend on the machine. A run is compared with the unchanged one:

    nothing   labels, values, bounds and iterations of all runs are equal
    time      the same, but the CPU seconds are SLOWER times as many, twice in a row
    little    something differs, but no value or bound is worse and few iterations are added
    matters   the rest: these get a curve over several factors

--screen only separates the first from the rest: a number is dropped at the first run that changes,
the shortest runs first. What changes nothing needs no place in a policy header.
"""

import argparse
import contextlib
import ctypes
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"^#define (\w+)[ \t]+([-+]?(?:0x[\dp.+-]+|[\d.]+(?:e[-+]?\d+)?))\b(.*)$", re.M)
FACTORS = (0.125, 0.25, 0.5, 2.0, 4.0, 8.0)
MORE = 1.1  # ratio of iterations, geometric mean of the runs
SLOWER = 1.5  # ratio of CPU seconds: machines are shared
LOSS = 1e-4  # relative: a value or bound that is worse by more counts

FINDER = """
static const struct { const char *name; void *at; } TABLE[] = {%s};
__attribute__((visibility("default"))) void *tuned_find(const char *name);
void *tuned_find(const char *name)
{
    for (unsigned k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (!strcmp(TABLE[k].name, name))
            return TABLE[k].at;
    return 0;
}
"""


# ---- a build whose numbers are variables


def numbers_of(text):
    """Return {name: literal} of a policy header."""
    return {name: value for name, value, _ in NUMBER.findall(text)}


def is_whole(literal):
    """Return whether a literal is an int of C."""
    return re.fullmatch(r"[-+]?\d+", literal) is not None


def write_headers(source, constant):
    """Make every number of the policy headers a variable but the constant ones; return {name:
    (family, literal)} of the variables.
    """
    found, lines = {}, []
    for header in sorted((ROOT / "cext" / "src").glob("*/policy.h")):
        text, family = header.read_text("utf-8"), header.parent.name

        def replace(match, family=family):
            name, literal, rest = match.groups()
            if name in constant:
                return match[0]
            found[name] = family, literal
            kind = "int" if is_whole(literal) else "double"
            lines.append(f"{kind} tuned_{name} = {literal};")
            return f"extern {kind} tuned_{name};\n#define {name} tuned_{name}{rest}"

        (source / family / "policy.h").write_text(NUMBER.sub(replace, text))
    table = ", ".join(f'{{"{name}", &tuned_{name}}}' for name in found)
    (source / "base" / "tuned.c").write_text(
        "\n".join(["#include <string.h>", *lines, FINDER % table])
    )
    return found


def find_constants(folder, source):
    """Return the names that the compiler needs as constants: those in lines that it refuses."""
    constant, files = set(), sorted(source.rglob("*.c"))
    while True:
        write_headers(source, constant)
        refused = set()
        for file in files:
            command = ["gcc", "-std=gnu11", "-fsyntax-only", "-Werror=vla",
                       f"-I{folder}/cext/include", f"-I{source}", str(file)]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode:
                names = re.findall(r"\b([A-Z][A-Z\d]*_[A-Z\d_]+)\b", done.stderr)
                refused |= {name for name in names if name not in constant}
        if not refused:
            return constant
        constant |= refused


def build(folder):
    """Copy and compile the sources with variables; return {name: (family, literal)}."""
    for name in ("gmtoolbox", "cext"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "*.pyc"))
    for name in ("setup.py", "pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    source = folder / "cext" / "src"
    constant = find_constants(folder, source)
    found = write_headers(source, constant)
    exported = folder / "cext" / "exported.map"
    exported.write_text(exported.read_text("utf-8").replace("global:", "global: tuned_find;", 1))
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(
        command, cwd=folder, check=True, timeout=1800, env={**os.environ, "MAKEFLAGS": ""}
    )
    (folder / "found.json").write_text(json.dumps(found))
    return found


# ---- runs


def measure(calls):
    """Return {call: [digest, cost, bound, iterations, CPU seconds]}."""
    found = {}
    for key, call in calls.items():
        begin = time.process_time()
        result = call()
        seconds = time.process_time() - begin
        sign = -1.0 if result.sense == "max" else 1.0
        iterations = 0 if key[0] == "multi" else result.n_iter  # which the clock decides there
        parts = [float(result.value).hex(), float(result.bound).hex(), str(iterations)]
        if key[0] != "multi":
            parts.append(repr(result.labels.tolist()))
        digest = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12]
        found[" ".join(key)] = [
            digest,
            sign * result.value,
            sign * result.bound,
            iterations,
            seconds,
        ]
    return found


def find_idle(calls, variables, factors=(2.0, 0.5)):
    """Yield the names of the variables {name: C variable} that change no run."""
    from gmtoolbox import GMError

    base = measure(calls)
    keys = sorted(calls, key=lambda key: base[" ".join(key)][-1])

    def is_changed(name, factor):
        variable = variables[name]
        before = variable.value
        variable.value = changed_value(variable, factor)
        try:
            return any(
                runs[0] != base[call][0]
                for key in keys
                for call, runs in measure({key: calls[key]}).items()
            )
        except GMError:  # a number that the method cannot have
            return True
        finally:
            variable.value = before

    for name in variables:
        if not any(is_changed(name, factor) for factor in factors):
            yield name


def changed_value(variable, factor):
    """Return the value of a variable times a factor, as a number of its kind."""
    value = variable.value * factor
    return max(1, round(value)) if isinstance(variable, ctypes.c_int) else value


def measure_again(calls, runs):
    """Measure once more and keep the smaller CPU seconds of each run."""
    for key, row in measure(calls).items():
        runs[key][-1] = min(runs[key][-1], row[-1])
    return runs


def seconds_of(runs):
    """Return the CPU seconds of all runs."""
    return sum(row[-1] for row in runs.values())


def is_worse(now, before, lower):
    """Return whether a value (lower=True) or a bound is worse by more than LOSS."""
    if not (math.isfinite(now) and math.isfinite(before)):
        return now != before and (now > before) == lower
    scale = LOSS * max(abs(before), 1e-9)
    return now > before + scale if lower else now < before - scale


def judge(changed, base):
    """Return (verdict, ratio of iterations, worse runs) of a changed number."""
    if all(changed[key][0] == base[key][0] for key in base):
        slow = seconds_of(changed) > SLOWER * seconds_of(base)
        return ("time" if slow else "nothing"), 1.0, 0
    worse = sum(
        is_worse(changed[key][1], base[key][1], True)
        or is_worse(changed[key][2], base[key][2], False)
        for key in base
    )
    logs = [math.log((changed[key][3] + 1) / (base[key][3] + 1)) for key in base]
    ratio = math.exp(sum(logs) / len(logs))
    return ("matters" if worse or ratio > MORE else "little"), ratio, worse


def open_build(folder, family, names):
    """Return (calls, {name: C variable}) of the build in this folder."""
    sys.path.insert(0, str(folder))
    from sensitivity_problems import make_calls

    import gmtoolbox as gm

    assert Path(gm.__file__).is_relative_to(folder), gm.__file__
    known = json.loads((folder / "found.json").read_text("utf-8"))
    library = ctypes.CDLL(str(next((folder / "gmtoolbox").glob("_cext*.so"))))
    library.tuned_find.restype = ctypes.c_void_p
    variables = {}
    for name in names or [name for name in known if known[name][0] == family]:
        kind = ctypes.c_int if is_whole(known[name][1]) else ctypes.c_double
        variables[name] = kind.from_address(library.tuned_find(name.encode()))
    return make_calls(family), variables


def work(folder, family, names, factors):
    """Add the runs of a family with each number times each factor to its file of JSON lines; those
    that are there already are kept.
    """
    calls, variables = open_build(folder, family, names)
    import gmtoolbox as gm

    done = read_runs(folder, family)
    base = measure_again(calls, measure(calls))
    with runs_file(folder, family).open("a") as file:

        def add(name, factor, runs):
            file.write(json.dumps([name, factor, runs]) + "\n")
            file.flush()

        add("", 1.0, base)
        for name, variable in variables.items():
            before = variable.value
            for factor in factors:
                value = changed_value(variable, factor)
                if value == before or factor in done.get(name, ()):
                    continue
                variable.value = value
                try:
                    runs = measure(calls)
                    if seconds_of(runs) > SLOWER * seconds_of(base):
                        runs = measure_again(calls, runs)
                    add(name, factor, runs)
                except gm.GMError as error:  # a number that the method cannot have
                    add(name, factor, str(error))
                variable.value = before


def runs_file(folder, family):
    """Return the path of the runs of a family."""
    return folder / f"runs-{family}.jsonl"


def read_runs(folder, family):
    """Return {name: {factor: runs or error}}, of "" and 1.0 the last unchanged ones."""
    path, found = runs_file(folder, family), {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        name, factor, runs = json.loads(line)
        found.setdefault(name, {})[factor] = runs
    return found


def run(folder, family, names=(), factors=(0.5, 2.0)):
    """Return (unchanged runs, {name: {factor: runs or error}}), made in a new process."""
    words = [sys.executable, __file__, "--work", str(folder), "--family", family, "--factors",
             *map(str, factors), *(("--names", *names) if names else ())]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(words, env=environment, check=True, timeout=24 * 3600)
    found = read_runs(folder, family)
    return found.pop("")[1.0], found


VERDICTS = ("nothing", "time", "little", "matters")


def judge_number(changed, base):
    """Return (verdict, weight for the order of the curves) of {factor: runs or error}."""
    verdicts = [judge(runs, base) if isinstance(runs, dict) else ("matters", 9.0, 1)
                for runs in changed.values()]  # fmt: skip
    verdict = max((one[0] for one in verdicts), key=VERDICTS.index)
    return verdict, max(one[2] + math.log2(max(one[1], 1.0)) for one in verdicts)


def describe_runs(runs, base):
    """Return a cell of a curve."""
    if not isinstance(runs, dict):
        return "refused" if runs else ""
    _, ratio, worse = judge(runs, base)
    return f"{ratio:.2f}" + (f", {worse} worse" if worse else "")


def print_curves(folder, names):
    """Print a table with a row for each number and a column for each factor."""
    known = json.loads((folder / "found.json").read_text("utf-8"))
    print("| number | value | " + " | ".join(f"x {factor:g}" for factor in FACTORS) + " |")
    print("|---|---|" + "---|" * len(FACTORS))
    for name in names:
        base, found = run(folder, known[name][0], [name], FACTORS)
        cells = [describe_runs(found[name].get(factor), base) for factor in FACTORS]
        print(f"| `{name}` | {known[name][1]} | " + " | ".join(cells) + " |", flush=True)


def report(folder, families, n_curves):
    """Print the tables."""
    counts, matters = {}, []
    for family in families:
        base, found = run(folder, family)
        counts[family] = {verdict: [] for verdict in VERDICTS}
        for name, changed in found.items():
            verdict, weight = judge_number(changed, base)
            counts[family][verdict].append(name)
            if verdict == "matters":
                matters.append((weight, family, name))
    print("| header | numbers | " + " | ".join(VERDICTS) + " |\n|---|" + "---|" * 5)
    for family, row in counts.items():
        cells = [len(names) for names in row.values()]
        print("| " + " | ".join(map(str, (family, sum(cells), *cells))) + " |")
    if n_curves and matters:
        print()
        print_curves(folder, [name for *_, name in sorted(matters, reverse=True)[:n_curves]])
    print("\n| header | numbers that change nothing |\n|---|---|")
    for family, row in counts.items():
        print(f"| {family} | " + ", ".join(f"`{name}`" for name in row["nothing"]) + " |")


def screen(folder, families, names):
    """Print the numbers that change nothing."""
    known = json.loads((folder / "found.json").read_text("utf-8"))
    for family in families:
        some = [name for name in names or known if known[name][0] == family]
        print(f"{family}: {len(some)} numbers, of which change nothing:", flush=True)
        if some:
            for name in find_idle(*open_build(folder, family, some)):
                print(f"    {name}", flush=True)


def main():
    """Build, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    families = sorted(path.parent.name for path in (ROOT / "cext" / "src").glob("*/policy.h"))
    parser.add_argument("--family", nargs="+", default=families, choices=families)
    parser.add_argument("--curves", type=int, default=12, help="numbers that get a curve")
    parser.add_argument("--folder", type=Path, help="keep the build in this folder")
    parser.add_argument("--screen", action="store_true", help="list what changes nothing")
    parser.add_argument("--names", nargs="*", help="curves of these; with --screen: only these")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--factors", nargs="*", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given.work, given.family[0], given.names, given.factors)
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = folder.resolve()
        if not (folder / "found.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            build(folder)
        if given.screen:
            screen(folder, given.family, given.names)
        elif given.names:
            print_curves(folder, given.names)
        else:
            report(folder, given.family, given.curves)


if __name__ == "__main__":
    main()
