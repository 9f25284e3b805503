"""gmtoolbox plot: pictures of problems that are solved now, and of stores. Imports wait until the
command runs, since most are heavy.
"""

from pathlib import Path

from gmtoolbox.bench.arguments import methods_argument, refuse_flags, seed_argument
from gmtoolbox.commands.inputs import load, matrix_arguments, reading_of
from gmtoolbox.core.errors import InputError

PICTURES = ("matching", "trace", "affinity", "profile", "cactus")


def add_plot_command(command, positive):
    """Declare the command; `command(run, name, summary)` gives a parser, `positive` reads a
    positive number.
    """
    sub = command(plot, "plot", "draw a matching, how a solve converged, or the profile of a store")
    sub.add_argument("file", metavar="FILE", help="problem file, or a store that `bench` wrote")
    methods_argument(sub, "one for a matching, any number for a trace")
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds per run")
    seed_argument(sub)
    sub.add_argument(
        "--kind",
        choices=PICTURES,
        help=(
            "default: matching if the file has coordinates, else trace; affinity: the matrix K; of"
            " a store: profile, or cactus"
        ),
    )
    sub.add_argument("--dataset", metavar="NAME", help="of a store: its instances only")
    sub.add_argument("--output", "-o", required=True, metavar="FILE", help=".svg, .png or .pdf")
    matrix_arguments(sub)


def plot(given):
    """Write the picture of a problem solved now, or of a store."""
    from gmtoolbox import plot as pictures
    from gmtoolbox.commands.multi import plot_multi
    from gmtoolbox.core.checks import are_planar
    from gmtoolbox.driver import gm_solve
    from gmtoolbox.engine.registry import get_solver
    from gmtoolbox.io import is_multi

    pictures.check_suffix(given.output)  # whatever is wrong is said before any work
    if given.kind in ("profile", "cactus") or Path(given.file).suffix == ".db":
        refuse_flags(
            given, "does not go with a store", "method", "time_limit", "seed", "sense", "shape"
        )
        pictures.save_picture(store_picture(given), given.output)
        return
    refuse_flags(given, "goes with a store", "dataset")
    if is_multi(given.file):
        pictures.save_picture(
            plot_multi(load(given.file, **reading_of(given)), given), given.output
        )
        return
    for method in given.method:
        get_solver(method)
    problem = load(given.file, **reading_of(given))
    planar = are_planar(problem.points1, problem.points2)
    kind = given.kind or ("matching" if planar and len(given.method) == 1 else "trace")
    if kind == "affinity":
        refuse_flags(given, "does not go with --kind affinity", "method", "time_limit", "seed")
        pictures.save_picture(pictures.affinity(problem, title=problem.name), given.output)
        return
    if kind == "matching" and len(given.method) != 1:
        raise InputError(f"{given.file}: a matching is drawn for one method")
    results = {
        method: gm_solve(problem, method, time_limit=given.time_limit, seed=given.seed)
        for method in given.method
    }
    if kind == "trace":
        svg = pictures.trace(
            {method: result.trace for method, result in results.items()}, problem.name
        )
    else:
        ((method, result),) = results.items()
        svg = pictures.matching(problem, result, title=f"{problem.name} by {method}")
    pictures.save_picture(svg, given.output)


def store_picture(given):
    """The performance profile, or the cactus plot, of a store."""
    from gmtoolbox import plot as pictures
    from gmtoolbox.bench.runs import Runs

    if given.kind in ("matching", "trace", "affinity"):
        raise InputError(f"{given.file}: of a store a profile or a cactus plot is drawn")
    runs = Runs.load(given.file)
    if given.kind == "cactus":
        title = f"Instances solved within a time, {given.dataset or 'all datasets'}"
        return pictures.cactus(runs.curves("cactus", given.dataset), title)
    return runs.profile(given.dataset)
