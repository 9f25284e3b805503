"""gmtoolbox solve | info | methods | convert | verify | matlab-path: commands on problem files.
Imports wait until a command runs, since most are heavy.
"""

import argparse
import math
import sys
from decimal import ROUND_CEILING, Context
from pathlib import Path

from gmtoolbox.bench.arguments import (
    methods_argument,
    own_solvers_argument,
    refuse_flags,
    seed_argument,
)
from gmtoolbox.bench.run.variants import option_value
from gmtoolbox.commands.answers import answer_of, print_answers
from gmtoolbox.commands.info import info, print_json
from gmtoolbox.commands.inputs import (
    complete_argument,
    holds_many,
    load,
    matrix_arguments,
    problems,
    reading_of,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.terminal import fold, pairs, say
from gmtoolbox.core.text import number
from gmtoolbox.engine.limits import Stop
from gmtoolbox.engine.registry import DEFAULT_METHOD

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
    sub.add_argument("names", nargs="*", metavar="NAME", help="methods to print with all options")
    sub.add_argument(
        "--for",
        dest="problem",
        metavar="FILE",
        help="those that suit the problem of a file, best first, as measured on similar ones",
    )
    sub.add_argument(
        "--long", action="store_true", help="with every option: its default, range and meaning"
    )

    command(matlab_path, "matlab-path", "print the folder of the .m files, for addpath")

    sub = command(convert, "convert", "write a problem in another format, transformed on request")
    sub.add_argument("source", metavar="SOURCE", help="problem file")
    sub.add_argument(
        "target", metavar="TARGET", help="file to write; its suffix decides the format"
    )
    sub.add_argument(
        "--bijective", action="store_true", help="as many left as right nodes, every one matched"
    )
    sub.add_argument("--zero-unary", action="store_true", help="move unary costs into edges")
    sub.add_argument("--nonpositive", action="store_true", help="no positive costs")
    complete_argument(sub)
    matrix_arguments(sub)

    sub = command(check, "verify", "check the claims of a result of `solve --json`")
    sub.add_argument("result", metavar="RESULT", help="the output of `solve --json`")
    sub.add_argument("problem", metavar="PROBLEM", help="the problem file it belongs to")
    complete_argument(sub)
    matrix_arguments(sub)


def solve_arguments(sub, positive):
    """Add the arguments of `solve`."""
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
        "--checkpoint",
        metavar="FILE",
        help="keep the open subproblems of method aj, and go on from them if the file exists;"
        " processes share a folder (NAME/)",
    )
    sub.add_argument(
        "--proof",
        metavar="FILE",
        help="if the result is optimal, write a proof of the whole search for `verify`",
    )
    sub.add_argument(
        "--labels", action="store_true", help="print the labels, 0-based, -1 = unmatched"
    )
    sub.add_argument(
        "--confidence",
        action="store_true",
        help="print a lower bound on the cost of changing each match (up to ten seconds a result)",
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
    names = check_methods(given)
    answers = []
    with Stop() as stop:
        for problem in problems(given.files, **reading_of(given)):
            answers += answers_for(problem, names, given, stop)
            if stop.is_set:  # Ctrl-C: print the answers so far and run no more
                break
    if not given.json:
        print_answers(answers, given.files[0], given.output is not None)
    if stop.is_set:
        sys.stdout.flush()
        raise KeyboardInterrupt


def answers_for(problem, names, given, stop):
    """Yield the Answer of every method on a problem, until a stop."""
    if isinstance(problem, MultiProblem):
        yield solve_many(problem, names, given)
        return
    for name in names:
        result = solve_one(problem, name, given)
        yield answer_of(problem, name, result, given, given.files[0])
        if stop.is_set:
            return


def check_methods(given):
    """The names of the methods; whatever is wrong with the command is said before any run."""
    from gmtoolbox.engine.own import import_file
    from gmtoolbox.engine.registry import get_solver, gm_methods
    from gmtoolbox.io.formats import RESULT, format_of

    for file in given.own:
        import_file(file)
    names = [method.name for method in gm_methods()] if given.method == [ALL] else given.method
    many = any(holds_many(file) for file in given.files)
    if many:
        unused = "complete", "confidence", "verbose", "checkpoint", "proof"
        refuse_flags(given, "does not go with many graphs", *unused)
    one = len(names) == 1 and len(given.files) == 1 and not Path(given.files[0]).is_dir()
    if given.checkpoint is not None:
        if not one:
            raise InputError("--checkpoint keeps one search: give one file and one method")
        if names == [DEFAULT_METHOD]:
            names = [method.name for method in gm_methods() if takes_checkpoint(method)][:1]
        given.set = [*given.set, ("checkpoint", given.checkpoint)]
    if given.proof is not None and not one:
        raise InputError("--proof proves one result: give one file and one method")
    if given.json:
        refuse_flags(given, "does not go with --json", "verbose")
    for name in () if many else names:
        get_solver(name).check(dict(given.set))
    if given.output is not None:
        format_of(given.output, RESULT, role="writer")
        if not one:
            raise InputError("--output keeps one result: give one file and one method")
    return names


def takes_checkpoint(method):
    """Return True if a method can go on from a file."""
    return any(option.name == "checkpoint" for option in method.options)


def solve_one(problem, name, given):
    """Return the Result of one method, saved and printed as the command asks."""
    from gmtoolbox.driver import gm_solve

    shown = "verbose" if given.verbose else sys.stderr.isatty() or None
    progress = print_improvement if given.json else shown
    settings = dict(time_limit=given.time_limit, seed=given.seed, **dict(given.set))
    result = gm_solve(problem, name, progress=progress, **settings)
    if given.confidence:
        result.confidence  # noqa: B018 (computed now, it is printed and saved)
    if given.json:
        print_json(instance=problem.name, **final_record(result))
    if given.output is not None:
        result.save(given.output)
    if given.proof is not None:
        from gmtoolbox.proofs.tree import write_proof

        write_proof(problem, result, given.proof)
    for text in filter(None, (result.message, describe_rest(result))):
        say(f"{problem.name} {name}: {text}")
    return result


def describe_rest(result):
    """Return how far a search with a checkpoint is, if it did not end."""
    from gmtoolbox.solvers._checkpoint import describe

    progress = result.extra.get("checkpoint")
    if not progress or not progress["open"]:
        return ""
    return f"{describe(progress)}; the same command goes on."


def solve_many(problem, names, given):
    """Solve many graphs at once; return the Answer."""
    from gmtoolbox.commands.multi import multi_answer, multi_record, solve_multi

    settings = dict(time_limit=given.time_limit, seed=given.seed)
    shown = print_improvement if given.json else None
    result = solve_multi(problem, names, given.set, shown, **settings)
    if given.json:
        print_json(instance=problem.name, **multi_record(result))
    if given.output is not None:
        result.save(given.output)
    return multi_answer(problem, result, given.labels)


def print_improvement(event, labels, iteration):
    """Print an improvement as a line of JSON."""
    time, value, bound = event
    print_json(iteration=iteration, time=time, value=value, bound=bound)


def final_record(result):
    """Return the object that `solve --json` prints of a Result."""
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
    """Return the duals that prove a bound, as lists, if a result has them."""
    stored = result.extra.get("certificate")
    return {} if stored is None else {"certificate": arrays_to_lists(stored)}


def confidence(result):
    """Return the confidence of each match, if it was asked for; null: not matched, or every
    matching has the match.
    """
    known = "confidence" in result.extra
    return {"confidence": result.confidence.tolist()} if known else {}


def arrays_to_lists(value):
    """The same with lists instead of arrays, at any depth."""
    if isinstance(value, dict):
        return {name: arrays_to_lists(part) for name, part in value.items()}
    if isinstance(value, list):
        return [arrays_to_lists(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def check(given):
    """Print the findings of verify about a result; an error if a claim is false."""
    from gmtoolbox.proofs.verify import read_result, verify_record

    problem, record = load(given.problem, **reading_of(given)), read_result(given.result)
    done = verify_record(problem, record, given.result)
    claimed = "no bound" if record["bound"] is None else number(record["bound"], 12)
    value, proven = f"{number(done.value, 12)}, as claimed", number(done.bound, 12)
    if math.isfinite(done.gap):
        better = f" by more than {round_up(done.gap)}" if done.gap else ""
        value += f"; no matching is better{better}"
    kind = "complete " if problem.complete else ""
    rows = [("labels", f"a {kind}matching of allowed pairs"), ("value", value)]
    if "certificate" not in record and not record.get("tree"):
        why = "the result holds no certificate (solve -m aj --set certify=true)"
        rows.append(("bound", f"{claimed} claimed, not checked: {why}"))
    elif done.proven:
        rows.append(("bound", f"{proven} recomputed from the duals: proves the value"))
    else:
        part = "not the value" if record.get("tree") else "root bound, not the whole proof"
        said = f"{proven} recomputed from the duals: {part}"
        is_certified = problem.signed(done.bound) >= problem.signed(done.claimed_bound)
        rest = "" if is_certified else "; {} claimed: rests on fixing and branching, not certified"
        rows.append(("bound", said + rest.format(claimed)))
    print(pairs(rows))


def round_up(gap):
    """Return a number with three digits that is not smaller, as text."""
    return number(float(Context(prec=3, rounding=ROUND_CEILING).create_decimal(gap)), 3)


def matlab_path(given):
    """Print the folder of the .m files."""
    from gmtoolbox.wrappers import matlab_folder  # makes a function for every method

    print(matlab_folder())
    return 0


def methods(given):
    """Print the methods, some of them with all their options, or those that suit a problem."""
    from gmtoolbox.engine.registry import get_solver, gm_methods

    if given.problem is not None:
        if given.names or given.long:
            raise InputError("--for does not go with names and --long")
        print(gm_methods(load(given.problem)))
        return
    known = [get_solver(name) for name in given.names] or gm_methods()
    if not (given.names or given.long):
        print(known)
        print(f"\n{fold(MORE)}")
        return
    print("\n\n".join(method_text(method) for method in known))


MORE = (
    "`gmtoolbox methods NAME` prints the options of one, `gmtoolbox methods --for FILE` those that"
    " suit a problem."
)


def method_text(m):
    """Return a method in words, with its options."""
    lines = [fold(f"{m.name}: {m.summary}", "  ", "")]
    lines += [fold(f"paper: {m.paper}", "    ", "  ")]
    lines += [f"  needs: {', '.join(m.needs) or 'nothing'}"]
    return "\n".join(lines + [fold(str(option), "      ", "  ") for option in m.options])


def convert(given):
    """Write a problem in another format."""
    from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE, ZERO_UNARIES, prepare
    from gmtoolbox.io import save

    wanted = [
        (given.bijective, BIJECTIVE),
        (given.zero_unary, ZERO_UNARIES),
        (given.nonpositive, NONPOSITIVE),
    ]
    problem = load(given.source, **reading_of(given))
    if isinstance(problem, MultiProblem):
        if any(asked for asked, _ in wanted):
            raise InputError(f"{given.source}: transforms are for two graphs, not for many")
        save(problem, given.target)
        return
    prepared = prepare(problem.as_costs(), [need for asked, need in wanted if asked])
    save(prepared.problem.materialise(), given.target)
