"""gmtoolbox solve | info | methods | convert | verify | matlab-path: what is done to problem files.
Imports wait until a command runs, since most are heavy.
"""

import argparse
import json
import math
import sys
from decimal import ROUND_CEILING, Context
from pathlib import Path
from typing import NamedTuple

from gmtoolbox.bench.arguments import (
    methods_argument,
    own_solvers_argument,
    refuse_flags,
    seed_argument,
)
from gmtoolbox.bench.run.variants import option_value
from gmtoolbox.commands.inputs import (
    complete_argument,
    holds_many,
    load,
    matrix_arguments,
    problems,
    reading,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.result import accuracy
from gmtoolbox.core.text import RESULT_HEADINGS, number, printable, result_row, table
from gmtoolbox.engine.limits import Stop

ALL = "all"


def add_problem_commands(command, positive):
    """The commands; command(function, name, summary) makes a parser, `positive` reads a number."""
    sub = command(solve, "solve", "match the two graphs of a file")
    solve_arguments(sub, positive)

    sub = command(info, "info", "size, density and kind of problem files")
    sub.add_argument("files", nargs="+", metavar="FILE", help="problem file, or a folder of them")
    sub.add_argument("--json", action="store_true", help="one JSON object per file")
    matrix_arguments(sub)

    sub = command(methods, "methods", "list the methods")
    sub.add_argument(
        "--long", action="store_true", help="with every option: its default, range and meaning"
    )

    command(matlab_path, "matlab-path", "print the folder of the .m files, for addpath")

    sub = command(convert, "convert", "write a problem in another format, transformed on request")
    sub.add_argument("source", help="problem file")
    sub.add_argument("target", help="file to write; its suffix decides the format")
    sub.add_argument(
        "--bijective", action="store_true", help="as many left as right nodes, every one matched"
    )
    sub.add_argument("--zero-unary", action="store_true", help="move unary costs into edges")
    sub.add_argument("--nonpositive", action="store_true", help="no positive costs")
    complete_argument(sub)
    matrix_arguments(sub)

    sub = command(check, "verify", "recompute what a result of `solve --json` claims")
    sub.add_argument("result", metavar="RESULT", help="what `solve --json` printed")
    sub.add_argument("problem", metavar="PROBLEM", help="the problem file it belongs to")
    complete_argument(sub)
    matrix_arguments(sub)


def solve_arguments(sub, positive):
    """Add what `solve` takes."""
    sub.add_argument("files", nargs="+", metavar="FILE", help="problem file, or a folder of them")
    methods_argument(sub, f"names that `methods` lists, or {ALL!r}")
    sub.add_argument(
        "--time-limit",
        "-t",
        type=positive,
        metavar="S",
        help="wall seconds per run; the best answer so far is kept",
    )
    seed_argument(sub)
    complete_argument(sub)
    matrix_arguments(sub)
    sub.add_argument(
        "--set",
        nargs="+",
        default=[],
        type=assignment,
        metavar="OPTION=VALUE",
        help="options that `methods --long` lists",
    )
    sub.add_argument(
        "--json",
        action="store_true",
        help="one JSON object per improvement; the last one holds the labels",
    )
    sub.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        help="keep the result: .json .mat .csv .h5 or .npz (one file, one method)",
    )
    sub.add_argument(
        "--labels", action="store_true", help="print the labels, 0-based, -1 = unmatched"
    )
    sub.add_argument(
        "--confidence",
        action="store_true",
        help="print what changing each match would cost at least (up to ten seconds a result)",
    )
    sub.add_argument(
        "--verbose", "-v", action="store_true", help="a line on stderr for every improvement"
    )
    own_solvers_argument(sub)


