"""Arguments that several commands have in common."""

import argparse

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.registry import DEFAULT_METHOD


def refuse_flags(given, rule, *names):
    """InputError for the first of these arguments that has another value than its default: nothing
    would use it, for the reason that rule gives.
    """
    for name in names:
        if getattr(given, name) != given.default_of(name):
            flag = {"own": "import"}.get(name, name).replace("_", "-")
            raise InputError(f"--{flag} {rule}")


def methods_argument(sub, meaning):
    """Add --method, by default DEFAULT_METHOD."""
    sub.add_argument(
        "--method", "-m", nargs="+", default=[DEFAULT_METHOD], metavar="M", help=meaning
    )


def seed_argument(sub):
    """Add --seed."""
    sub.add_argument("--seed", type=int, default=0, help="number that fixes the random choices")


def own_solvers_argument(sub):
    """Add --import."""
    sub.add_argument(
        "--import",
        dest="own",
        nargs="+",
        default=[],
        metavar="FILE",
        help="Python files with solvers of your own (@gmtoolbox.solver)",
    )


def batch_arguments(sub, positive):
    """Add the arguments of `bench` and `run`: datasets, methods, limits, store, run_arguments."""
    sub.add_argument(
        "datasets",
        nargs="*",
        metavar="DATASET",
        help=(
            "folders with a dataset.json, folders of such, or files; "
            "default: $GMTOOLBOX_DATA, else matfiles"
        ),
    )
    sub.add_argument(
        "--methods",
        "--method",
        "-m",
        nargs="+",
        default=["all"],
        metavar="M",
        help="names that `methods` lists, 'all', or variants: [NAME=]METHOD:OPTION=VALUE,...",
    )
    own_solvers_argument(sub)
    sub.add_argument(
        "--time-limits",
        "-t",
        nargs="+",
        type=positive,
        default=[1.0, 10.0, 100.0, 300.0],
        metavar="S",
        help="seconds; each run gets the largest, the tables show all (default: 1 10 100 300)",
    )
    sub.add_argument(
        "--store",
        "-s",
        default="bench.db",
        metavar="FILE",
        help="collects the runs; the same command resumes (default: bench.db)",
    )
    run_arguments(sub, positive)


def run_arguments(sub, positive):
    """How runs are made."""
    sub.add_argument(
        "--trials", type=int, default=1, help="runs of the same thing, of which the fastest counts"
    )
    sub.add_argument(
        "--jobs", "-j", type=int, default=1, help="runs at the same time; -1 = one per processor"
    )
    sub.add_argument(
        "--seed",
        "--seeds",
        type=seeds,
        nargs="+",
        default=[(0,)],
        metavar="N",
        help="number that fixes the random choices; several, or a range like 0-9: each is a run",
    )
    sub.add_argument(
        "--threads", type=int, default=1, help="threads of the numerical libraries in one run"
    )
    sub.add_argument(
        "--memory",
        type=positive,
        metavar="MB",
        help="address space of one run (default: an equal share of the memory)",
    )
    sub.add_argument(
        "--wall",
        type=positive,
        metavar="S",
        help="a run is killed after this (default: 1.05 times the largest limit, and a minute)",
    )
    sub.add_argument(
        "--fresh", action="store_true", help="ignore stored results and run everything again"
    )
    sub.add_argument(
        "--retry-failed", action="store_true", help="repeat runs that crashed or were killed before"
    )


def fraction(text):
    """(2, 5) of '2/5'."""
    part, slash, whole = text.partition("/")
    if not (slash and part.isdecimal() and whole.isdecimal() and 1 <= int(part) <= int(whole)):
        raise argparse.ArgumentTypeError(f"must be K/N with 1 <= K <= N, got {text!r}")
    return int(part), int(whole)


def seeds(text):
    """(0, 1, 2) of '0-2', (5,) of '5'."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() if dash else not last)):
        raise argparse.ArgumentTypeError(f"must be a number or a range like 0-9, got {text!r}")
    start, end = int(first), int(last if dash else first) + 1
    if not 0 < end - start <= 10_000:
        raise argparse.ArgumentTypeError(f"must be a rising range of at most 10000, got {text!r}")
    return tuple(range(start, end))


def all_seeds(given):
    """The seeds of a command, in order."""
    return tuple(seed for part in given.seed for seed in part)
