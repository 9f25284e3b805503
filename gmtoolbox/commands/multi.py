"""The command line and files of many graphs: solve, info and plot see the kind of a file."""

from gmtoolbox.commands.answers import AnswerText, figures
from gmtoolbox.core.checks import are_planar
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.terminal import fold
from gmtoolbox.core.text import rate_text, result_row
from gmtoolbox.core.tracks import track_f1
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.multi import METHODS, gm_solve_multi


def multi_method(names):
    """The method for many graphs that the command line's names stand for."""
    if len(names) > 1:
        raise InputError(f"many graphs are matched by one method, got {' '.join(names)}")
    if names[0] in METHODS:
        return names[0]
    if names != [DEFAULT_METHOD]:
        raise InputError(f"many graphs are matched by {' or '.join(METHODS)}, not by {names[0]!r}")
    return METHODS[0]


def solve_multi(problem, names, options, progress, **settings):
    """MultiResult of a MultiProblem, from the arguments of `solve`."""
    return gm_solve_multi(
        problem, method=multi_method(names), progress=progress, **settings, **dict(options)
    )


def multi_answer(problem, result, is_with_labels):
    """Return the Answer of a MultiResult; its accuracy is the F1 of the tracks."""
    correct = None if problem.truth is None else track_f1(result.tracks, problem.truth)
    labels = [
        f"{problem.name} graph {g} tracks (0-based): {' '.join(map(str, own.tolist()))}"
        for g, own in enumerate(result.tracks if is_with_labels else ())
    ]
    facts = [
        ("problem", f"{problem.name}, {problem.d} graphs, {sum(problem.sizes)} nodes"),
        ("method", result.method),
        *figures(result),
        ("F1 of tracks", None if correct is None else rate_text(correct)),
        ("tracks", str(result.n_tracks)),
    ]
    row = result_row(problem.name, result.method, result, correct)
    return AnswerText(row, facts, [], [fold(line, "  ", "") for line in labels], result.status)


def multi_record(result):
    """Return the last object that `solve --json` prints."""
    record = result.to_dict()
    return {
        **{name: record[name] for name in ("method", "time", "value", "bound", "gap", "status")},
        "iteration": result.n_iter,
        "seed": result.seed,
        "options": result.options,
        "tracks": [own.tolist() for own in result.tracks],
    }


MULTI_HEADINGS = ("instance", "graphs", "nodes", "pairs", "candidates", "edges", "sense", "truth")


def multi_properties(problem):
    """The columns of `info` for many graphs."""
    return dict(
        instance=problem.name,
        graphs=problem.d,
        sizes=list(problem.sizes),
        pairs=sum(p is not None for p in problem.pairs.values()),
        candidates=problem.n_candidates,
        edges=problem.n_edges,
        sense=problem.sense,
        truth=problem.truth is not None,
    )


def multi_cells(record):
    """One line of the table of `info`."""
    low, high = min(record["sizes"]), max(record["sizes"])
    nodes = str(low) if low == high else f"{low}-{high}"
    cells = {**record, "sizes": nodes, "truth": "+" if record["truth"] else ""}
    return [str(cell) for cell in cells.values()]


def plot_multi(problem, given):
    """Return the SVG of `plot`: tracks if all points are in the plane, else the trace."""
    from gmtoolbox import plot as pictures  # costs time, and few commands draw

    planar = problem.points is not None and are_planar(*problem.points)
    kind = given.kind or ("matching" if planar else "trace")
    if kind == "matching" and not planar:
        raise InputError(
            f"{given.file}: tracks are drawn on a problem with coordinates in the plane"
        )
    result = gm_solve_multi(
        problem,
        method=multi_method(given.method),
        time_limit=given.time_limit,
        seed=given.seed,
    )
    if kind == "trace":
        return pictures.trace({result.method: result.trace}, problem.name)
    title = f"{problem.name}: {result.n_tracks} tracks"
    return pictures.tracks(problem.points, result.tracks, problem.truth, problem.names, title)