def assignment(text):
    """('maxiter', 20) of 'maxiter=20': numbers, true, false and null as in JSON, anything else is a
    word.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"must be OPTION=VALUE, got {text!r}")
    return name, option_value(value)


# ---- commands


def solve(given):
    """Solve problem files and print the answers: a table, or JSON."""
    names = checked_methods(given)
    answers = []
    with Stop() as stop:
        for problem in problems(given.files, **reading(given)):
            answers += answers_for(problem, names, given, stop)
            if stop.is_set:  # Ctrl-C: what is there is printed, no more is run
                break
    if not given.json:
        print_answers(answers)
    if stop.is_set:
        sys.stdout.flush()
        raise KeyboardInterrupt


def answers_for(problem, names, given, stop):
    """Yield the Answer of every method on a problem, until a stop."""
    if isinstance(problem, MultiProblem):
        yield Answer(solve_many(problem, names, given))
        return
    for name in names:
        yield answer(problem, name, solve_one(problem, name, given), given)
        if stop.is_set:
            return


def checked_methods(given):
    """The names of the methods; whatever is wrong with the command is said before any run."""
    from gmtoolbox.engine.own import import_file
    from gmtoolbox.engine.registry import get_solver, gm_methods
    from gmtoolbox.io.formats import RESULT, format_of

    for file in given.own:
        import_file(file)
    names = [method.name for method in gm_methods()] if given.method == [ALL] else given.method
    many = any(holds_many(file) for file in given.files)
    if many:
        refuse_flags(given, "does not go with many graphs", "complete", "confidence", "verbose")
    if given.json:
        refuse_flags(given, "does not go with --json", "verbose")
    for name in () if many else names:
        get_solver(name).check(dict(given.set))
    if given.output is not None:
        format_of(given.output, RESULT, role="writer")
        if len(names) > 1 or len(given.files) > 1 or Path(given.files[0]).is_dir():
            raise InputError("--output keeps one result: give one file and one method")
    return names


def solve_one(problem, name, given):
    """The Result of one method, saved and told about as the command asks."""
    from gmtoolbox.driver import gm_solve

    shown = "verbose" if given.verbose else sys.stderr.isatty() or None
    progress = print_improvement if given.json else shown
    settings = dict(time_limit=given.time_limit, seed=given.seed, **dict(given.set))
    result = gm_solve(problem, name, progress=progress, **settings)
    if given.confidence:
        result.confidence  # noqa: B018 (computed now, it is part of what is printed and saved)
    if given.json:
        print_json(instance=problem.name, **final_record(result))
    if given.output is not None:
        result.save(given.output)
    if result.message:
        print(printable(f"{problem.name} {name}: {result.message}"), file=sys.stderr)
    return result


class Answer(NamedTuple):
    """What `solve` prints of one result: a row of the table, and lines below it."""

    row: tuple
    labels: str = None
    confidence: str = None


def answer(problem, name, result, given):
    """The Answer of a Result."""
    right = None
    if problem.ground_truth is not None:
        right = accuracy(result.labels, problem.ground_truth)
    row, labels, sure = result_row(problem.name, name, result, right), None, None
    if given.labels:
        found = " ".join(map(str, result.labels.tolist()))
        labels = f"{problem.name} {name} labels (0-based): {found}"
    if given.confidence:
        numbers = result.confidence.tolist()
        told = " ".join("-" if math.isnan(number) else f"{number:.4g}" for number in numbers)
        sure = f"{problem.name} {name} changing each match costs at least: {told}"
    return Answer(row, labels, sure)


def print_answers(answers):
    """The table of all, then all labels, then what changing each match costs."""
    if answers:
        print(table(RESULT_HEADINGS, [one.row for one in answers], texts=2))
    for field in ("labels", "confidence"):
        for line in (getattr(one, field) for one in answers):
            if line is not None:
                print(line)


def solve_many(problem, names, given):
    """Solve many graphs at once; the row of the table."""
    from gmtoolbox.commands.multi import multi_record, multi_row, solve_multi

    settings = dict(time_limit=given.time_limit, seed=given.seed)
    shown = print_improvement if given.json else None
    result = solve_multi(problem, names, given.set, shown, **settings)
    if given.json:
        print_json(instance=problem.name, **multi_record(result))
    if given.output is not None:
        result.save(given.output)
    if given.labels and not given.json:
        for g, own in enumerate(result.tracks):
            print(f"{problem.name} graph {g} tracks (0-based): {' '.join(map(str, own.tolist()))}")
    return multi_row(problem, result)


def print_improvement(event, labels, iteration):
    """Print an improvement as a line of JSON."""
    time, value, bound = event
    print_json(iteration=iteration, time=time, value=value, bound=bound)


def final_record(result):
    """What `solve --json` prints of a Result."""
    return dict(
        method=result.method,
        iteration=result.n_iter,
        time=result.time,
        value=result.value,
        bound=result.bound,
        gap=result.gap,
        status=result.status,
        seed=result.seed,
        options=result.options,
        sense=result.sense,
        shape=list(result.shape),
        labels=result.labels.tolist(),
        **certificate(result),
        **confidence(result),
    )


def certificate(result):
    """The duals that prove a bound, as lists, where a result has them."""
    stored = result.extra.get("certificate")
    return {} if stored is None else {"certificate": listed(stored)}


def confidence(result):
    """What changing each match costs at least, where it was asked for; null: not matched, or every
    matching has the match.
    """
    known = "confidence" in result.extra
    return {"confidence": result.confidence.tolist()} if known else {}


def listed(value):
    """The same with lists instead of arrays, at any depth."""
    if isinstance(value, dict):
        return {name: listed(part) for name, part in value.items()}
    if isinstance(value, list):
        return [listed(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def check(given):
    """Print what verify finds about a result; an error if a claim is false."""
    from gmtoolbox.proofs.verify import read_result, verify_record

    problem, record = load(given.problem, **reading(given)), read_result(given.result)
    done = verify_record(problem, record)
    claimed = "no bound" if record["bound"] is None else number(record["bound"], 12)
    value, proven = f"{number(done.value, 12)}, as claimed", number(done.bound, 12)
    if math.isfinite(done.gap):
        better = f" by more than {rounded_up(done.gap)}" if done.gap else ""
        value += f"; no matching is better{better}"
    print(f"labels   a {'complete ' if problem.complete else ''}matching of allowed pairs")
    print(f"value    {value}")
    if "certificate" not in record:
        print(
            f"bound    {claimed} claimed, not checked: the result holds no certificate"
            " (solve -m aj --set certify=true)"
        )
    elif done.proven:
        print(f"bound    {proven} recomputed from the duals: proves the value")
    else:
        print(f"bound    {proven} recomputed from the duals: root bound, not the whole proof")
        print(f"         {claimed} claimed: rests on fixing and branching, not certified")


def rounded_up(gap):
    """Return a number with three digits that is not smaller, as text."""
    return number(float(Context(prec=3, rounding=ROUND_CEILING).create_decimal(gap)), 3)


def print_json(**record):
    """One object on one line; JSON has no infinity, so a missing bound is null."""

    def finite(value):
        if isinstance(value, dict):
            return {name: finite(part) for name, part in value.items()}
        if isinstance(value, list):
            return [finite(part) for part in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    print(json.dumps(finite(record)), flush=True)


def info(given):
    """Print sizes and kinds of problems."""
    from gmtoolbox.commands.multi import MULTI_HEADINGS, multi_cells, multi_properties

    found = list(problems(given.files, **reading(given)))
    many = [multi_properties(problem) for problem in found if isinstance(problem, MultiProblem)]
    records = [properties(problem) for problem in found if not isinstance(problem, MultiProblem)]
    for record in many if given.json else ():
        print_json(**record)
    if many and not given.json:
        print(table(MULTI_HEADINGS, [multi_cells(record) for record in many]))
        if not records:
            return
    if given.json:
        for record in records:
            print_json(**record)
        return
    notes = [
        f"{record['instance']}: {origin}" for record in records if (origin := record.pop("origin"))
    ]
    headings = [
        "instance",
        "|V|",
        "|L|",
        "density %",
        "diagonal %",
        "bijective",
        "injective",
        "non-pos.",
        "0-unary",
        "candidates",
        "edges",
    ]
    print(
        table(headings, [[property_cell(value) for value in record.values()] for record in records])
    )
    for note in notes:  # what a .mat file's variables were taken for
        print(printable(note))


def property_cell(value):
    """What a table shows of a property."""
    if isinstance(value, bool):
        return "+" if value else ""
    return number(value, 3) if isinstance(value, float) else value


def properties(problem):
    """The columns of the study's dataset table."""
    n1, n2 = problem.shape
    size = n1 * n2
    stored = 2 * int((problem.edge_cost != 0).sum()) + int((problem.cost != 0).sum())
    return dict(
        instance=problem.name,
        n_left=n1,
        n_right=n2,
        density=100.0 * stored / size**2,
        diagonal_density=100.0 * problem.n_candidates / size,
        bijective=problem.complete and n1 == n2,
        injective=problem.complete and n1 != n2,
        nonpositive=bool((problem.cost <= 0).all() and (problem.edge_cost <= 0).all()),
        zero_unary=bool((problem.cost == 0).all()),
        n_candidates=problem.n_candidates,
        n_edges=problem.n_edges,
        origin=problem.origin,
    )


