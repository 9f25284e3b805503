"""Random problems, problems of many graphs and results through every file format and back.

    python benchmarks/bench_formats.py [N] [SEED]

N things of each kind (tests/format_cases.py: both senses, partial and complete, offsets, denormal
costs and costs of 1e300, unknown and infinite coordinates, names of any kind) are saved and loaded
by every registered format that reads and writes, and compared field by field in every digit. One is
*the same*, or the same but for fields that the format does not keep and a LossWarning has named
(*reported*), or *refused* on saving, with nothing written; everything else is *wrong*.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from format_cases import MAKERS, cases, differences  # noqa: E402
from format_contract import file_of, keep_one  # noqa: E402

import gmtoolbox as gm  # noqa: E402
from gmtoolbox.io.formats import FOLDER  # noqa: E402

COLUMNS = ("the same", "reported", "refused", "wrong")


def outcome(form, thing, path):
    """Return the outcome of one object, one of COLUMNS, and the error if there was one."""
    try:
        back, reported = keep_one(form, thing, path)
    except Exception as error:  # noqa: BLE001 - any error is counted
        return "wrong", f"{type(error).__name__}: {error}"
    if back is None:
        return "refused", ""
    lost = differences(thing, back)
    if not lost:
        return "the same", ""
    honest = all(name in reported and not form.keeps_field(name) for name in lost)
    return ("reported", "") if honest else ("wrong", f"changed: {lost}")


def measure(form, count, seed):
    """How often each outcome was seen."""
    seen = Counter()
    for k, thing in enumerate(cases(form.holds, seed, count)):
        with tempfile.TemporaryDirectory() as name:
            found, why = outcome(form, thing, file_of(form, Path(name), 0))
        seen[found] += 1
        if why:
            print(f"{form.holds} {form.suffix}, case {k}: {why[:200]}", file=sys.stderr)
    return seen


def main(count=20000, seed=1):
    print(f"| holds | file | {' | '.join(COLUMNS)} |")
    print("|---|---|" + "---|" * len(COLUMNS))
    total = Counter()
    for form in gm.gm_formats(*MAKERS):
        if form.reader and form.writer:
            seen = measure(form, count, seed)
            total += seen
            suffix = "a folder" if form.suffix == FOLDER else f"`{form.suffix}`"
            cells = " | ".join(str(seen[name]) for name in COLUMNS)
            print(f"| {form.holds} | {suffix} | {cells} |", flush=True)
    print(f"| all | | {' | '.join(str(total[name]) for name in COLUMNS)} |")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
