"""gmtoolbox info: sizes and kinds of problem files, in words, as a table or as JSON.
Imports wait until a command runs, since most are heavy.
"""

import json
import math

from gmtoolbox.commands.inputs import problems, reading_of
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.terminal import fit_table, fold, pairs
from gmtoolbox.core.text import number

PROPERTIES = {
    "instance": "instance",
    "n_left": "left nodes",
    "n_right": "right nodes",
    "density": "density of K",
    "diagonal_density": "allowed pairs",
    "bijective": "complete, equal sizes",
    "injective": "complete, unequal sizes",
    "nonpositive": "costs all <= 0",
    "zero_unary": "unary costs all 0",
    "n_candidates": "candidates",
    "n_edges": "edges",
    "origin": "read as",
}
TABLE = {
    "instance": "instance",
    "n_left": "|V|",
    "n_right": "|L|",
    "density": "density %",
    "bijective": "bijective",
    "nonpositive": "non-pos.",
    "zero_unary": "0-unary",
    "n_candidates": "candidates",
    "n_edges": "edges",
}


def info(given):
    """Print sizes and kinds of problems."""
    from gmtoolbox.commands.multi import MULTI_HEADINGS, multi_cells, multi_properties

    found = list(problems(given.files, **reading_of(given)))
    many = [multi_properties(problem) for problem in found if isinstance(problem, MultiProblem)]
    records = [properties(problem) for problem in found if not isinstance(problem, MultiProblem)]
    for record in many if given.json else ():
        print_json(**record)
    for record in records if given.json else ():
        print_json(**record)
    if given.json:
        return
    if many:
        print(fit_table(MULTI_HEADINGS, [multi_cells(record) for record in many]))
    if len(records) == 1:
        print(
            pairs(
                [(PROPERTIES[name], describe_property(value)) for name, value in records[0].items()]
            )
        )
    elif records:
        rows = [[property_cell(record[name]) for name in TABLE] for record in records]
        print(fit_table([TABLE[name] for name in TABLE], rows))
        for record in records:  # how the variables of a .mat file were interpreted
            if record["origin"]:
                print(fold(f"{record['instance']}: {record['origin']}", "  ", ""))


def describe_property(value):
    """Return a property in words, None if there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{number(value, 3)} %"
    return None if value in ("", None) else str(value)


def property_cell(value):
    """Return the text of a property in a table."""
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


def print_json(**record):
    """One object on one line; JSON has no infinity, so a missing bound is null."""

    def finite(value):
        if isinstance(value, dict):
            return {name: finite(part) for name, part in value.items()}
        if isinstance(value, list):
            return [finite(part) for part in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    print(json.dumps(finite(record)), flush=True)