def matlab_path(given):
    """Print the folder of the .m files."""
    from gmtoolbox.wrappers import matlab_folder  # makes a function for every method

    print(matlab_folder())
    return 0


def methods(given):
    """Print the methods, with all options on request."""
    from gmtoolbox.engine.registry import gm_methods

    known = gm_methods()
    if not given.long:
        print(known)
        return
    for m in known:
        print(
            f"{m.name}: {m.summary}\n  paper: {m.paper}\n  needs: {', '.join(m.needs) or 'nothing'}"
        )
        for option in m.options:
            print(f"  {option}")
        print()


def convert(given):
    """Write a problem in another format."""
    from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE, ZERO_UNARIES, prepare
    from gmtoolbox.io import save

    wanted = [
        (given.bijective, BIJECTIVE),
        (given.zero_unary, ZERO_UNARIES),
        (given.nonpositive, NONPOSITIVE),
    ]
    problem = load(given.source, **reading(given))
    if isinstance(problem, MultiProblem):
        if any(asked for asked, _ in wanted):
            raise InputError(f"{given.source}: transforms are for two graphs, not for many")
        save(problem, given.target)
        return
    prepared = prepare(problem.as_costs(), [need for asked, need in wanted if asked])
    save(prepared.problem.materialise(), given.target)
